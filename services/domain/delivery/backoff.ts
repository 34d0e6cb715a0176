/** Delays after the first, second, … failure in a row, in milliseconds; the last one stands for all later ones. */
export type Schedule = readonly number[];

/**
 * How far a delay is stretched or shortened, 0.8 to 1.2, so that endpoints which failed together are not tried
 * together. `random` is uniform in [0, 1).
 */
export function jitter(random: () => number): number {
  return 0.8 + 0.4 * random();
}

/** What `jitter` stays below. */
const widestSpread = 1.2;

/** The delay after a number of failures (1 or more). */
export function delayAfter(failures: number, schedule: Schedule, spread: number): number {
  const delay = schedule[Math.min(failures, schedule.length) - 1] ?? 0;
  return Math.round(delay * spread);
}

/** What the delay after a number of failures does not exceed. */
export function longestDelayAfter(failures: number, schedule: Schedule): number {
  return delayAfter(failures, schedule, widestSpread);
}
