/** Tasks that behave well and badly. */
import { serveTasks } from "../../mixins/threads/serve-tasks.ts";
import { fail } from "../../services/contracts/errors.ts";

const tasks = {
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
  grow: (_: null) => {
    const kept: string[][] = [];
    for (let n = 0; ; n += 1) kept.push(Array.from({ length: 1000 }, (_, at) => `${n}.${at}`));
  },
};

export type ThreadTasks = typeof tasks;

export default serveTasks(tasks);
