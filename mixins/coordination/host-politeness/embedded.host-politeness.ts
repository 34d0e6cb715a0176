import {
  type Answer,
  type HostLimits,
  type OpenHostPoliteness,
  waitUntilAllowed,
} from "./host-politeness.ts";

interface Host {
  running: number;
  /** Waiting requests, in the order of arrival. */
  waiting: Set<symbol>;
  /** By the clock of `performance`. */
  nextRequestAt: number;
}

/** Above this number, hosts without requests or a pause are removed. */
const maxHosts = 1000;

/** The host politeness of one process. */
export function openEmbeddedHostPoliteness(now: () => number = () => performance.now()): OpenHostPoliteness {
  const hosts = new Map<string, Host>();
  const closing = new AbortController();
  const hostOf = (name: string) => {
    const known = hosts.get(name);
    if (known) return known;
    if (hosts.size >= maxHosts) forgetIdle(hosts, now());
    const fresh: Host = { running: 0, waiting: new Set(), nextRequestAt: 0 };
    hosts.set(name, fresh);
    return fresh;
  };
  return {
    acquire: async (name, limits, signal) => {
      const host = hostOf(name);
      const request = Symbol(name);
      host.waiting.add(request);
      const until = AbortSignal.any([signal, closing.signal]);
      try {
        await waitUntilAllowed(async () => judge(host, request, limits, now()), until, rethrow);
      } finally {
        host.waiting.delete(request);
      }
      return once(() => {
        host.running -= 1;
      });
    },
    backOff: async (name, ms) => {
      const host = hostOf(name);
      host.nextRequestAt = Math.max(host.nextRequestAt, now() + ms);
    },
    close: async () => closing.abort(new Error("Host politeness is closed")),
  };
}

function judge(host: Host, request: symbol, { width, spacingMs }: HostLimits, now: number): Answer {
  if (host.nextRequestAt > now) return Math.ceil(host.nextRequestAt - now);
  const before = [...host.waiting].indexOf(request);
  if (host.running + before >= width) return "full";
  host.running += 1;
  host.waiting.delete(request);
  if (spacingMs > 0) host.nextRequestAt = now + spacingMs;
  return 0;
}

function forgetIdle(hosts: Map<string, Host>, now: number): void {
  for (const [name, { running, waiting, nextRequestAt }] of hosts)
    if (running === 0 && waiting.size === 0 && nextRequestAt <= now) hosts.delete(name);
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) action();
    isDone = true;
  };
}

/** In one process, asking cannot fail. */
function rethrow(error: unknown): never {
  throw error;
}
