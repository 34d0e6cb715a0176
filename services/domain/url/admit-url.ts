import { type AllowList, canonicalHost, isPublicAddress, parseAddress } from "./address-policy.ts";
import type { RefusalRule } from "./refusals.ts";

/** `invalid_url`: not a URL at all. `url_not_allowed`: a URL that the service does not open, by these rules. */
export type Admission =
  | { admitted: true; url: URL }
  | { admitted: false; code: "invalid_url" }
  | { admitted: false; code: "url_not_allowed"; rules: RefusalRule[]; url: URL };

/** The longest accepted URL in characters, both as given and as normalised. */
export const maxUrlLength = 2048;

/**
 * Checks a URL without DNS: http or https, no credentials, no port that browsers refuse, a public literal address or a
 * name that can be public; `onlyHttps` asks for https, too. The guard checks the addresses of a name when it connects.
 */
export function admitUrl(text: string, allow: AllowList, { onlyHttps = false } = {}): Admission {
  if (!isWellFormed(text)) return { admitted: false, code: "invalid_url" };
  const url = new URL(text);
  if (url.href.length > maxUrlLength) return { admitted: false, code: "invalid_url" };
  const rules = rulesAgainst(url, allow, onlyHttps);
  return rules.length > 0
    ? { admitted: false, code: "url_not_allowed", rules, url }
    : { admitted: true, url };
}

function rulesAgainst(url: URL, allow: AllowList, onlyHttps: boolean): RefusalRule[] {
  if (url.protocol !== "http:" && url.protocol !== "https:") return ["scheme"];
  const rules = [
    url.username !== "" || url.password !== "" ? ("credentials" as const) : undefined,
    hostRefusal(url.hostname, portOf(url), allow),
    onlyHttps && url.protocol === "http:" ? ("https_only" as const) : undefined,
  ];
  return rules.filter(rule => rule !== undefined);
}

/** The port that a URL's connection goes to. */
export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

/** The rule that refuses a host by its spelling alone; undefined when none does. `host` may have brackets. */
export function hostRefusal(host: string, port: number, allow: AllowList): RefusalRule | undefined {
  const name = canonicalHost(host);
  if (allow.hasEndpoint(name, port)) return undefined;
  if (unsafePorts.has(port)) return "port";
  if (!parseAddress(name)) return isInternalName(name) ? "internal_name" : undefined;
  return isPublicAddress(name) || allow.hasAddress(name) ? undefined : addressRule(name);
}

function addressRule(address: string): RefusalRule {
  const range = parseAddress(address)?.range();
  if (range === "loopback") return "loopback_address";
  if (range === "private" || range === "uniqueLocal") return "private_address";
  return range === "linkLocal" ? "link_local_address" : "reserved_address";
}

// The URL parser accepts blanks, backslashes and missing slashes, which other parsers read differently.
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
