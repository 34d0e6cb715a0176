import { maxUrlLength } from "./admit-url.ts";

interface CanonicalUrl {
  /** URLs with the same key are one page of a crawl. Not a URL itself. */
  key: string;
  /** The URL to fetch: as linked, without its fragment. */
  url: string;
}

/**
 * The page that a URL identifies; undefined for URLs that are no web pages: not http or https, with credentials, or too
 * long. Besides what every URL parser does (case of scheme and host, IDN, default ports, dot segments) two URLs are
 * one page when they differ by: fragment; http and https; `www.`; how characters are percent-encoded (RFC 3986, 6.2.2);
 * a slash at the end of the path; the name of an index file; a session id; tracking parameters; the order of
 * parameters; an empty query. Parameters of one name keep their order. A server may redirect between such spellings: a
 * redirect to a URL with the page's own key leads to the same page. With `ignoresQuery` they are one page with any query.
 */
export function canonicalUrl(text: string, { ignoresQuery = false } = {}): CanonicalUrl | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    return undefined;
  url.hash = "";
  // An empty query or fragment is visible in `href` only.
  const href = url.href.replace(/\?$/, "");
  if (href.length > maxUrlLength) return undefined;
  const query = ignoresQuery ? "" : canonicalQuery(url.search);
  return { key: siteOf(url) + canonicalPath(url.pathname) + query, url: href };
}

const indexFile = /\/(?:index\.(?:html?|shtml|xhtml|php|jsp|asp|aspx|cgi)|default\.(?:html?|asp|aspx))$/i;

function canonicalPath(path: string): string {
  const normal = normalEncoding(path)
    .replace(/;(?:jsessionid|phpsessid|sid)=[^/;]*/gi, "")
    .replace(indexFile, "/");
  return normal.length > 1 ? normal.replace(/\/$/, "") : normal;
}

function canonicalQuery(search: string): string {
  const kept = search
    .slice(1)
    .split("&")
    .filter(pair => pair !== "")
    .map(pair => normalEncoding(pair))
    .filter(pair => !isTrackingParameter(nameOf(pair)))
    .sort((one, other) => compare(nameOf(one), nameOf(other)));
  return kept.length > 0 ? `?${kept.join("&")}` : "";
}

function nameOf(pair: string): string {
  return pair.split("=", 1)[0] ?? pair;
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/**
 * The host that a URL belongs to, for a crawl: in lower case, without `www.` before a name of two labels or
 * more, without a dot at its end, and with the port unless it is the default one. http and https are one site.
 */
export function siteOf({ hostname, port }: Pick<URL, "hostname" | "port">): string {
  const host = hostname.replace(/\.$/, "").replace(/^www\.(?=[^.]+\.)/, "");
  return port === "" ? host : `${host}:${port}`;
}

/**
 * Gives one spelling to what may be percent-encoded in different ways (RFC 3986, 6.2.2): unreserved characters
 * unescaped, escapes in upper case, and UTF-8 for anything but ASCII.
 */
export function normalEncoding(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\u0021-\u007e]+/g, encodeURIComponent)
    .replace(/%[0-9a-f]{2}/gi, escaped => {
      const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : escaped.toUpperCase();
    });
}

/** The URL without its fragment and tracking parameters; all else as it is. */
export function withoutTracking(text: string): string {
  const [address = "", query = ""] = text.replace(/#.*$/s, "").split(/\?(.*)/s);
  const pairs = query
    .split("&")
    .filter(pair => pair !== "" && !isTrackingParameter(nameOf(normalEncoding(pair))));
  return pairs.length > 0 ? `${address}?${pairs.join("&")}` : address;
}

/** Query parameters that identify a visitor or where it came from, and do not change the page. */
export function isTrackingParameter(name: string): boolean {
  const lower = name.toLowerCase();
  return names.has(lower) || prefixes.some(prefix => lower.startsWith(prefix));
}

const prefixes = ["utm_", "hsa_", "mtm_", "matomo_", "pk_", "piwik_", "__hs", "aspsessionid"];

const names = new Set(
  [
    "gclid gclsrc dclid gbraid wbraid srsltid _ga _gl",
    "fbclid igshid igsh msclkid yclid ysclid twclid ttclid li_fat_id epik rdt_cid",
    "mc_cid mc_eid mkt_tok _hsenc _hsmi hsctatracking vero_id vero_conv oly_anon_id oly_enc_id",
    "wickedid s_cid _openstat _kx _ke sc_cid rb_clickid",
    "phpsessid jsessionid cfid cftoken",
  ].flatMap(line => line.split(" ")),
);
