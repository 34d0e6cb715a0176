import { isIP, type LookupFunction } from "node:net";
import { type AllowList, canonicalHost, isPublicAddress } from "../../services/domain/url/address-policy.ts";
import { hostRefusal } from "../../services/domain/url/admit-url.ts";
import type { RefusalRule } from "../../services/domain/url/refusals.ts";

export interface Address {
  address: string;
  family: number;
}

/** All addresses of a name, in the order in which to try them. Rejects when the name has none. */
export type LookupAll = (hostname: string) => Promise<Address[]>;

/** What the guard refused, and by which rules. */
export interface Refused {
  host: string;
  port: number;
  rules: RefusalRule[];
}

/**
 * Resolves a host once and returns the addresses to connect to. Rejects with an `EGRESS_REFUSED` error when any of
 * them is neither public nor on the allow list, and with the resolver's error when there is none. `host` is a name or a
 * literal address in any form that URLs allow, with or without brackets.
 */
export type Vet = (host: string, port: number) => Promise<Address[]>;

export function createVet(
  allow: AllowList,
  lookup: LookupAll,
  onRefusal: (refused: Refused) => void = () => undefined,
): Vet {
  const refusal = (host: string, port: number, rule: RefusalRule) => {
    onRefusal({ host, port, rules: [rule] });
    return refusalError(host, port, rule);
  };
  return async (host, port) => {
    const name = hostOrRefuse(host, port);
    const rule = hostRefusal(name, port, allow);
    if (rule) throw refusal(name, port, rule);
    if (isIP(name)) return [{ address: name, family: isIP(name) }];
    const addresses = await lookup(host.endsWith(".") ? `${name}.` : name);
    if (addresses.length === 0) throw dnsError(name, "ENOTFOUND");
    const allowed = ({ address }: Address) => isPublicAddress(address) || allow.hasAddress(address);
    if (!allow.hasEndpoint(name, port) && !addresses.every(allowed))
      throw refusal(name, port, "resolved_address");
    return addresses;
  };
}

/** A `lookup` for sockets that returns the vetted addresses only, so that nothing is resolved again. */
export function pinned(addresses: Address[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (all || !first) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
}

/** Whether the guard refused, at any depth of the network library's error. */
export function isRefusal(error: unknown): boolean {
  return errorsIn(error).some(({ code }) => code === "EGRESS_REFUSED");
}

/** The rule by which the guard refused; undefined for other errors. */
export function ruleOf(error: unknown): RefusalRule | undefined {
  const refusal = errorsIn(error).find(({ code }) => code === "EGRESS_REFUSED");
  return (refusal as { rule?: RefusalRule } | undefined)?.rule;
}

/** An error with its causes and, where several attempts failed, their errors; outermost first. */
export function errorsIn(error: unknown, depth = 0): { code?: unknown; name?: unknown; message?: unknown }[] {
  if (typeof error !== "object" || error === null || depth > 8) return [];
  const { cause, errors } = error as { cause?: unknown; errors?: unknown };
  const inner = [cause, ...(Array.isArray(errors) ? errors : [])];
  return [error, ...inner.flatMap(each => errorsIn(each, depth + 1))];
}

function hostOrRefuse(host: string, port: number): string {
  try {
    return canonicalHost(host);
  } catch (cause) {
    throw Object.assign(refusalError(host, port, "internal_name"), { cause });
  }
}

function refusalError(host: string, port: number, rule: RefusalRule): Error {
  return Object.assign(new Error(`${host}:${port} is refused (${rule})`), { code: "EGRESS_REFUSED", rule });
}

/** Why a lookup gave no addresses. `ENOTFOUND`: the name has none. `EAI_AGAIN`: the lookup could not find out. */
export function dnsError(name: string, code: "ENOTFOUND" | "EAI_AGAIN", cause?: unknown): Error {
  return Object.assign(new Error(`${code} ${name}`, { cause }), { code, syscall: "getaddrinfo" });
}
