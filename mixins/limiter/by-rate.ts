import type { RateLimiterAbstract } from "rate-limiter-flexible";
import type { Limiter, Rate, Verdict } from "./limiter.ts";
import { SlidingWindowRes } from "./sliding-window.ts";

const ratesKept = 1000;

/** Counts by one limiter for each rate in use; they hold no counts, so they can be forgotten at any time. */
export function byRate(make: (rate: Rate) => RateLimiterAbstract): Limiter["consume"] {
  const windows = new Map<string, RateLimiterAbstract>();
  const windowOf = (rate: Rate) => {
    const name = `${rate.limit}/${rate.windowMs}`;
    const known = windows.get(name);
    if (known) return known;
    if (windows.size >= ratesKept) windows.clear();
    const window = make(rate);
    windows.set(name, window);
    return window;
  };
  return (key, rate) => consume(windowOf(rate), key);
}

/** rate-limiter-flexible rejects with its answer when the request is refused. */
async function consume(window: RateLimiterAbstract, key: string): Promise<Verdict> {
  try {
    return verdict(true, (await window.consume(key)) as SlidingWindowRes);
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
