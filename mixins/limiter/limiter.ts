/** At most `limit` requests in any window of `windowMs`, a second or more. */
export interface Rate {
  limit: number;
  windowMs: number;
}

export interface Verdict {
  allowed: boolean;
  /** Requests that would pass right after this one. */
  remaining: number;
  /** Until the next request would pass; 0 when it would now. Whole milliseconds. */
  retryAfterMs: number;
  /** Until the whole limit is free again, if nothing more comes. Whole milliseconds. */
  resetMs: number;
}

/** Rates and concurrency, counted by key. */
export interface Limiter {
  /** Counts one request, if it passes; a refused one costs nothing. */
  consume(key: string, rate: Rate): Promise<Verdict>;
  /**
   * One of `max` slots, as the function that gives it back; null when all are taken. A process that dies gives back what
   * it has, some 10 s later.
   */
  acquire(key: string, max: number): Promise<(() => void) | null>;
}

/** A limiter that is open; `close` gives back every slot that was taken here. */
export interface OpenLimiter extends Limiter {
  close(): Promise<void>;
}
