import type { SourceKind } from "../../contracts/source.ts";
import { type TrackerClock, type TrackerContext, type TrackerTransaction, transact } from "../context.ts";
import { tokensOfSession } from "../maintenance/worker-session.ts";
import { isSocial, shortestMs } from "../source-kinds.ts";
import { inAnyView, type StoredSource, viewOf } from "../sources.store.ts";
import { isOutsideSchedule, withinSchedule } from "../watches/next-poll.ts";

/** A lease dies with its process, so the write need not survive a loss of power. */
const survives = "end of process";

/** Longer than any poll takes: if a lease expires, its process is dead. */
export const leaseMs = 90_000;

/** Sources that are leased at once. */
const batchSize = 64;
/** In a cluster, each process picks at random among this many times as many: others lease from the same list. */
const candidatesPerPick = 4;
/** Spreads, in milliseconds, the processes that wait for the same source: the first takes it. */
const jitterMs = 100;

/** A source that only the holder of its token may poll. */
export type LeasedSource = StoredSource & {
  lease: string;
  /** Unix milliseconds, because the log compares it with its own clock. */
  leaseUntil: number;
};

/** Leases at most `max` due sources, roughly the longest overdue first, and no more than one batch. */
export async function leaseDueSources(context: TrackerContext, max: number): Promise<LeasedSource[]> {
  if (context.leaseTokens.next() === null) return [];
  const { isShared } = context.sources;
  const wanted = Math.min(max, batchSize);
  const query = { dueAt: { $lte: context.now() } };
  const limit = isShared ? wanted * candidatesPerPick : wanted;
  const found = await context.sources.find({ query, sort: ["dueAt"], limit });
  const due = await withoutClosed(context, found);
  const picked = isShared ? randomPick(due, wanted, context.random) : due;
  return collectLeased(picked.map(({ _id }) => leaseSource(context, _id, isDue)));
}

/** Postpones the sources whose schedules do not permit a poll now, as after a standstill, and returns the others. */
async function withoutClosed(context: TrackerContext, due: StoredSource[]): Promise<StoredSource[]> {
  const now = context.now();
  const closed = new Set(due.filter(source => isOutsideSchedule(source, now)));
  for (const source of closed) {
    const dueAt = withinSchedule(context, viewOf(source).schedule, now);
    const isUnchanged = { _id: source._id, dueAt: source.dueAt };
    await context.sources.updateMany(isUnchanged, { $set: { dueAt }, $unset: { lease: true } });
  }
  return due.filter(source => !closed.has(source));
}

/**
 * Leases one source if it is wanted and free and this process may take leases. Each lease is a transaction of its own
 * on one document.
 */
export function leaseSource(
  context: TrackerContext,
  id: string,
  isWanted: (source: StoredSource, now: number) => boolean = () => true,
): Promise<LeasedSource | null> {
  return transact(
    context,
    tx => {
      const source = tx.sources.findById(id);
      const token = context.leaseTokens.next();
      const isOurs = source && isIdle(source, context.now()) && isWanted(source, context.now());
      return isOurs && token !== null ? takeLease(context, tx, source, token) : null;
    },
    survives,
  );
}

/** When the next source is due, in milliseconds; null without sources. */
export async function nextDueAt({ sources, random }: TrackerContext): Promise<number | null> {
  const [next] = await sources.find({ sort: ["dueAt"], limit: 1 });
  return next ? next.dueAt + (sources.isShared ? Math.floor(random() * jitterMs) : 0) : null;
}

/** Reschedules a poll that did not run; the source is not to blame. */
export async function postponePoll(
  context: TrackerContext,
  { _id, lease }: LeasedSource,
  dueAt: number,
): Promise<void> {
  const release = ({ sources }: TrackerTransaction) => {
    if (sources.findById(_id)?.lease === lease)
      sources.updateById(_id, { $set: { dueAt }, $unset: { lease: true } });
  };
  await transact(context, release, survives);
}

/** Releases the leases of a dead session. */
export async function releaseSourceLeases({ sources, now }: TrackerContext, session: string): Promise<void> {
  await sources.updateMany(
    { lease: tokensOfSession(session) },
    { $set: { dueAt: now() }, $unset: { lease: true } },
  );
}

/**
 * Leaves out those that another process took first. Rejects only if none was leased and a lease failed: what was leased
 * must be polled.
 */
export async function collectLeased<Leased>(leasing: Promise<Leased | null>[]): Promise<Leased[]> {
  const outcomes = await Promise.allSettled(leasing);
  const failed = outcomes.find(({ status }) => status === "rejected");
  const leased = outcomes.flatMap(each =>
    each.status === "fulfilled" && each.value !== null ? each.value : [],
  );
  if (leased.length === 0 && failed) throw (failed as PromiseRejectedResult).reason;
  return leased as Leased[];
}

function randomPick<Item>(items: Item[], count: number, random: () => number): Item[] {
  const drawn = items.map(item => ({ item, lot: random() })).sort((a, b) => a.lot - b.lot);
  return drawn.slice(0, count).map(({ item }) => item);
}

function isDue({ dueAt }: StoredSource, now: number): boolean {
  return dueAt <= now;
}

function isIdle({ lease, dueAt }: StoredSource, now: number): boolean {
  return lease === undefined || dueAt <= now;
}

function takeLease(
  { now }: TrackerClock,
  { sources }: TrackerTransaction,
  source: StoredSource,
  token: string,
): LeasedSource {
  sources.updateById(source._id, { $set: { lease: token, dueAt: now() + leaseMs } });
  return { ...source, lease: token, leaseUntil: Date.now() + leaseMs };
}

/** Makes a source due as soon as its shortest interval allows; answers whether anyone tracks it. */
export async function pollSoon(
  context: TrackerContext,
  { kind, externalId }: { kind: SourceKind; externalId: string },
): Promise<{ isTracked: boolean }> {
  const views = await context.sources.find({ query: inAnyView({ kind, externalId }) });
  const outcomes = await Promise.all(views.map(({ _id }) => makeDue(context, _id)));
  return { isTracked: outcomes.some(isTracked => isTracked) };
}

function makeDue(context: TrackerContext, id: string): Promise<boolean> {
  return transact(context, ({ sources }) => {
    const source = sources.findById(id);
    if (!source) return false;
    const { kind } = source;
    const earliest = Math.max(context.now(), source.polledAt + shortestMs(context, kind));
    const soon = withinSchedule(context, viewOf(source).schedule, earliest);
    // The poll under way may have read the source before it changed.
    if (source.lease !== undefined) sources.updateById(source._id, { $set: { again: true } });
    // A hint about a page may come from a stranger, so it does not shorten a backoff. That a connection to a platform
    // is back is our own knowledge.
    else if ((source.failures === 0 || isSocial(kind)) && soon < source.dueAt)
      sources.updateById(source._id, { $set: { dueAt: soon } });
    return true;
  });
}
