import ipaddr from "ipaddr.js";
import { contains, parseAddress } from "./address-policy.ts";

/** Exceptions to "public addresses only", as the operator states them. */
export interface AllowList {
  /** True when a CIDR of the list holds this literal address. */
  hasAddress(address: string): boolean;
  /** True when the list names this host and port exactly. */
  hasEndpoint(host: string, port: number): boolean;
}

/** Parses CIDRs, single addresses and `host:port` pairs. Throws with the entry that is none of them. */
export function parseAllowList(entries: readonly string[]): AllowList {
  const ranges: ReturnType<typeof ipaddr.parseCIDR>[] = [];
  const endpoints = new Set<string>();
  for (const entry of entries) {
    const range = toRange(entry);
    if (range) ranges.push(range);
    else endpoints.add(toEndpoint(entry));
  }
  return {
    hasAddress: text => {
      const address = parseAddress(text);
      return address !== undefined && ranges.some(range => contains(range, address));
    },
    hasEndpoint: (host, port) => endpoints.has(`${host}:${port}`),
  };
}

function toRange(entry: string): ReturnType<typeof ipaddr.parseCIDR> | undefined {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
  const address = parseAddress(entry);
  return address && [address, address.kind() === "ipv4" ? 32 : 128];
}

function toEndpoint(entry: string): string {
  const parts = /^(\[[0-9a-f:.]+\]|[^\s:/@[\]]+):(\d{1,5})$/i.exec(entry);
  const [, host = "", port = ""] = parts ?? [];
  if (!parts || !URL.canParse(`http://${host}:${port}`))
    throw new Error(`"${entry}" is neither a CIDR nor host:port`);
  return `${canonicalHost(host)}:${Number(port)}`;
}

/** A host as the URL parser writes it, without brackets and without dots at the end. Throws when it is none. */
export function canonicalHost(host: string): string {
  const bracketed = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return new URL(`http://${bracketed}`).hostname.replace(/^\[|\]$|\.+$/g, "");
}
