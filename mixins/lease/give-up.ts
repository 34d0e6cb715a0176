import { within } from "../queue/within.ts";
import type { Lease, ShareWatch } from "./lease.ts";

const drainMs = 5000;

/** Lets the member end what it does with a shard, then lets others have it. */
export async function giveUp(shard: number, lease: Lease, { lost }: ShareWatch): Promise<void> {
  await within(drainMs, [Promise.resolve(lost(shard))]);
  await lease.release();
}
