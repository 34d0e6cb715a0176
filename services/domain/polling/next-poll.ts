const hourMs = 3_600_000;
export const maxIntervalMs = 24 * hourMs;
/** Failures never space polls further apart than this: a source that is back is noticed on the same day. */
const maxBackoffMs = 6 * hourMs;

export interface PollOutcome {
  /** Failed polls in a row, this one among them; 0 after a good one. */
  failures: number;
  gone: boolean;
  /** What the source's hints and habits ask for after a good poll, or its `Retry-After` after a failed one. */
  wantedMs: number;
}

/**
 * Milliseconds until the next poll. A tenth of jitter is added after a good poll, so that sources which were tracked
 * together drift apart; after failures the wait doubles, half of it random. `random` is from 0 to below 1.
 */
export function nextPollInMs(outcome: PollOutcome, minIntervalMs: number, random: number): number {
  const { failures, gone, wantedMs } = outcome;
  if (gone) return maxIntervalMs;
  const wanted = Math.min(Math.max(wantedMs, minIntervalMs), maxIntervalMs);
  if (failures === 0) return Math.round(Math.min(wanted * (1 + random / 10), maxIntervalMs));
  const ceiling = Math.min(minIntervalMs * 2 ** failures, Math.max(maxBackoffMs, minIntervalMs));
  return Math.round(Math.max(wanted, ceiling * (0.5 + random / 2)));
}
