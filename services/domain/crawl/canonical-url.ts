import { maxUrlLength } from "../url/admit-url.ts";
import { normalEncoding } from "./percent-encoding.ts";
import { siteOf } from "./site.ts";

export interface CanonicalUrl {
  /** Identity: URLs with one key are one page of a crawl. No URL itself. */
  key: string;
  /** What is fetched: as it was linked, without its fragment. */
  url: string;
}

/**
 * Which page a URL stands for; undefined for one that is no page of the web: not http or https, with credentials, or
 * too long. Besides what every URL parser does (case of scheme and host, IDN, default ports, dot segments) two URLs are
 * one page when they differ by: fragment; http and https; `www.`; how characters are percent-encoded (RFC 3986, 6.2.2);
 * a slash at the end of the path; the name of an index file; a session id; tracking parameters; the order of
 * parameters; an empty query. Parameters of one name keep their order. A server may redirect between such spellings, so
 * that a redirect to a URL with the page's own key leads on to the page, not to another.
 */
export function canonicalUrl(text: string): CanonicalUrl | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    return undefined;
  url.hash = "";
  // An empty query or fragment leaves its mark in `href` only.
  const href = url.href.replace(/\?$/, "");
  if (href.length > maxUrlLength) return undefined;
  return { key: siteOf(url) + canonicalPath(url.pathname) + canonicalQuery(url.search), url: href };
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
    .filter(pair => !saysNothing(nameOf(pair)))
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

/** Parameters that say where a visitor came from or who that is, and not what is shown. */
function saysNothing(name: string): boolean {
  const lower = name.toLowerCase();
  return tracking.has(lower) || trackingPrefixes.some(prefix => lower.startsWith(prefix));
}

const trackingPrefixes = ["utm_", "hsa_", "mtm_", "matomo_", "pk_", "piwik_", "__hs", "aspsessionid"];

const tracking = new Set([
  ...["gclid", "gclsrc", "dclid", "gbraid", "wbraid", "srsltid", "_ga", "_gl"],
  ...[
    "fbclid",
    "igshid",
    "igsh",
    "msclkid",
    "yclid",
    "ysclid",
    "twclid",
    "ttclid",
    "li_fat_id",
    "epik",
    "rdt_cid",
  ],
  ...[
    "mc_cid",
    "mc_eid",
    "mkt_tok",
    "_hsenc",
    "_hsmi",
    "hsctatracking",
    "vero_id",
    "vero_conv",
    "oly_anon_id",
  ],
  ...["oly_enc_id", "wickedid", "s_cid", "_openstat", "_kx", "_ke", "sc_cid", "rb_clickid"],
  ...["phpsessid", "jsessionid", "cfid", "cftoken"],
]);
