import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Limiter, Rate, Verdict } from "./limiter.ts";

const ratesKept = 1000;

/** A limiter of rate-limiter-flexible. It rejects with its answer when it refuses a request. */
interface Window {
  consume(key: string, points: number): Promise<RateLimiterRes>;
}

/** Counts by one limiter for each rate in use. The limiters hold no counts, so they can be dropped at any time. */
export function byRate(make: (rate: Rate) => Window): Pick<Limiter, "consume" | "peek"> {
  const windows = new Map<string, Window>();
  let last: { rate: Rate; window: Window } | undefined;
  const windowOf = (rate: Rate) => {
    if (last === undefined || !isSame(last.rate, rate)) last = { rate, window: windowNamed(rate) };
    return last.window;
  };
  const windowNamed = (rate: Rate) => {
    const name = `${rate.limit}/${rate.windowMs}/${rate.isInsured}`;
    const known = windows.get(name);
    if (known) return known;
    if (windows.size >= ratesKept) windows.clear();
    const window = make(rate);
    windows.set(name, window);
    return window;
  };
  return {
    consume: (key, rate) => consume(windowOf(rate), key),
    peek: async (key, rate) => {
      const { remaining, ...rest } = await consume(windowOf(rate), key, 0);
      return { ...rest, remaining, allowed: remaining > 0 };
    },
  };
}

function isSame(one: Rate, other: Rate): boolean {
  return one.limit === other.limit && one.windowMs === other.windowMs && one.isInsured === other.isInsured;
}

async function consume(window: Window, key: string, points = 1): Promise<Verdict> {
  try {
    return verdict(true, (await window.consume(key, points)) as SlidingWindowRes);
  } catch (refusal) {
    if (refusal instanceof SlidingWindowRes) return verdict(false, refusal);
    throw refusal;
  }
}

function verdict(allowed: boolean, answer: SlidingWindowRes): Verdict {
  return {
    allowed,
    remaining: answer.remainingPoints,
    retryAfterMs: answer.msBeforeNext,
    resetMs: answer.resetMs,
  };
}

interface Counted {
  count: number;
  retryAfterMs: number;
  resetMs: number;
}

/** rate-limiter-flexible's answer and the time until the whole limit is free again. */
export class SlidingWindowRes extends RateLimiterRes {
  readonly resetMs: number;

  constructor(limit: number, { count, retryAfterMs, resetMs }: Counted) {
    super(Math.max(limit - count, 0), retryAfterMs, count, count === 1);
    this.resetMs = resetMs;
  }
}

/**
 * The sliding window log, in place of the fixed window that rate-limiter-flexible has in memory: a request passes when fewer
 * than `limit` passed in the window that ends with it. All limiters share the logs, so a key keeps its past when its limit
 * changes.
 */
export class SlidingWindow extends RateLimiterMemory {
  readonly #windowMs: number;
  readonly #logs: WindowLogs;
  readonly #now: () => number;

  constructor({ limit, windowMs }: Rate, logs: WindowLogs, now: () => number) {
    super({ points: limit, duration: windowMs / 1000, keyPrefix: "" });
    this.#windowMs = windowMs;
    this.#logs = logs;
    this.#now = now;
  }

  /** As in that package, rejects with the answer when it refuses the request. */
  override async consume(key: string, points = 1): Promise<SlidingWindowRes> {
    const now = this.#now();
    const log = this.#logs.open(key, now);
    const count = log.take(points, this.points, this.#windowMs, now);
    const answer = new SlidingWindowRes(this.points, {
      count,
      retryAfterMs: msUntil(log.freeAt(this.points), now),
      resetMs: msUntil(log.emptyAt, now),
    });
    if (count > this.points) throw answer;
    return answer;
  }
}

/** The rounding error of a sum of fractions, far below a millisecond, must not round up to a whole one. */
function msUntil(time: number, now: number): number {
  return Math.max(0, Math.ceil(time - now - 1e-3));
}

/** The logs of all keys. Each use checks two others and drops empty ones, so there is no timer and no growth. */
export class WindowLogs {
  readonly #logs = new Map<string, WindowLog>();
  #round = this.#logs.entries();

  open(key: string, now: number): WindowLog {
    this.#tidy(now);
    this.#tidy(now);
    const known = this.#logs.get(key);
    if (known) return known;
    const log = new WindowLog();
    this.#logs.set(key, log);
    return log;
  }

  get size(): number {
    return this.#logs.size;
  }

  #tidy(now: number): void {
    const { value } = this.#round.next();
    if (!value) this.#round = this.#logs.entries();
    else if (value[1].emptyAt <= now) this.#logs.delete(value[0]);
  }
}

/** Times of the passed requests of one key that still count, oldest first. */
class WindowLog {
  #times: number[] = [];
  #head = 0;
  #windowMs = 0;

  /** Counts `points` requests at `now` if they stay within `limit`; returns the count including refused ones. */
  take(points: number, limit: number, windowMs: number, now: number): number {
    this.#windowMs = windowMs;
    this.#forget(now - windowMs);
    const count = this.size + points;
    if (count <= limit) for (let n = 0; n < points; n += 1) this.#times.push(now);
    return count;
  }

  get size(): number {
    return this.#times.length - this.#head;
  }

  /** When fewer than `limit` requests count. */
  freeAt(limit: number): number {
    if (this.size < limit) return 0;
    return (this.#times[this.#times.length - limit] ?? -Infinity) + this.#windowMs;
  }

  /** When no request counts any more. */
  get emptyAt(): number {
    return (this.#times[this.#times.length - 1] ?? -Infinity) + this.#windowMs;
  }

  /** A request counts for exactly the window's length: one at `t` is gone at `t + windowMs`. */
  #forget(until: number): void {
    while (this.#head < this.#times.length && (this.#times[this.#head] as number) <= until) this.#head += 1;
    if (this.#head < 64 || this.#head * 2 < this.#times.length) return;
    this.#times = this.#times.slice(this.#head);
    this.#head = 0;
  }
}
