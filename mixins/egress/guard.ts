import { lookup as systemLookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { isPublicAddress } from "../../services/domain/url/address-policy.ts";
import { isHostAllowed } from "../../services/domain/url/admit-url.ts";
import { type AllowList, canonicalHost } from "../../services/domain/url/allow-list.ts";

export interface Address {
  address: string;
  family: number;
}

/** Every address of a name, in the order in which to try them. Rejects when the name has none. */
export type LookupAll = (hostname: string) => Promise<Address[]>;

/**
 * Resolves a host once and returns the addresses to connect to. Rejects with an `EGRESS_REFUSED` error when any of
 * them is not public and not on the allow list, and with the resolver's error when there is none. `host` is a name
 * or a literal address in any spelling that URLs take, with or without brackets.
 */
export type Vet = (host: string, port: number) => Promise<Address[]>;

const lookupTimeoutMs = 10_000;

export function createVet(allow: AllowList, lookup: LookupAll = resolveAll): Vet {
  return async (host, port) => {
    const name = hostOrRefuse(host, port);
    if (!isHostAllowed(name, port, allow)) throw refusal(name, port);
    if (isIP(name)) return [{ address: name, family: isIP(name) }];
    const addresses = await withDeadline(lookup(name), name);
    if (addresses.length === 0) throw dnsError(name, "ENOTFOUND");
    const allowed = ({ address }: Address) => isPublicAddress(address) || allow.hasAddress(address);
    if (!allow.hasEndpoint(name, port) && !addresses.every(allowed)) throw refusal(name, port);
    return addresses;
  };
}

/** A `lookup` for sockets that knows the vetted addresses and nothing else, so that nothing is resolved again. */
export function pinned(addresses: Address[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (all || !first) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
}

/** Whether the guard refused, however deep the network library buried its error. */
export function isRefusal(error: unknown): boolean {
  return errorsIn(error).some(({ code }) => code === "EGRESS_REFUSED");
}

/** An error with its causes and, where several attempts failed, their errors; outermost first. */
export function errorsIn(error: unknown, depth = 0): { code?: unknown; message?: unknown }[] {
  if (typeof error !== "object" || error === null || depth > 8) return [];
  const { cause, errors } = error as { cause?: unknown; errors?: unknown };
  const inner = [cause, ...(Array.isArray(errors) ? errors : [])];
  return [error, ...inner.flatMap(each => errorsIn(each, depth + 1))];
}

function hostOrRefuse(host: string, port: number): string {
  try {
    return canonicalHost(host);
  } catch (cause) {
    throw Object.assign(refusal(host, port), { cause });
  }
}

function refusal(host: string, port: number): Error {
  return Object.assign(new Error(`${host}:${port} is not a public address`), { code: "EGRESS_REFUSED" });
}

async function resolveAll(name: string): Promise<Address[]> {
  return systemLookup(name, { all: true });
}

// The system's resolver takes no signal; the race lets the caller go on while its thread runs out.
async function withDeadline(answer: Promise<Address[]>, name: string): Promise<Address[]> {
  const timer = new AbortController();
  const deadline = wait(lookupTimeoutMs, undefined, { signal: timer.signal }).then(() => {
    throw dnsError(name, "EAI_AGAIN");
  });
  try {
    return await Promise.race([answer, deadline]);
  } finally {
    deadline.catch(() => undefined);
    timer.abort();
  }
}

function dnsError(name: string, code: string): Error {
  return Object.assign(new Error(`${code} ${name}`), { code, syscall: "getaddrinfo" });
}
