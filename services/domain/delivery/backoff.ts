import { retryAfterMs } from "../url/retry-after.ts";

/**
 * Delays after the first, second, … failure in a row, in milliseconds; the last one also applies to all later failures.
 */
export type Schedule = readonly number[];

/**
 * A random factor for a delay, 0.8 to 1.2, so that endpoints that failed together are not retried together. `random` is
 * uniform in [0, 1).
 */
export function jitter(random: () => number): number {
  return 0.8 + 0.4 * random();
}

/** The upper bound of `jitter`. */
const widestSpread = 1.2;

/** The delay after a number of failures (1 or more). */
export function delayAfter(failures: number, schedule: Schedule, spread: number): number {
  const delay = schedule[Math.min(failures, schedule.length) - 1] ?? 0;
  return Math.round(delay * spread);
}

/** The longest delay after a number of failures. */
export function longestDelayAfter(failures: number, schedule: Schedule): number {
  return delayAfter(failures, schedule, widestSpread);
}

/** Milliseconds before the first retry of an event. */
const firstRetryMs = 1_000;

/**
 * The delay before an event with so many failures (1 or more) is retried: a second, then the schedule. A schedule that
 * begins with less overrides the second.
 */
export function retryDelayAfter(failures: number, schedule: Schedule, spread: number): number {
  if (failures > 1) return delayAfter(failures - 1, schedule, spread);
  return Math.min(firstRetryMs, schedule[0] ?? 0);
}

/** The longest delay before a retry. */
export function longestRetryDelayAfter(failures: number, schedule: Schedule): number {
  return retryDelayAfter(failures, schedule, widestSpread);
}

/** The longest pause that a receiver gets. */
export const longestPauseMs = 3_600_000;

/** The pause that a receiver asks for by `Retry-After`, in milliseconds, at most an hour; 0 if it asks for none. */
export function receiverPauseMs(header: string | undefined, now: number): number {
  return Math.min(retryAfterMs(header, now) ?? 0, longestPauseMs);
}

/** Clocks may differ by this much, or be set back by it. */
const toleranceMs = 60_000;

/**
 * Whether a time is further ahead than it can have been set: then the clock was ahead and was corrected since, and
 * waiting for that time may take years. `longestMs` is how far ahead it may be set.
 */
export function isFarOff(at: number, now: number, longestMs: number): boolean {
  return at > now + longestMs + toleranceMs;
}
