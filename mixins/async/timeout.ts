/** Made once: to make such an error, with its stack, takes longer than all else here. */
const settled = new DOMException("the work has settled", "AbortError");

/**
 * Runs work that ends with a signal: with one of the callers', or with a `TimeoutError` when the time is over. Leaves nothing
 * behind, where `AbortSignal.timeout` keeps its listeners until its time is over: the signal fires as well when the work
 * has settled, for what it has left over. As there, the timer keeps no process alive.
 */
export async function withTimeout<Answer>(
  ms: number,
  signals: AbortSignal | AbortSignal[],
  run: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new DOMException(`no answer in ${ms} ms`, "TimeoutError")), ms);
  timer.unref();
  try {
    return await withAny([signals].flat(), run, late);
  } finally {
    clearTimeout(timer);
    late.abort(settled);
  }
}

/**
 * Runs work that ends with any of some signals. Leaves nothing behind, where signals remember what `AbortSignal.any` has
 * made of them until that is collected as garbage.
 */
export async function withAny<Answer>(
  signals: AbortSignal[],
  run: (signal: AbortSignal) => Promise<Answer>,
  ending = new AbortController(),
): Promise<Answer> {
  const listeners = signals.map(signal => {
    const end = () => ending.abort(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
    return () => signal.removeEventListener("abort", end);
  });
  try {
    return await run(ending.signal);
  } finally {
    for (const remove of listeners) remove();
  }
}

/** Settles with the work, or with what `late` returns or throws when the time is over first; the work itself continues. */
export async function within<Result, Late>(
  ms: number,
  work: Promise<Result>,
  late: () => Late,
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined;
  const timeIsOver = new Promise<void>(resolve => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([work, timeIsOver.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves when all have settled, or when the time is over. */
export async function settledWithin(ms: number, all: Iterable<Promise<unknown>>): Promise<void> {
  await within(ms, Promise.allSettled(all), () => undefined);
}

/** Settles with the work, or rejects with the signal's reason when that comes first; the work itself continues. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.finally(() => signal.removeEventListener("abort", onAbort)).then(resolve, reject);
  });
}

/** As `Promise.all`, but rejects (with the first error of the list) only when all have ended: nothing continues behind the error. */
export async function allEnded<Result>(all: readonly Promise<Result>[]): Promise<Result[]> {
  const outcomes = await Promise.allSettled(all);
  return outcomes.map(outcome => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
}
