import { getPublicSuffix } from "tough-cookie";

/** Whether two addresses are of one site: of one registrable domain, or of one host where there is none. */
export function isSameSite(url: string, other: string): boolean {
  const [one, two] = [URL.parse(url), URL.parse(other)];
  return one !== null && two !== null && siteName(one) === siteName(two);
}

/** The registrable domain that a host belongs to, also where others register names below it; the host where there is none. */
export function siteName({ hostname }: Pick<URL, "hostname">): string {
  return getPublicSuffix(hostname, { ignoreError: true }) ?? hostname;
}

/** Whether a frame shows what its page itself says: by `srcdoc`, by script, or as data. */
export function isOwnContent(url: string): boolean {
  return url === "" || /^(?:about|data|blob|javascript):/i.test(url);
}
