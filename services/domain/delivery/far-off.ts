/** Clocks disagree by as much, and are set back by as much, and nothing is wrong. */
const toleranceMs = 60_000;

/**
 * Whether a time lies further ahead than it can have been set: then the clock was ahead of itself, and has been set right
 * since. Whoever waits for such a time may wait for years. `longestMs` is how far ahead of its own present it may be set.
 */
export function isFarOff(at: number, now: number, longestMs: number): boolean {
  return at > now + longestMs + toleranceMs;
}
