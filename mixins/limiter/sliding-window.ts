import { RateLimiterRes } from "rate-limiter-flexible";
import RateLimiterStore from "rate-limiter-flexible/lib/RateLimiterStoreAbstract.js";
import type { Rate } from "./limiter.ts";
import type { WindowLogs } from "./window-logs.ts";

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
 * The sliding window log, which rate-limiter-flexible lacks, as a store of it: a request passes when fewer than
 * `limit` passed in the window that ends with it. The logs are shared by all limiters, so that a key keeps its past
 * when its limit changes.
 */
export class SlidingWindow extends RateLimiterStore<Counted> {
  readonly #logs: WindowLogs;
  readonly #now: () => number;

  constructor({ limit, windowMs }: Rate, logs: WindowLogs, now: () => number) {
    super({ storeClient: logs, points: limit, duration: windowMs / 1000, keyPrefix: "" });
    this.#logs = logs;
    this.#now = now;
  }

  protected override async _upsert(key: string, points: number, msDuration: number): Promise<Counted> {
    const now = this.#now();
    const log = this.#logs.open(key, now);
    const count = log.take(points, this.points, Math.round(msDuration), now);
    return this.#counted(count, now, log.freeAt(this.points), log.emptyAt);
  }

  protected override async _get(key: string): Promise<Counted | null> {
    const now = this.#now();
    const log = this.#logs.peek(key);
    return log && this.#counted(log.size, now, log.freeAt(this.points), log.emptyAt);
  }

  protected override async _delete(key: string): Promise<boolean> {
    return this.#logs.delete(key);
  }

  protected override _getRateLimiterRes(_key: string, _points: number, counted: Counted): SlidingWindowRes {
    return new SlidingWindowRes(this.points, counted);
  }

  #counted(count: number, now: number, freeAt: number, emptyAt: number): Counted {
    return { count, retryAfterMs: msUntil(freeAt, now), resetMs: msUntil(emptyAt, now) };
  }
}

/** What a sum of fractions is off by, far below a millisecond, must not round up to a whole one. */
function msUntil(time: number, now: number): number {
  return Math.max(0, Math.ceil(time - now - 1e-3));
}
