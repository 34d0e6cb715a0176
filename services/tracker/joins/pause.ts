const shortestMs = 1000;
const longestMs = 3_600_000;

/**
 * Milliseconds until it is looked again whether somebody has decided: a quarter of the time that has passed, so that a
 * decision is seen in time by its own measure, and seven days take some two hundred looks.
 */
export function pauseMs(passedMs: number): number {
  return Math.min(Math.max(passedMs / 4, shortestMs), longestMs);
}
