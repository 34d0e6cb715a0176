import { setTimeout as pause } from "node:timers/promises";
import type { Leases } from "../../mixins/lease/lease.ts";

/** Milliseconds. */
const everyMs = 600_000;

/** Does the upkeep of what all trackers share, now and every ten minutes until the signal, in one process of all. */
export async function keepUp(
  { wait }: Pick<Leases, "wait">,
  upkeep: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const lease = await wait("tracker/upkeep", signal).catch(error => {
      if (!signal.aborted) throw error;
    });
    if (!lease) return;
    const held = AbortSignal.any([signal, lease.signal]);
    while (!held.aborted) {
      await upkeep(held);
      await pause(everyMs, undefined, { signal: held }).catch(() => undefined);
    }
    await lease.release();
  }
}
