import type { Courtesy, OpenManners } from "./manners.ts";
import { type Answer, waitForWelcome } from "./wait-for-welcome.ts";

interface Host {
  visits: number;
  /** Those who wait, in the order in which they came. */
  line: Set<symbol>;
  /** By the clock of `performance`. */
  nextVisitAt: number;
}

/** Hosts that are remembered before those with nothing to remember are forgotten. */
const manyHosts = 1000;

/** Manners of one process. */
export function openEmbeddedManners(now: () => number = () => performance.now()): OpenManners {
  const hosts = new Map<string, Host>();
  const closing = new AbortController();
  const hostOf = (name: string) => {
    const known = hosts.get(name);
    if (known) return known;
    if (hosts.size >= manyHosts) forgetIdle(hosts, now());
    const fresh: Host = { visits: 0, line: new Set(), nextVisitAt: 0 };
    hosts.set(name, fresh);
    return fresh;
  };
  return {
    enter: async (name, courtesy, signal) => {
      const host = hostOf(name);
      const visitor = Symbol(name);
      host.line.add(visitor);
      const until = AbortSignal.any([signal, closing.signal]);
      try {
        await waitForWelcome(async () => judge(host, visitor, courtesy, now()), until, fault);
      } finally {
        host.line.delete(visitor);
      }
      return once(() => {
        host.visits -= 1;
      });
    },
    leaveAlone: async (name, ms) => {
      const host = hostOf(name);
      host.nextVisitAt = Math.max(host.nextVisitAt, now() + ms);
    },
    close: async () => closing.abort(new Error("The manners are closed")),
  };
}

function judge(host: Host, visitor: symbol, { width, spacingMs }: Courtesy, now: number): Answer {
  if (host.nextVisitAt > now) return Math.ceil(host.nextVisitAt - now);
  const before = [...host.line].indexOf(visitor);
  if (host.visits + before >= width) return "full";
  host.visits += 1;
  host.line.delete(visitor);
  if (spacingMs > 0) host.nextVisitAt = now + spacingMs;
  return 0;
}

function forgetIdle(hosts: Map<string, Host>, now: number): void {
  for (const [name, { visits, line, nextVisitAt }] of hosts)
    if (visits === 0 && line.size === 0 && nextVisitAt <= now) hosts.delete(name);
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) action();
    isDone = true;
  };
}

/** Nothing in this process can fail to answer. */
function fault(error: unknown): never {
  throw error;
}
