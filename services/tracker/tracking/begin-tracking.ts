import { randomUUID } from "node:crypto";
import type { Caller, KeyLimits } from "../../contracts/caller.ts";
import type { ResolvedSource } from "../../contracts/connectors.contract.ts";
import { fail } from "../../contracts/errors.ts";
import type { SourceKind } from "../../contracts/source.ts";
import type { View } from "../../contracts/watch.contract.ts";
import type { Platforms } from "../connectors.ts";
import { type TrackerClock, type TrackerContext, type TrackerTransaction, transact } from "../context.ts";
import { isSocial } from "../source-kinds.ts";
import {
  type Address,
  inAnyView,
  type StoredSource,
  type StoredSubscription,
  storedId,
} from "../sources.store.ts";
import { firstPoll } from "../watches/next-poll.ts";
import { viewKey } from "../watches/views.ts";
import { catchUp, lookOnce } from "./catch-up.ts";
import { type Held, heldAt } from "./named-source.ts";
import { addPendingUnfollow, addressKey, cancelPendingUnfollow } from "./pending-unfollows.ts";
import { releaseSource } from "./untrack.ts";

/**
 * Subscribes the key to a source that is already tracked under exactly this address and healthy, without asking the
 * platform; null when there is none.
 */
export async function joinKnown(
  context: TrackerContext,
  tracker: Tracker,
  kind: SourceKind,
  externalId: string,
  view: View = {},
): Promise<Tracking | null> {
  const address = { kind, externalId };
  const stored = { kind, externalId: storedId(externalId, viewKey(view)) };
  const known = await context.sources.findOne({ ...stored, health: "ok" });
  if (!known) return null;
  await catchUp(context, tracker, known);
  return inTurn(context, tracker, address, known._id, former =>
    transact(context, tx => {
      const source = sourceOf(tx, known);
      return source ? subscribe(context, tx, tracker, source, former) : null;
    }),
  );
}

/**
 * Does `enter` when no other request changes the subscriptions to an address, with the view of it that the key tracks. If
 * that is another one than `next`, it is looked at for the last time before: what was new until now is told.
 */
async function inTurn<Result extends Tracking | null>(
  context: TrackerContext,
  { keyId }: Tracker,
  address: Address,
  next: string | undefined,
  enter: (former: Held | null) => Promise<Result>,
): Promise<Result> {
  const held = () =>
    isSocial(address.kind) ? null : heldAt(context, keyId, address.kind, address.externalId);
  const before = await held();
  if (before && before.source._id !== next) await lookOnce(context, before.source);
  // Never at the same time as an unfollow of this source.
  const done = await context.mutex.run(addressKey(address), async () => enter(await held()));
  if (done) context.onRetagged(keyId);
  if (done?.gone) context.onPendingUnfollow(done.gone);
  return done;
}

/** Tracks a source that a platform has resolved; `alongside` runs in the same transaction. */
export async function beginTracking(
  context: TrackerContext,
  tracker: Tracker,
  resolved: ResolvedSource,
  platforms: Pick<Platforms, "follow">,
  alongside: (tx: TrackerTransaction, tracking: Tracking) => void = () => undefined,
  view: View = {},
): Promise<Tracking> {
  const { kind, externalId } = resolved;
  const wanted = { ...resolved, externalId: storedId(externalId, viewKey(view)) };
  const known = await context.sources.findOne({ kind, externalId: wanted.externalId });
  if (known) await catchUp(context, tracker, known);
  // The transaction may run several times; the id stays the same.
  const newId = randomUUID();
  return inTurn(context, tracker, { kind, externalId }, known?._id, async former => {
    const hasSiblings = !isSocial(kind) && (await markSiblings(context, { kind, externalId }, wanted));
    const enter = () =>
      transact(context, tx => {
        const source =
          refreshed(context, tx, wanted) ??
          insertSource(context, tx, newId, { ...wanted, view, hasSiblings });
        cancelPendingUnfollow(tx, source);
        const tracking = subscribe(context, tx, tracker, source, former);
        alongside(tx, tracking);
        return tracking;
      });
    return isSocial(kind) ? following(context, tracker, resolved, platforms, enter) : enter();
  });
}

/** Lets the other views of an address know of a new one; false when there are none. */
async function markSiblings(
  { sources }: TrackerContext,
  address: Address,
  { externalId }: ResolvedSource,
): Promise<boolean> {
  const others = (await sources.find({ query: inAnyView(address) })).filter(
    each => each.externalId !== externalId,
  );
  const unmarked = others.filter(({ hasSiblings }) => !hasSiblings).map(({ _id }) => _id);
  if (unmarked.length > 0)
    await sources.updateMany({ _id: { $in: unmarked } }, { $set: { hasSiblings: true } });
  return others.length > 0;
}

/**
 * Has the platform follow a source before it is tracked, so that every tracked source is followed. A pending unfollow
 * is stored first: if anything fails in between, it makes the platform unfollow again.
 */
async function following(
  context: TrackerContext,
  tracker: Tracker,
  { kind, externalId }: ResolvedSource,
  platforms: Pick<Platforms, "follow">,
  enter: () => Promise<Tracking>,
): Promise<Tracking> {
  if (await context.sources.findOne({ kind, externalId })) return enter();
  const source = { kind, externalId };
  refuseFull(tracker, await context.tallies.findById(tracker.keyId));
  await transact(context, tx => addPendingUnfollow(tx, source));
  try {
    await platforms.follow(source);
    return await enter();
  } catch (error) {
    context.onPendingUnfollow(source);
    throw error;
  }
}

function sourceOf(
  { sources }: TrackerTransaction,
  { kind, externalId }: Pick<ResolvedSource, "kind" | "externalId">,
): StoredSource | undefined {
  return sources.find({ query: { kind, externalId }, limit: 1 })[0];
}

/** The source if it is tracked already, updated to its present handle and name. */
function refreshed(
  { now }: TrackerClock,
  tx: TrackerTransaction,
  resolved: ResolvedSource,
): StoredSource | null | undefined {
  const source = sourceOf(tx, resolved);
  const { kind, username, name } = resolved;
  if (!source || !isSocial(kind) || (source.username === username && source.name === name)) return source;
  const updatedAt = new Date(now()).toISOString();
  return tx.sources.updateById(source._id, { $set: { username, name, updatedAt } });
}

function insertSource(
  context: TrackerContext,
  { sources, states }: TrackerTransaction,
  _id: string,
  { kind, externalId, username, name, state, view, hasSiblings }: NewSource,
): StoredSource {
  const now = context.now();
  states.insert({ _id, state });
  return sources.insert({
    _id,
    kind,
    externalId,
    username,
    name,
    updatedAt: new Date(now).toISOString(),
    health: "ok",
    failures: 0,
    dueAt: firstPoll(context, kind, view),
    polledAt: now,
    ...(viewKey(view) !== "" && { view: JSON.stringify(view) }),
    ...(hasSiblings && { hasSiblings }),
  });
}

type NewSource = ResolvedSource & { view: View; hasSiblings: boolean };

/** The key that tracks a source, with its limit. */
export type Tracker = Pick<Caller, "keyId"> & {
  limits: Pick<KeyLimits, "trackedSources">;
  /** The kind that the request named. */
  askedAs?: SourceKind;
  /** Replace the key's tags; without them the former ones stay, null removes them. */
  tags?: string[] | null;
};

export interface Tracking {
  source: StoredSource;
  /** The key's own. */
  subscription: StoredSubscription;
  /** False when the key tracks the source already. */
  isNew: boolean;
  /** The view that the key tracked before, if nobody tracks it any more. */
  gone?: StoredSource;
}

/**
 * Subscribes a key to a source within a transaction; earlier posts are not delivered. A key that tracks another view of
 * it leaves that one.
 */
function subscribe(
  { now, newId }: TrackerContext,
  tx: TrackerTransaction,
  tracker: Tracker,
  source: StoredSource,
  held: Held | null,
): Tracking {
  const { keyId, askedAs, tags } = tracker;
  const query = { keyId, sourceId: source._id };
  const former =
    (held && tx.subscriptions.findById(held.subscription._id)) ??
    tx.subscriptions.find({ query, limit: 1 })[0];
  if (former) return moved(tx, former, source, tags);
  takePlace(tx, tracker);
  const at = now();
  const subscription = tx.subscriptions.insert({
    _id: newId(at),
    keyId,
    sourceId: source._id,
    kind: source.kind,
    ...(askedAs !== undefined && askedAs !== source.kind && { askedAs }),
    ...(tags && { tags }),
    createdAt: new Date(at).toISOString(),
  });
  return { source, subscription, isNew: true };
}

/** A subscription keeps its age and its place in the tally. */
function moved(
  tx: TrackerTransaction,
  former: StoredSubscription,
  source: StoredSource,
  tags: string[] | null | undefined,
): Tracking {
  const subscription = retagged(tx, former, tags);
  if (former.sourceId === source._id) return { source, subscription, isNew: false };
  tx.subscriptions.updateById(former._id, { $set: { sourceId: source._id, kind: source.kind } });
  const gone = releaseSource(tx, former.sourceId);
  return { source, subscription, isNew: false, ...(gone && { gone }) };
}

/** Gives a subscription other tags; without any they stay, null removes them. */
export function retagged(
  { subscriptions }: TrackerTransaction,
  subscription: StoredSubscription,
  tags: string[] | null | undefined,
): StoredSubscription {
  if (tags === undefined) return subscription;
  const update = tags === null ? { $unset: { tags: true as const } } : { $set: { tags } };
  return subscriptions.updateById(subscription._id, update) ?? subscription;
}

/** Exact under any concurrency: a refusal undoes the transaction, and the tally with it. */
function takePlace({ tallies }: TrackerTransaction, tracker: Tracker): void {
  const { sources } = tallies.upsertById(tracker.keyId, { $inc: { sources: 1 } });
  refuseFull(tracker, { sources: sources - 1 });
}

/** Throws when the key has reached its limit. */
function refuseFull({ limits: { trackedSources } }: Tracker, tally: { sources: number } | null): void {
  if ((tally?.sources ?? 0) < trackedSources) return;
  const message = `This API key tracks ${trackedSources} sources, which is as many as allowed. Stop tracking one first.`;
  throw fail("forbidden", message);
}
