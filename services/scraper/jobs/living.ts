import { once } from "node:events";
import type { Lease } from "../../../mixins/lease/lease.ts";
import type { JobsRoom } from "./room.ts";

type House = Pick<JobsRoom, "leases" | "nodeId">;

/**
 * Says that this node lives, for as long as it does; resolves once the others can see it. One that was thought dead,
 * since it was stopped or cut off for a while, says so again: what it held is then done twice, and ends once.
 */
export async function live(jobs: House & Pick<JobsRoom, "onError">, signal: AbortSignal): Promise<void> {
  const first = await jobs.leases.wait(nameOf(jobs.nodeId), signal);
  goOn(jobs, first, signal).catch(error => {
    if (!signal.aborted) jobs.onError("scraper.taken_for_dead", error);
  });
}

async function goOn({ leases, nodeId }: House, first: Lease, signal: AbortSignal): Promise<void> {
  for (let lease = first; !signal.aborted; lease = await leases.wait(nameOf(nodeId), signal))
    if (!lease.signal.aborted) await once(lease.signal, "abort", { signal });
}

/** Does something for a node that has died; nothing when it lives, or when another one does it for it. */
export async function forTheDead(
  { leases }: House,
  nodeId: string,
  work: () => Promise<void>,
): Promise<void> {
  const lease = await leases.take(nameOf(nodeId));
  if (lease === null) return;
  try {
    await work();
  } finally {
    await lease.release();
  }
}

function nameOf(nodeId: string): string {
  return `scraper:${nodeId}`;
}
