import type { NewJob } from "./queue.ts";

const highestPriority = 2 ** 20;

/** Rejects what one of the drivers could not take, so that no code works with the other one only. */
export function checkJob({
  id,
  delayMs = 0,
  priority = 0,
  attempts = 1,
  backoffMs = [],
}: NewJob<unknown>): void {
  // BullMQ joins keys with colons, and counts for itself with whole numbers.
  if (!/^[^:]*[^:\d][^:]*$/.test(id)) throw new TypeError(`Not the id of a job: ${JSON.stringify(id)}`);
  const isWhole = (value: number, least: number, most = Number.MAX_SAFE_INTEGER) =>
    Number.isInteger(value) && value >= least && value <= most;
  if (!isWhole(priority, 0, highestPriority)) throw new TypeError(`Not a priority: ${priority}`);
  if (!isWhole(attempts, 1)) throw new TypeError(`Not a number of attempts: ${attempts}`);
  if (![delayMs, ...backoffMs].every(ms => isWhole(ms, 0)))
    throw new TypeError("Delays are whole milliseconds");
}

export function checkName(name: string): void {
  if (!/^[A-Za-z0-9-]+$/.test(name)) throw new TypeError(`Not the name of a queue: ${JSON.stringify(name)}`);
}
