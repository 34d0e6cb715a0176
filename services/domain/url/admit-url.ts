import { isPublicAddress, parseAddress } from "./address-policy.ts";
import { type AllowList, canonicalHost } from "./allow-list.ts";

/** `invalid_url`: not a URL at all. `url_not_allowed`: one that the service does not go to, for a reason it keeps. */
export type Admission =
  | { admitted: true; url: URL }
  | { admitted: false; code: "invalid_url" | "url_not_allowed" };

/** The longest URL that is taken, in characters: as it is given, and as it is written out. */
export const maxUrlLength = 2048;

/**
 * The rule at the door, without DNS: http or https, no credentials, no port that browsers refuse, a public literal
 * address or a name that can be public. What a name resolves to is the guard's matter, at connect time.
 */
export function admitUrl(text: string, allow: AllowList): Admission {
  if (!isWellFormed(text)) return { admitted: false, code: "invalid_url" };
  const url = new URL(text);
  if (url.href.length > maxUrlLength) return { admitted: false, code: "invalid_url" };
  const web = url.protocol === "http:" || url.protocol === "https:";
  if (!web || url.username !== "" || url.password !== "" || !isHostAllowed(url.hostname, portOf(url), allow))
    return { admitted: false, code: "url_not_allowed" };
  return { admitted: true, url };
}

/** The port that a URL's connection goes to. */
export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

/** Whether a host may be connected to as far as its spelling tells; `host` may carry brackets. */
export function isHostAllowed(host: string, port: number, allow: AllowList): boolean {
  const name = canonicalHost(host);
  if (allow.hasEndpoint(name, port)) return true;
  if (unsafePorts.has(port)) return false;
  if (parseAddress(name)) return isPublicAddress(name) || allow.hasAddress(name);
  return !isInternalName(name);
}

// The URL parser forgives blanks, backslashes and missing slashes; other readers of the same text do not agree with it.
function isWellFormed(text: string): boolean {
  if (text.length > maxUrlLength || /[\u0000-\u0020]/.test(text) || !URL.canParse(text)) return false;
  const [beforeQuery = ""] = text.split(/[?#]/, 1);
  return !/^https?:/i.test(text) || (/^https?:\/\/[^/\\]/i.test(text) && !beforeQuery.includes("\\"));
}

function isInternalName(name: string): boolean {
  return !name.includes(".") || internalSuffixes.some(suffix => name.endsWith(suffix));
}

// RFC 6761, RFC 6762, RFC 7686, RFC 8375, ICANN's private-use and collision names, and the domains of clusters.
const internalSuffixes = [
  ".localhost",
  ".localdomain",
  ".local",
  ".internal",
  ".intranet",
  ".private",
  ".corp",
  ".home",
  ".lan",
  ".home.arpa",
  ".svc",
  ".onion",
];

// "Bad ports" of the Fetch standard.
const unsafePorts = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);
