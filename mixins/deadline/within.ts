/**
 * Runs what ends with its signal: with the caller's, or with a `TimeoutError` when the time is over. Nothing is left
 * behind, where `AbortSignal.timeout` keeps what listens to it until its time is over.
 */
export async function within<Answer>(
  ms: number,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new DOMException(`no answer in ${ms} ms`, "TimeoutError")), ms);
  try {
    return await run(AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}
