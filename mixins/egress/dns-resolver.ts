import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { FairSemaphore } from "../async/fair-semaphore.ts";
import { type DnsSettings, type DnsSources, watchDnsSettings } from "./dns-settings.ts";
import { type Address, dnsError } from "./guard.ts";

/** The addresses of a name, and how long they are valid. No addresses: there is no such name, or it has none. */
export interface Answer {
  addresses: Address[];
  ttlMs: number;
}

/** Resolves a name. Rejects with `EAI_AGAIN` when no name server answers, and with the reason of the signal. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<Answer>;

const firstWaitMs = 500;
/** How long to wait for the other address family once one is there (RFC 8305, 3, with time for a slow server). */
const otherFamilyMs = 250;
const noSuchNameMs = 5000;
/** Longer than any lookup: this file retries itself, so that a late answer to an earlier question still counts. */
const neverMs = 60_000;

/**
 * Resolves whole names, by sockets of c-ares and without a thread: the hosts file, `localhost` (RFC 6761), then the name
 * servers for A and AAAA at once. No search domain is appended: each would cost two more questions, and tell the servers of
 * the domain which hosts users name. A question without an answer goes to the next server after 0.5, 1, 2 and 4 s; the first
 * answer counts, to whichever question. Names that the operator gives (`system`) are resolved by getaddrinfo.
 */
export function createResolver(sources: DnsSources = {}, system: SystemLookup = lookup): Resolve {
  const settingsNow = watchDnsSettings(sources);
  const servers = createServerOrder();
  const ofSystem = new Set(sources.system);
  const askSystem = createSystemNames(system);
  return async (given, signal) => {
    const settings = settingsNow();
    const name = given.replace(/\.$/, "");
    const local = localAddresses(name, settings);
    if (local) return { addresses: inOrder(local, settings), ttlMs: 0 };
    const asked = ofSystem.has(name) ? askSystem(name) : ask(name, { settings, servers, signal });
    const answer = await asked.catch((error: unknown) => {
      signal.throwIfAborted();
      throw dnsError(name, "EAI_AGAIN", error);
    });
    return answer.addresses.length > 0 ? answer : { addresses: [], ttlMs: noSuchNameMs };
  };
}

function localAddresses(name: string, { hosts }: DnsSettings): string[] | undefined {
  const isLoopback = name === "localhost" || name.endsWith(".localhost");
  return hosts.get(name) ?? (isLoopback ? ["127.0.0.1", "::1"] : undefined);
}

/** `lookup` of Node: getaddrinfo. */
export type SystemLookup = (name: string, options: { all: true }) => Promise<Address[]>;

/** getaddrinfo may hold so many of the four threads of libuv: nothing ends it when a server is silent. */
const systemThreads = 2;
const systemTtlMs = 5000;

/** Resolves names as other programs of this machine do. A name is asked for once at a time, until the system has answered. */
function createSystemNames(system: SystemLookup): (name: string) => Promise<Answer> {
  const threads = new FairSemaphore({ width: systemThreads });
  const underWay = new Map<string, Promise<Answer>>();
  const start = async (name: string) => {
    const leave = await threads.acquire(name, never);
    try {
      return { addresses: await system(name, { all: true }), ttlMs: systemTtlMs };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOTFOUND") throw error;
      return { addresses: [], ttlMs: 0 };
    } finally {
      leave();
      underWay.delete(name);
    }
  };
  return name => {
    const asked = underWay.get(name) ?? start(name);
    underWay.set(name, asked);
    return asked;
  };
}

const never = new AbortController().signal;

/** Asks the server that answered last first, so that a dead one delays one lookup and not all. */
interface ServerOrder {
  of(settings: DnsSettings): string[];
  answered(server: string): void;
}

function createServerOrder(): ServerOrder {
  let best = "";
  return {
    of: ({ servers }) => {
      const first = Math.max(0, servers.indexOf(best));
      return [...servers.slice(first), ...servers.slice(0, first)];
    },
    answered: server => {
      best = server;
    },
  };
}

interface Asking {
  settings: DnsSettings;
  servers: ServerOrder;
  signal: AbortSignal;
}

interface AddressRecord {
  address: string;
  /** Seconds. */
  ttl: number;
}

/** Asks for both families. Each lookup has its own sockets, so the silence of one does not disturb another. */
async function ask(name: string, { settings, servers, signal }: Asking): Promise<Answer> {
  const over = new AbortController();
  const inTime = AbortSignal.any([signal, over.signal]);
  const resolvers = new Map(servers.of(settings).map(server => [server, resolverAt(server)]));
  const query = (family: "resolve4" | "resolve6") =>
    askOneByOne([...resolvers.keys()], settings.timeoutMs, inTime, async server => {
      const found = await resolvers.get(server)?.[family](name, { ttl: true }).catch(noneOrThrow);
      servers.answered(server);
      return found ?? [];
    });
  try {
    return toAnswer(await families(query("resolve4"), query("resolve6"), settings, inTime), settings);
  } finally {
    over.abort();
    for (const resolver of resolvers.values()) resolver.cancel();
  }
}

function resolverAt(server: string): Resolver {
  const resolver = new Resolver({ timeout: neverMs, maxTimeout: neverMs, tries: 1 });
  resolver.setServers([server]);
  return resolver;
}

// EBADNAME: a name that no question can hold.
const noneCodes = new Set(["ENOTFOUND", "ENODATA", "EBADNAME"]);

function noneOrThrow(error: NodeJS.ErrnoException): AddressRecord[] {
  if (noneCodes.has(error.code ?? "")) return [];
  throw error;
}

/**
 * Asks the servers one after another until one answers; earlier questions stay open. Does not ask a server again that
 * answered with a failure. Rejects when all have failed.
 */
async function askOneByOne(
  servers: string[],
  timeoutMs: number,
  signal: AbortSignal,
  query: (server: string) => Promise<AddressRecord[]>,
): Promise<AddressRecord[]> {
  const over = new AbortController();
  const inTime = AbortSignal.any([signal, over.signal]);
  const failed = new Set<string>();
  const asked: Promise<AddressRecord[]>[] = [];
  try {
    for (let attempt = 0; ; attempt++) {
      inTime.throwIfAborted();
      const left = servers.filter(server => !failed.has(server));
      const server = left[attempt % left.length];
      if (server === undefined) return await Promise.any(asked);
      const question = query(server);
      question.catch(() => failed.add(server));
      asked.push(question);
      const attemptOver = sleep(Math.min(firstWaitMs * 2 ** attempt, timeoutMs), undefined, {
        signal: inTime,
      });
      const answer = await Promise.race([Promise.any(asked).catch(() => undefined), attemptOver]);
      if (answer) return answer;
    }
  } finally {
    over.abort();
  }
}

/** The records of both families, or of one when the other is late and this machine can use the first. */
async function families(
  v4: Promise<AddressRecord[]>,
  v6: Promise<AddressRecord[]>,
  { hasIpv6 }: DnsSettings,
  signal: AbortSignal,
): Promise<AddressRecord[]> {
  const found: AddressRecord[] = [];
  const usable = Promise.withResolvers<void>();
  const note = (records: AddressRecord[], isUsable: boolean) => {
    found.push(...records);
    if (records.length > 0 && isUsable) usable.resolve();
  };
  const both = Promise.all([v4.then(each => note(each, true)), v6.then(each => note(each, hasIpv6))]);
  both.catch(() => undefined);
  const settled = Promise.allSettled([v4, v6]);
  const enough = usable.promise.then(() => sleep(otherFamilyMs, undefined, { signal }));
  await Promise.race([settled, enough]);
  if (found.length === 0) await both;
  return [...found];
}

function toAnswer(records: AddressRecord[], settings: DnsSettings): Answer {
  const ttl = Math.min(...records.map(each => each.ttl));
  const addresses = records.map(({ address }) => address);
  return { addresses: inOrder(addresses, settings), ttlMs: records.length > 0 ? ttl * 1000 : 0 };
}

/** IPv6 first when this machine has it, else last (RFC 6724, rules 1 and 6); within a family in the given order. */
function inOrder(addresses: string[], { hasIpv6 }: DnsSettings): Address[] {
  const rank = ({ family }: Address) => ((family === 6) === hasIpv6 ? 0 : 1);
  return addresses
    .map(address => ({ address, family: isIP(address) }))
    .sort((one, other) => rank(one) - rank(other));
}
