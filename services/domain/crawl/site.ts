/**
 * The host that a URL belongs to, as a crawl sees it: in lower case, without `www.` before a name of two labels or
 * more, without a dot at its end, and with the port unless it is the default one. http and https are one site.
 */
export function siteOf({ hostname, port }: Pick<URL, "hostname" | "port">): string {
  const host = hostname.replace(/\.$/, "").replace(/^www\.(?=[^.]+\.)/, "");
  return port === "" ? host : `${host}:${port}`;
}
