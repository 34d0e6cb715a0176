import { updateIf } from "../../../mixins/store/update-if.ts";
import type { SourceKind } from "../../contracts/source.ts";
import type { TrackerContext } from "../context.ts";
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

/** Postpones the sources whose views do not permit a poll now, as after a standstill, and returns the others. */
async function withoutClosed(context: TrackerContext, due: StoredSource[]): Promise<StoredSource[]> {
  const now = context.now();
  const closed = new Set(due.filter(source => isOutsideSchedule(source, now)));
  for (const source of closed) {
    const dueAt = withinSchedule(context, viewOf(source), now);
    const isUnchanged = { _id: source._id, dueAt: source.dueAt };
    await context.sources.updateMany(isUnchanged, { $set: { dueAt }, $unset: { lease: true } });
  }
  return due.filter(source => !closed.has(source));
}

/** Leases one source if it is wanted and free and this process may take leases. */
export async function leaseSource(
  context: TrackerContext,
  id: string,
  isWanted: (source: StoredSource, now: number) => boolean = () => true,
): Promise<LeasedSource | null> {
  const lease = context.leaseTokens.next();
  if (lease === null) return null;
  let leaseUntil = 0;
  const isOurs = (source: StoredSource) =>
    isIdle(source, context.now()) && isWanted(source, context.now()) && context.leaseTokens.isGood(lease);
  const take = ({ fence = 0 }: StoredSource) => {
    leaseUntil = Date.now() + leaseMs;
    return { $set: { lease, dueAt: context.now() + leaseMs, fence: fence + 1 } };
  };
  const source = await updateIf(context.sources, id, isOurs, take, survives).catch(async error => {
    // Perhaps the answer is lost, and not the write: nobody would poll the source until the lease ends.
    await postponePoll(context, { _id: id, lease }, context.now()).catch(() => undefined);
    throw error;
  });
  return source && { ...source, lease, leaseUntil };
}

/** When the next source is due, in milliseconds; null without sources. */
export async function nextDueAt({ sources, random }: TrackerContext): Promise<number | null> {
  const [next] = await sources.find({ sort: ["dueAt"], limit: 1 });
  return next ? next.dueAt + (sources.isShared ? Math.floor(random() * jitterMs) : 0) : null;
}

/** Reschedules a poll that did not run; the source is not to blame. */
export async function postponePoll(
  context: TrackerContext,
  { _id, lease }: Pick<LeasedSource, "_id" | "lease">,
  dueAt: number,
): Promise<void> {
  const isHeld = (source: StoredSource) => source.lease === lease;
  await updateIf(context.sources, _id, isHeld, { $set: { dueAt }, $unset: { lease: true } }, survives);
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

/** Makes a source due as soon as its shortest interval allows; answers whether anyone tracks it. */
export async function pollSoon(
  context: TrackerContext,
  { kind, externalId }: { kind: SourceKind; externalId: string },
): Promise<{ isTracked: boolean }> {
  const views = await context.sources.find({ query: inAnyView({ kind, externalId }) });
  const outcomes = await Promise.all(views.map(({ _id }) => makeDue(context, _id)));
  return { isTracked: outcomes.some(isTracked => isTracked) };
}

async function makeDue(context: TrackerContext, id: string): Promise<boolean> {
  const source = await context.sources.change(id, current => {
    if (!current) return undefined;
    const { kind, dueAt, failures, lease, polledAt } = current;
    const earliest = Math.max(context.now(), polledAt + shortestMs(context, kind));
    const soon = withinSchedule(context, viewOf(current), earliest);
    // The poll under way may have read the source before it changed.
    if (lease !== undefined) return { ...current, again: true };
    // A hint about a page may come from a stranger, so it does not shorten a backoff. That a connection to a platform
    // is back is our own knowledge.
    if ((failures === 0 || isSocial(kind)) && soon < dueAt) return { ...current, dueAt: soon };
    return undefined;
  });
  return source !== null;
}
