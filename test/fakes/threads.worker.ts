/** Tasks that behave well and badly. */
import { getHeapStatistics } from "node:v8";
import { threadId } from "node:worker_threads";
import { serveTasks } from "../../mixins/runtime/thread-worker.ts";
import { fail } from "../../services/contracts/errors.ts";

let isWarm = false;

const tasks = {
  warm: (_: null) => {
    isWarm = true;
  },
  isWarm: (_: null) => isWarm,
  who: (_: null) => threadId,
  echo: (value: unknown) => value,
  refuse: (sentence: string) => {
    throw fail("unsupported_media_type", sentence, { content_type: "x/y" });
  },
  break: (_: null) => {
    throw new TypeError("broken");
  },
  /** Computes for ever, and says so. */
  spin: (flag: Int32Array) => {
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
    for (;;);
  },
  /** Leaves much garbage; tells from now on how large the heap is, in MB, and answers how large it is now. */
  litter: (told: Int32Array) => {
    const kept = Array.from({ length: 200_000 }, (_, n) => Array.from({ length: 100 }, (_, at) => n + at));
    setInterval(() => Atomics.store(told, 0, heapMb()), 50).unref();
    return kept.length && heapMb();
  },
  grow: (_: null) => {
    const kept: string[][] = [];
    for (let n = 0; ; n += 1) kept.push(Array.from({ length: 1000 }, (_, at) => `${n}.${at}`));
  },
};

const heapMb = () => getHeapStatistics().total_heap_size >> 20;

export type ThreadTasks = typeof tasks;

export default serveTasks(tasks);
