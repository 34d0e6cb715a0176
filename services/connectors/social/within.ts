/** Runs what ends with its signal: with the caller's, or when the time is over. No timer is left behind. */
export async function within<Answer>(
  ms: number,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error(`no answer in ${ms} ms`)), ms);
  try {
    return await run(AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}
