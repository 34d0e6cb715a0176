import type { Limiter } from "./limiter.ts";

/** Concurrency slots of this process; a key without a taken slot holds no memory. */
export function slots(): Limiter["acquire"] {
  const taken = new Map<string, number>();
  return async (key, max) => {
    const count = taken.get(key) ?? 0;
    if (count >= max) return null;
    taken.set(key, count + 1);
    return once(() => giveBack(taken, key));
  };
}

function giveBack(taken: Map<string, number>, key: string): void {
  const count = taken.get(key) ?? 0;
  if (count > 1) taken.set(key, count - 1);
  else taken.delete(key);
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}
