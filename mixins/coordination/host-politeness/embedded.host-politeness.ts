import { withAny } from "../../async/timeout.ts";
import {
  type Answer,
  type HostLimits,
  type OpenHostPoliteness,
  pace,
  waitUntilAllowed,
} from "./host-politeness.ts";

interface Host {
  running: number;
  /** Waiting requests, in the order of arrival. */
  waiting: Set<symbol>;
  /** Milliseconds of `performance.now()`. */
  nextRequestAt: number;
  /** Until then the host has asked for a pause. */
  pausedUntil: number;
  paceMs: number;
  paceUntil: number;
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
    const times = { nextRequestAt: 0, pausedUntil: Number.NEGATIVE_INFINITY, paceMs: 0, paceUntil: 0 };
    const fresh: Host = { running: 0, waiting: new Set(), ...times };
    hosts.set(name, fresh);
    return fresh;
  };
  return {
    acquire: async (name, limits, signal) => {
      const host = hostOf(name);
      const request = Symbol(name);
      host.waiting.add(request);
      const ask = async () => judge(host, request, limits, now());
      try {
        await withAny([signal, closing.signal], until => waitUntilAllowed(ask, until, rethrow));
      } finally {
        host.waiting.delete(request);
      }
      return once(() => {
        host.running -= 1;
      });
    },
    backOff: async (name, ms) => pause(hostOf(name), ms, now()),
    close: async () => closing.abort(new Error("Host politeness is closed")),
  };
}

function judge(host: Host, request: symbol, { width, spacingMs }: HostLimits, now: number): Answer {
  if (host.nextRequestAt > now) return Math.ceil(host.nextRequestAt - now);
  const before = [...host.waiting].indexOf(request);
  if (host.running + before >= width) return "full";
  host.running += 1;
  host.waiting.delete(request);
  const paceMs = paceOf(host, now);
  const waitMs = Math.max(spacingMs, paceMs);
  if (waitMs > 0) host.nextRequestAt = now + waitMs;
  setPace(host, Math.floor(paceMs * pace.easing), now);
  return 0;
}

function pause(host: Host, ms: number, now: number): void {
  const longestMs = Math.min(Math.max(2 * ms, pace.first), pace.longest);
  if (now >= host.pausedUntil)
    setPace(host, Math.min(2 * paceOf(host, now) || pace.first, longestMs), now + ms);
  host.pausedUntil = Math.max(host.pausedUntil, now + ms);
  host.nextRequestAt = Math.max(host.nextRequestAt, host.pausedUntil);
}

function paceOf({ paceMs, paceUntil }: Host, now: number): number {
  return now < paceUntil ? paceMs : 0;
}

function setPace(host: Host, ms: number, now: number): void {
  host.paceMs = ms < pace.shortest ? 0 : ms;
  host.paceUntil = now + pace.keptMs;
}

function forgetIdle(hosts: Map<string, Host>, now: number): void {
  for (const [name, host] of hosts) {
    const { running, waiting, nextRequestAt } = host;
    const isIdle = running === 0 && waiting.size === 0 && nextRequestAt <= now;
    if (isIdle && paceOf(host, now) === 0) hosts.delete(name);
  }
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
