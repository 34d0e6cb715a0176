/** The answer of `ask`, which is asked again `forMs` after it answered, and never twice at a time. Errors are not remembered. */
export function remembered<Answer>(
  ask: () => Promise<Answer>,
  forMs: number,
  now: () => number = Date.now,
): () => Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  let isAsking = false;
  let answeredAt = 0;
  return () => {
    const isRecent = Math.abs(now() - answeredAt) < forMs;
    if (answer && (isAsking || isRecent)) return answer;
    isAsking = true;
    answer = ask();
    answer.then(
      () => {
        isAsking = false;
        answeredAt = now();
      },
      () => {
        isAsking = false;
        answer = undefined;
      },
    );
    return answer;
  };
}

/**
 * A value that is made when it is asked for, and let go when nobody has asked for `idleMs` milliseconds; `Infinity`
 * keeps it. For what is large and can be made again; `onReleased` is called when it is let go.
 */
export function whileUsed<T>(idleMs: number, make: () => T, onReleased?: () => void): () => T {
  let kept: { value: T } | undefined;
  let timer: NodeJS.Timeout | undefined;
  return () => {
    clearTimeout(timer);
    if (idleMs !== Infinity)
      timer = setTimeout(() => {
        kept = undefined;
        onReleased?.();
      }, idleMs).unref();
    kept ??= { value: make() };
    return kept.value;
  };
}
