/** Settles with the work, or rejects with the signal's reason when that comes first; the work itself may go on. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.finally(() => signal.removeEventListener("abort", onAbort)).then(resolve, reject);
  });
}
