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
 * The span of time, in milliseconds from now, in which the next poll is due. A tenth of room is left after a good poll,
 * so that those which fell together part; after failures the wait doubles, half of it open.
 */
export function nextPollWithin(
  { failures, gone, wantedMs }: PollOutcome,
  minIntervalMs: number,
): { fromMs: number; toMs: number } {
  if (gone) return { fromMs: maxIntervalMs, toMs: maxIntervalMs };
  const wanted = Math.min(Math.max(wantedMs, minIntervalMs), maxIntervalMs);
  if (failures === 0) return { fromMs: wanted, toMs: Math.min(wanted * 1.1, maxIntervalMs) };
  const ceiling = Math.min(minIntervalMs * 2 ** failures, Math.max(maxBackoffMs, minIntervalMs));
  return { fromMs: Math.max(wanted, ceiling / 2), toMs: Math.max(wanted, ceiling) };
}
