import { setTimeout as sleep } from "node:timers/promises";

const tickMs = 10;

/**
 * Milliseconds that the main thread of this process computed at most between two ticks of its loop during some work, and
 * the result of the work. It is processor time: what others on the machine take does not count.
 */
export async function longestHold<Result>(
  work: () => Promise<Result>,
): Promise<{ heldMs: number; result: Result }> {
  let last = process.threadCpuUsage();
  let heldMs = 0;
  const look = () => {
    const { user, system } = process.threadCpuUsage(last);
    last = process.threadCpuUsage();
    heldMs = Math.max(heldMs, (user + system) / 1000);
  };
  const ticks = setInterval(look, tickMs);
  try {
    const result = await work();
    // What held the loop last is seen at the tick behind it.
    await sleep(2 * tickMs);
    look();
    return { heldMs, result };
  } finally {
    clearInterval(ticks);
  }
}
