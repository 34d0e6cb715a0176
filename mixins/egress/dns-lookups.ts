import { FairSemaphore } from "../async/fair-semaphore.ts";
import { untilAborted, withTimeout } from "../async/timeout.ts";
import { type Answer, createResolver, type Resolve } from "./dns-resolver.ts";
import type { DnsSources } from "./dns-settings.ts";
import { type Address, dnsError, type LookupAll } from "./guard.ts";

/** How long a caller waits, and how long a question to the name servers may take. */
const lookupTimeoutMs = 10_000;
/** Lookups of one party that are under way at a time; its others wait for these, and nobody else does. */
const lookupsPerTenant = 32;
/** An answer stays for its TTL, and no longer than this. */
const maxKeptMs = 60_000;
const maxKept = 10_000;
const maxPinned = 1_000;

/** The name lookups of one job: each name is resolved once, and has the same addresses, or none, until the job ends. */
export interface JobLookups {
  lookup: LookupAll;
  /** Cancels lookups that have not begun. */
  end(): void;
}

/**
 * Name lookups for all jobs of a process. Callers that need the same name share one lookup, and none of them ends it for
 * the others. Answers stay for their TTL; the guard vets them at each use.
 */
export class DnsLookups {
  readonly #resolve: Resolve;
  readonly #queue = new FairSemaphore({ width: Number.POSITIVE_INFINITY, perGroup: lookupsPerTenant });
  readonly #underWay = new Map<string, Promise<Address[]>>();
  readonly #kept = new Map<string, { addresses: Address[]; until: number }>();
  readonly #closing = new AbortController();

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  /** `party` is who has the lookups of the job counted: an API key. Without one each host is its own. */
  job(tenant?: string): JobLookups {
    const pinned = new Map<string, Promise<Address[]>>();
    const ended = new AbortController();
    return {
      lookup: name => {
        const addresses = pinned.get(name) ?? this.#lookup(name, tenant ?? name, ended.signal);
        pinned.set(name, addresses);
        if (pinned.size > maxPinned) forgetOldest(pinned);
        return addresses;
      },
      end: () => ended.abort(),
    };
  }

  close(): void {
    this.#closing.abort();
  }

  async #lookup(name: string, tenant: string, signal: AbortSignal): Promise<Address[]> {
    try {
      return await withTimeout(lookupTimeoutMs, signal, inTime => this.#whenFree(name, tenant, inTime));
    } catch (error) {
      throw error instanceof DOMException ? dnsError(name, "EAI_AGAIN", error) : error;
    }
  }

  async #whenFree(name: string, tenant: string, signal: AbortSignal): Promise<Address[]> {
    const known = this.#known(name);
    if (known) return untilAborted(known, signal);
    const leave = await this.#queue.acquire(tenant, signal);
    const answer = this.#known(name) ?? this.#ask(name);
    answer.then(leave, leave);
    return untilAborted(answer, signal);
  }

  #known(name: string): Promise<Address[]> | undefined {
    const kept = this.#kept.get(name);
    if (kept && kept.until > performance.now()) return Promise.resolve(kept.addresses);
    return this.#underWay.get(name);
  }

  #ask(name: string): Promise<Address[]> {
    const answer = withTimeout(lookupTimeoutMs, this.#closing.signal, signal =>
      untilAborted(this.#resolve(name, signal), signal),
    ).then(found => this.#keep(name, found));
    this.#underWay.set(name, answer);
    const forget = () => this.#underWay.delete(name);
    answer.then(forget, forget);
    return answer;
  }

  #keep(name: string, { addresses, ttlMs }: Answer): Address[] {
    this.#kept.delete(name);
    if (ttlMs > 0) this.#kept.set(name, { addresses, until: performance.now() + Math.min(ttlMs, maxKeptMs) });
    if (this.#kept.size > maxKept) forgetOldest(this.#kept);
    return addresses;
  }
}

function forgetOldest(map: Map<string, unknown>): void {
  for (const [oldest] of map) {
    map.delete(oldest);
    return;
  }
}

const shared = new Map<string, { names: DnsLookups; users: number }>();

/** The lookups of this process for these sources; call `leave` when done. */
export function shareLookups(sources: DnsSources = {}): { names: DnsLookups; leave: () => void } {
  const key = JSON.stringify(sources);
  const entry = shared.get(key) ?? { names: new DnsLookups(createResolver(sources)), users: 0 };
  shared.set(key, entry);
  entry.users += 1;
  const leave = () => {
    entry.users -= 1;
    if (entry.users > 0) return;
    shared.delete(key);
    entry.names.close();
  };
  return { names: entry.names, leave };
}
