import { once } from "node:events";
import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { Lease } from "../../../mixins/coordination/leases/lease.ts";
import { pruneClaims } from "../../../mixins/store/idempotency.ts";
import type { ScraperContext } from "../context.ts";
import { resultId, type StoredScrape } from "../scrapes.store.ts";
import { sendEndNotice } from "./end-scrape.ts";
import { nextPriority, queueScrape } from "./scrape-async.ts";

const sliceSize = 100;

/** Continues what another process did not finish in time: queues a pending scrape, or sends the notice of an end. */
export async function reconcileOverdueScrapes(context: ScraperContext): Promise<void> {
  const query = { checkAt: { $lte: context.now() } };
  for (const scrape of await context.scrapes.find({ query, sort: ["checkAt"], limit: sliceSize }))
    await reconcile(context, scrape).catch(error => context.onError("scrape_repair.failed", error));
}

/** Queues the scrapes that dead nodes were running. */
export async function requeueScrapesOfDeadNodes(context: ScraperContext): Promise<void> {
  for (
    let holder = await holderAfter(context, "");
    holder !== undefined;
    holder = await holderAfter(context, holder)
  ) {
    const nodeId = holder;
    if (nodeId !== context.nodeId) await ifNodeIsDead(context, nodeId, () => requeueAllOf(context, nodeId));
  }
}

/** The next node that holds scrapes: one index lookup per node, however many scrapes it holds. */
async function holderAfter({ scrapes }: ScraperContext, nodeId: string): Promise<string | undefined> {
  const next = { query: { heldBy: { $gt: nodeId } }, sort: ["heldBy"], limit: 1 };
  return (await scrapes.find(next))[0]?.heldBy;
}

async function requeueAllOf(context: ScraperContext, heldBy: string): Promise<void> {
  for (;;) {
    const held = await context.scrapes.find({ query: { heldBy }, limit: sliceSize });
    for (const scrape of held) await requeue(context, scrape);
    if (held.length < sliceSize) return;
  }
}

async function reconcile(context: ScraperContext, scrape: StoredScrape): Promise<void> {
  if (scrape.status === "pending") await requeue(context, scrape);
  else await sendEndNotice(context, scrape._id);
}

/** Most of them are in the queue already; then this changes nothing. */
async function requeue(context: ScraperContext, scrape: StoredScrape): Promise<void> {
  await queueScrape(context, scrape, await nextPriority(context, scrape.keyId));
  await context.scrapes.updateMany(
    { _id: scrape._id, status: "pending" },
    { $unset: { heldBy: true, checkAt: true } },
  );
}

type LivenessContext = Pick<ScraperContext, "leases" | "nodeId">;

/**
 * Holds a lease as this node's sign of life; resolves once the other nodes can see it. A node that was paused or cut off
 * takes the lease again: its scrapes then run twice, and end once.
 */
export async function keepNodeAlive(
  context: LivenessContext & Pick<ScraperContext, "onError">,
  signal: AbortSignal,
): Promise<void> {
  const first = await context.leases.wait(leaseName(context.nodeId), signal);
  renewWhenLost(context, first, signal).catch(error => {
    if (!signal.aborted) context.onError("scraper_lease.failed", error);
  });
}

async function renewWhenLost(
  { leases, nodeId }: LivenessContext,
  first: Lease,
  signal: AbortSignal,
): Promise<void> {
  for (let lease = first; !signal.aborted; lease = await leases.wait(leaseName(nodeId), signal))
    if (!lease.signal.aborted) await once(lease.signal, "abort", { signal });
}

/** Runs the work if the node is dead, unless another node is doing it. */
async function ifNodeIsDead(
  { leases }: LivenessContext,
  nodeId: string,
  work: () => Promise<void>,
): Promise<void> {
  const lease = await leases.take(leaseName(nodeId));
  if (lease === null) return;
  try {
    await work();
  } finally {
    await lease.release();
  }
}

function leaseName(nodeId: string): string {
  return `scraper:${nodeId}`;
}

/** How long the service still answers 410 for an expired scrape. */
const tombstoneMs = 72 * 3_600_000;

/** Removes the results of expired scrapes, and later their records, in slices that let other work run in between. */
export async function pruneScrapes(context: ScraperContext): Promise<void> {
  const now = context.now();
  for (;;) {
    const query = { pruneAt: { $lte: now } };
    const due = await context.scrapes.find({ query, sort: ["pruneAt"], limit: sliceSize });
    await removeResults(
      context,
      due.filter(({ expiresAt, pruneAt }) => expiresAt === pruneAt),
    );
    await removeRecords(
      context,
      due.filter(({ expiresAt, pruneAt }) => expiresAt !== pruneAt),
    );
    if (due.length < sliceSize) return await pruneClaims(context.claims, now);
    await yieldToLoop();
  }
}

/** Keeps the record, which says that there was a scrape, and whose. */
async function removeResults({ scrapes, results }: ScraperContext, expired: StoredScrape[]): Promise<void> {
  await results.removeMany({ _id: { $in: expired.flatMap(allResults) } });
  for (const { _id, expiresAt = 0 } of expired)
    await scrapes.update(_id, {
      $set: { pruneAt: expiresAt + tombstoneMs, url: "" },
      $unset: { error: true, webhook: true, checkAt: true, readHash: true },
    });
}

/** Runs that lost the scrape may have left results as well. */
function allResults({ _id, fence }: StoredScrape): string[] {
  return Array.from({ length: fence + 1 }, (_, each) => resultId(_id, each));
}

async function removeRecords({ scrapes }: ScraperContext, buried: StoredScrape[]): Promise<void> {
  await scrapes.removeMany({ _id: { $in: buried.map(({ _id }) => _id) } });
}
