/**
 * A value that is made when it is asked for, and let go when nobody has asked for `idleMs` milliseconds; `Infinity`
 * keeps it. For what is large and can be made again.
 */
export function whileUsed<T>(idleMs: number, make: () => T): () => T {
  let kept: { value: T } | undefined;
  let timer: NodeJS.Timeout | undefined;
  return () => {
    clearTimeout(timer);
    if (idleMs !== Infinity)
      timer = setTimeout(() => {
        kept = undefined;
      }, idleMs).unref();
    kept ??= { value: make() };
    return kept.value;
  };
}
