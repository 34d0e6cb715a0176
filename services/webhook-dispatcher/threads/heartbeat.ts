/** A thread may be busy with a write to a slow disk for some seconds. */
const mostUnanswered = 3;

/**
 * Asks a thread once a period whether it still works, and calls `onSilent` when three periods have brought no answer. Periods
 * are counted, and not time: a machine that slept makes no thread silent. Returns the function that ends it.
 */
export function watchHeartbeat(
  ask: () => Promise<unknown>,
  everyMs: number,
  onSilent: () => void,
): () => void {
  let unanswered = 0;
  const answered = () => {
    unanswered = 0;
  };
  const timer = setInterval(() => {
    if (unanswered === mostUnanswered) {
      clearInterval(timer);
      onSilent();
      return;
    }
    // What is asked of a thread that ends meanwhile fails; its end is told elsewhere.
    if (unanswered === 0) ask().then(answered, answered);
    unanswered += 1;
  }, everyMs).unref();
  return () => clearInterval(timer);
}
