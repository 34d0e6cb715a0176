import { writeFileSync } from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { isMainThread } from "node:worker_threads";

const RealDate = Date;
const realTimeout = setTimeout;
const realInterval = setInterval;

/**
 * A clock that runs as the machine's, and leaps: from `since` (ms) on, every `everyMs` by `leapMs`. Between two leaps limits
 * such as five seconds for an answer are what they are, and only what is under way at a leap sees time pass.
 */
export interface LeapingClock {
  since: number;
  everyMs: number;
  leapMs: number;
}

function leapsUntil(real: number, { since, everyMs }: LeapingClock): number {
  return Math.max(0, Math.floor((real - since) / everyMs));
}

/** Lets `Date` of this process follow the clock. Processes with the same one agree on the time. */
export function followClock(clock: LeapingClock): void {
  const now = () => RealDate.now() + leapsUntil(RealDate.now(), clock) * clock.leapMs;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length > 0 ? values : [now()], newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, name, receiver) => (name === "now" ? now : Reflect.get(target, name, receiver)),
  });
}

/** Shorter ones are ticks and pauses between tries. */
const shortestWaitMs = 1000;
/** A whole number of seconds up to this is a limit for something of the real world, such as an answer from a network. */
const longestLimitMs = 30_000;

/** Whether a timer waits for a time of the clock, which a leap may bring. */
export function waitsForClock(ms: number | undefined): ms is number {
  return ms !== undefined && ms >= shortestWaitMs && !(ms <= longestLimitMs && ms % 1000 === 0);
}

/** What Node's timers keep of themselves: `refresh` begins anew with `_idleTimeout`. */
type Timer = NodeJS.Timeout & { _idleTimeout: number; _destroyed: boolean };

const waiting = new Set<WeakRef<Timer>>();
const startedAt = new WeakMap<Timer, number>();

function noted(timer: Timer, ms: number | undefined): Timer {
  if (!waitsForClock(ms)) return timer;
  startedAt.set(timer, performance.now());
  waiting.add(new WeakRef(timer));
  return timer;
}

/** Timers whose time has come with a leap go off at once, and the others so much earlier. */
function leap(leapMs: number): void {
  for (const each of waiting) {
    const timer = each.deref();
    if (!timer || timer._destroyed) waiting.delete(each);
    else {
      const began = startedAt.get(timer) ?? 0;
      timer._idleTimeout = Math.max(1, timer._idleTimeout - (performance.now() - began) - leapMs);
      startedAt.set(timer, performance.now());
      timer.refresh();
    }
  }
}

type Start = (work: () => void, ms?: number, ...values: unknown[]) => Timer;

function followTimers({ since, everyMs, leapMs }: LeapingClock): void {
  const require = createRequire(import.meta.url);
  const timers = require("node:timers") as Record<string, unknown>;
  const promises = require("node:timers/promises") as Record<string, unknown>;
  const start = (take: unknown) =>
    Object.assign(
      (...[work, ms, ...values]: Parameters<Start>) => noted((take as Start)(work, ms, ...values), ms),
      take,
    );
  for (const place of [globalThis as unknown as Record<string, unknown>, timers])
    for (const name of ["setTimeout", "setInterval"]) place[name] = start(place[name]);
  const { setTimeout: sleep } = promises as { setTimeout: (...given: unknown[]) => Promise<unknown> };
  promises.setTimeout = (ms?: number, value?: unknown, options?: { signal?: AbortSignal; ref?: boolean }) =>
    waitsForClock(ms) ? sleepUntilClock(ms, value, options) : sleep(ms, value, options);
  syncBuiltinESMExports();
  let done = leapsUntil(RealDate.now(), { since, everyMs, leapMs });
  const look = () => {
    const due = leapsUntil(RealDate.now(), { since, everyMs, leapMs });
    if (due > done) leap((due - done) * leapMs);
    done = due;
  };
  realInterval(look, 100).unref();
}

function sleepUntilClock(
  ms: number,
  value: unknown,
  { signal, ref = true }: { signal?: AbortSignal; ref?: boolean } = {},
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve(value);
    }, ms);
    if (!ref) timer.unref();
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}

/** What a process holds, as it says itself now and then. */
export interface Holding {
  timers: number;
  handles: number;
}

const tellMs = 1000;

function tellHolding(path: string): void {
  const kinds = process.getActiveResourcesInfo();
  const timers = kinds.filter(kind => kind === "Timeout").length;
  writeFileSync(path, JSON.stringify({ timers, handles: kinds.length - timers } satisfies Holding));
  realTimeout(tellHolding, tellMs, path).unref();
}

// Imported before a program, with its clock and a file for what it holds as the search of this module's address.
const { searchParams } = new URL(import.meta.url);
const file = searchParams.get("file");
if (file) {
  const [since = 0, everyMs = 1, leapMs = 0] = ["since", "everyMs", "leapMs"].map(name =>
    Number(searchParams.get(name)),
  );
  followClock({ since, everyMs, leapMs });
  followTimers({ since, everyMs, leapMs });
  if (isMainThread) tellHolding(file);
}
