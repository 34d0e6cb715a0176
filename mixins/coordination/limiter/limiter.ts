/** At most `limit` requests in any window of `windowMs`, a second or more. */
export interface Rate {
  limit: number;
  windowMs: number;
  /** Counted in each process while the shared counts cannot be reached. Without it such a request is `overloaded`. */
  isInsured?: boolean;
}

export interface Verdict {
  allowed: boolean;
  /** Requests that would pass right after this one. */
  remaining: number;
  /** Until the next request would pass; 0 when it would pass now. Whole milliseconds. */
  retryAfterMs: number;
  /** Until the whole limit is free again, without further requests. Whole milliseconds. */
  resetMs: number;
}

/** Rates and concurrency, counted by key. */
export interface Limiter {
  /** Counts one request if it passes; a refused one costs nothing. */
  consume(key: string, rate: Rate): Promise<Verdict>;
  /** Whether one more request would pass. Counts nothing. */
  peek(key: string, rate: Rate): Promise<Verdict>;
  /**
   * Takes one of `max` slots, as the function that releases it; null when all are taken. The slots of a dead process are free
   * after some 10 s. A holder that has a slot keeps it: work that another process resumes counts once.
   */
  acquire(key: string, max: number, holder?: string): Promise<(() => void) | null>;
}

/** An open limiter; `close` releases every slot that was taken here. */
export interface OpenLimiter extends Limiter {
  close(): Promise<void>;
}
