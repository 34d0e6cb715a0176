import { AsyncLocalStorage } from "node:async_hooks";

/** Work that may have caused a crash of the process. */
export interface Suspect {
  /** Records that a process crashed during this work; `isNamed`: that the error came from it. */
  blame(isNamed: boolean): Promise<void>;
}

const current = new AsyncLocalStorage<Suspect>();
const running = new Set<Suspect>();

/** Runs work. An unhandled error of its callbacks, even a later one, is attributed to it. */
export async function underSuspicion<T>(suspect: Suspect, work: () => Promise<T>): Promise<T> {
  running.add(suspect);
  try {
    return await current.run(suspect, work);
  } finally {
    running.delete(suspect);
  }
}

/**
 * Call it where an unhandled error arrives: blames the work that the error came from. For an error of no known work, the
 * first one blames all running work, later ones none. Work is blamed once.
 */
export async function blameForCrash(isFirst: boolean): Promise<void> {
  const culprit = current.getStore();
  const isNamed = culprit !== undefined && running.has(culprit);
  const blamed = isNamed ? [culprit] : isFirst ? [...running] : [];
  for (const suspect of blamed) running.delete(suspect);
  await Promise.allSettled(blamed.map(suspect => suspect.blame(isNamed)));
}
