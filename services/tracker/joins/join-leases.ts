import { type TrackerContext, type TrackerStores, type TrackerTransaction, transact } from "../context.ts";
import { tokensOfSession } from "../maintenance/worker-session.ts";
import { collectLeased } from "../polling/due-sources.ts";
import type { StoredJoin } from "./joins.store.ts";

/** Longer than any step takes, since each of its calls has a deadline: if a lease expires, its process is dead. */
const leaseMs = 600_000;

/** A join request whose next step only the holder of the token may take. */
export type LeasedJoin = StoredJoin & { lease: string };

/** Leases at most `max` due requests, the longest overdue first. */
export async function leaseDueJoins(context: TrackerContext, max: number): Promise<LeasedJoin[]> {
  if (context.leaseTokens.next() === null) return [];
  const query = { dueAt: { $lte: context.now() } };
  const due = await context.joins.find({ query, sort: ["dueAt"], limit: max });
  return collectLeased(due.map(({ _id }) => leaseJoin(context, _id)));
}

/** When the next request is due, in milliseconds; null without any. */
export async function nextJoinAt({ joins }: TrackerStores): Promise<number | null> {
  const [next] = await joins.find({ sort: ["dueAt"], limit: 1 });
  return next?.dueAt ?? null;
}

/** Releases the leases of a dead session. */
export async function releaseJoinLeases({ joins, now }: TrackerContext, session: string): Promise<void> {
  await joins.updateMany(
    { lease: tokensOfSession(session) },
    { $set: { dueAt: now() }, $unset: { lease: true } },
  );
}

/** Runs `work` in a transaction, unless another process has taken the request over. Returns whether it ran. */
export function writeUnderLease(
  context: TrackerContext,
  { _id, lease }: LeasedJoin,
  work: (tx: TrackerTransaction, join: StoredJoin) => void,
): Promise<boolean> {
  return transact(context, tx => {
    const join = tx.joins.findById(_id);
    if (join?.lease !== lease) return false;
    work(tx, join);
    return true;
  });
}

function leaseJoin(context: TrackerContext, id: string): Promise<LeasedJoin | null> {
  return transact(context, ({ joins }) => {
    const join = joins.findById(id);
    const lease = context.leaseTokens.next();
    if (!join || lease === null || join.dueAt > context.now()) return null;
    joins.updateById(id, { $set: { lease, dueAt: context.now() + leaseMs } });
    return { ...join, lease };
  });
}
