import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const worthCollectingBytes = 32 << 20;

/**
 * Collects the garbage of this thread's heap. V8 collects when something is allocated, so a thread without work would
 * keep what its last work left.
 */
export class GarbageCollector {
  #keptBytes = 0;

  /**
   * Collects where the heap has grown enough since the last time to be worth the pause, or something large was released. The
   * first time, after a start or a warm-up, and after a release, it takes three times as long and gives back some 9 MB more.
   */
  collectIfWorthIt(): void {
    const isThorough = this.#keptBytes === 0 || hasReleased;
    if (!hasReleased && heapBytes() < this.#keptBytes + worthCollectingBytes) return;
    hasReleased = false;
    collectGarbage(isThorough ? "last-resort" : "regular");
    this.#keptBytes = heapBytes();
  }
}

/** In this thread, since its last collection. */
let hasReleased = false;

/**
 * Says that this thread holds something large no longer. What lies outside the heap, as shared memory does, does not make the
 * heap grow, so that nothing else would have it collected.
 */
export function noteRelease(): void {
  hasReleased = true;
}

function heapBytes(): number {
  return getHeapStatistics().total_heap_size;
}

/** Node has `gc` only behind a flag, which a thread cannot be started with. */
function collectGarbage(flavor: "regular" | "last-resort"): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (how: object) => void;
  collect({ type: "major", execution: "sync", flavor });
}
