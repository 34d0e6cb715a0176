/** Milliseconds. */
export const dayMs = 24 * 60 * 60 * 1000;
const backupPollMs = dayMs / 4;

/**
 * The next polling interval: it grows by a fifth of itself while nothing comes, so that a source is seen within a
 * fifth of the time that it was silent, and halves when something came; never longer than a quarter of the source's
 * own gap between posts, where that is known.
 */
export function nextInterval(
  previousMs: number,
  { found, gapMs = dayMs * 4, minMs }: { found: boolean; gapMs?: number; minMs: number },
): number {
  const wanted = Math.min(found ? previousMs / 2 : previousMs * 1.2, gapMs / 4);
  return Math.round(Math.min(dayMs, Math.max(minMs, wanted)));
}

/** The median gap between a feed's latest posts, and the time since the last where that is longer. */
export function usualGap(dates: string[], now: number): number | undefined {
  const times = dates.map(date => Date.parse(date)).filter(time => time <= now);
  const latest = times.sort((a, b) => b - a).slice(0, 11);
  const [last] = latest;
  if (last === undefined || latest.length < 3) return undefined;
  const gaps = latest
    .slice(1)
    .map((time, index) => (latest[index] ?? time) - time)
    .sort((a, b) => a - b);
  return Math.max(gaps[Math.floor(gaps.length / 2)] ?? 0, now - last);
}

/**
 * The polling interval of a feed whose hub tells what is new: a backup, slow, but never past the time at which the
 * lease has to be renewed.
 */
export function besideHub(intervalMs: number, lease: { renewInMs: number } | undefined): number {
  return lease ? Math.min(Math.max(intervalMs, backupPollMs), lease.renewInMs) : intervalMs;
}

/** A delay with up to a tenth more, so that sources which began together part. */
export function jittered(delayMs: number, random: number): number {
  return Math.round(delayMs * (1 + random / 10));
}

/** Doubles with each failure, up to a day; a source is never given up. */
export function backoff(failures: number, minMs: number): number {
  return Math.min(dayMs, minMs * 2 ** Math.min(failures, 40));
}
