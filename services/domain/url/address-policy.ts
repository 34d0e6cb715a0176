import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Cidr = readonly [Address, number];

/**
 * Whether a literal IP address is one of the public internet. Anything that does not parse as a plain address
 * (zone ids, short or octal IPv4 forms) is not.
 *
 * Sources: IANA special-purpose address registries (RFC 6890, RFC 8190) as ipaddr.js holds them, IPv6 narrowed to
 * the global unicast block 2000::/3 (RFC 4291), and the ranges in `reserved` that ipaddr.js takes for unicast.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address?.range() !== "unicast") return false;
  if (address.kind() === "ipv6" && !contains(globalUnicast, address)) return false;
  return !reserved.some(range => contains(range, address));
}

/** A plain address as a value; undefined for names, zone ids and IPv4 in other than four decimal parts. */
export function parseAddress(text: string): Address | undefined {
  if (text.includes("%")) return undefined;
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}

function contains([network, bits]: Cidr, address: Address): boolean {
  if (network instanceof ipaddr.IPv4) return address instanceof ipaddr.IPv4 && address.match(network, bits);
  return address instanceof ipaddr.IPv6 && address.match(network, bits);
}

const globalUnicast: Cidr = ipaddr.parseCIDR("2000::/3");

const reserved: Cidr[] = [
  "0.0.0.0/8",
  "100.64.0.0/10",
  // The metadata and DHCP address of a large cloud, inside public space.
  "168.63.129.16/32",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "240.0.0.0/4",
  // IPv6 that carries an IPv4 address inside: Teredo, 6to4. NAT64 and mapped forms lie outside 2000::/3.
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
  "5f00::/16",
].map(cidr => ipaddr.parseCIDR(cidr));

/** The operator's exceptions to "public addresses only". */
export interface AllowList {
  /** True when a CIDR of the list holds this literal address. */
  hasAddress(address: string): boolean;
  /** True when the list names this host and port exactly. */
  hasEndpoint(host: string, port: number): boolean;
  /** The hosts of its `host:port` pairs. */
  hosts: ReadonlySet<string>;
}

/** Parses CIDRs, single addresses and `host:port` pairs. Throws with the first invalid entry. */
export function parseAllowList(entries: readonly string[]): AllowList {
  const ranges: ReturnType<typeof ipaddr.parseCIDR>[] = [];
  const endpoints = new Set<string>();
  const hosts = new Set<string>();
  for (const entry of entries) {
    const range = toRange(entry);
    if (range) ranges.push(range);
    else {
      const { host, port } = toEndpoint(entry);
      hosts.add(host);
      endpoints.add(`${host}:${port}`);
    }
  }
  return {
    hasAddress: text => {
      const address = parseAddress(text);
      return address !== undefined && ranges.some(range => contains(range, address));
    },
    hosts,
    hasEndpoint: (host, port) => endpoints.has(`${host}:${port}`),
  };
}

function toRange(entry: string): ReturnType<typeof ipaddr.parseCIDR> | undefined {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
  const address = parseAddress(entry);
  return address && [address, address.kind() === "ipv4" ? 32 : 128];
}

function toEndpoint(entry: string): { host: string; port: number } {
  const parts = /^(\[[0-9a-f:.]+\]|[^\s:/@[\]]+):(\d{1,5})$/i.exec(entry);
  const [, host = "", port = ""] = parts ?? [];
  if (!parts || !URL.canParse(`http://${host}:${port}`))
    throw new Error(`"${entry}" is neither a CIDR nor host:port`);
  return { host: canonicalHost(host), port: Number(port) };
}

/** A host in the form of the URL parser, without brackets and trailing dots. Throws for anything else. */
export function canonicalHost(host: string): string {
  const bracketed = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return new URL(`http://${bracketed}`).hostname.replace(/^\[|\]$|\.+$/g, "");
}
