import { isIP } from "node:net";
import { fail } from "../../contracts/errors.ts";

/** Ends of names that no one can register (RFC 6761, 6762, 8375; `internal` is ICANN's), or that are not in the public DNS. */
const unregistrable = ["localhost", "local", "internal", "home.arpa", "lan", "svc", "test"];

/** Throws 421 `misdirected_request` for a request that was sent to a name which is not this gateway's. */
export type HostCheck = (host: string | undefined) => void;

/**
 * The names by which this gateway may be asked. A page whose own name was made to lead here (DNS rebinding) is, to its
 * browser, of the same origin as the gateway, and differs only by its name in `Host`. Nobody can make such a
 * page of an address, or of a name that cannot be registered, so these pass; other names are that of PUBLIC_URL and those
 * of HOSTS: a name, `*.` and a name for all below it, or `*` for any.
 */
export function hostCheck(hosts: readonly string[], publicUrl: string | undefined): HostCheck {
  if (hosts.includes("*")) return () => undefined;
  const own = new Set(
    [...hosts, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname])].map(plain),
  );
  const below = [...own].flatMap(name => (name.startsWith("*.") ? name.slice(1) : []));
  const isOwn = (name: string) =>
    own.has(name) || below.some(end => name.endsWith(end)) || isUnregistrable(name);
  // Almost every request comes by one of a few names.
  let last: string | undefined;
  return host => {
    if (host === undefined || host === last) return;
    const name = nameIn(host);
    // What is no name at all belongs to no page.
    if (name !== undefined && !isOwn(name)) throw misdirected(name);
    last = host;
  };
}

function nameIn(host: string): string | undefined {
  const [, name] = /^([^:[\]/@]+)(?::\d*)?$/.exec(host) ?? [];
  return name === undefined || isIP(name) !== 0 ? undefined : plain(name);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

function isUnregistrable(name: string): boolean {
  return !name.includes(".") || unregistrable.some(end => name.endsWith(`.${end}`));
}

function misdirected(name: string): Error {
  return fail(
    "misdirected_request",
    `This gateway is not known by the name ${name.slice(0, 100)}. If it is its name, add it to the setting HOSTS, or set PUBLIC_URL.`,
  );
}
