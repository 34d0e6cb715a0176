import { totalmem } from "node:os";

const ampleBytes = 4 * 1024 ** 3;

/** Whether the machine, or the container where that has a limit, has memory to spare for speed. */
export function hasAmpleMemory(): boolean {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity) >= ampleBytes;
}
