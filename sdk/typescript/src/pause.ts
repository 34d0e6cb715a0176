/** A timer of more milliseconds ends at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Waits so many milliseconds, at most 24 days; rejects with the reason of the signal as soon as that is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      },
      Math.min(ms, longestTimerMs),
    );
    signal?.addEventListener("abort", stop, { once: true });
  });
}

const longestMs = 30_000;

/**
 * The milliseconds to wait after so many failures in a row, counted from 0: twice as long each time, at most half a minute.
 * A half of it is random, so that clients do not come back together.
 */
export function backoff(failures: number, firstMs = 500): number {
  return Math.min(longestMs, firstMs * 2 ** failures) * (0.5 + Math.random() / 2);
}
