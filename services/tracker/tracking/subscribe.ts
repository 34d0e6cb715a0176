import type { Caller, KeyLimits } from "../../contracts/caller.ts";
import { fail } from "../../contracts/errors.ts";
import type { SourceKind } from "../../contracts/source.ts";
import type { WatchChanges } from "../../contracts/watch.contract.ts";
import type { TrackerContext } from "../context.ts";
import type { StoredSource, StoredSubscription } from "../sources.store.ts";
import type { OwnOptions } from "../watches/views.ts";
import type { Held } from "./named-source.ts";
import { openFormer, openNew, settled } from "./open-changes.ts";
import { eraseUnreadable, joinedPast, movePast, type ReadablePast } from "./past.ts";
import { cancelPendingUnfollow } from "./pending-unfollows.ts";

/** The key that tracks a source, with its limit. */
export type Tracker = Pick<Caller, "keyId"> & {
  limits: Pick<KeyLimits, "trackedSources">;
  /** The kind that the request named. */
  askedAs?: SourceKind;
  /** The monitor that it is tracked for. */
  monitor?: string;
  /** Replace those of the key; without them the former ones stay, null removes them. */
  own?: OwnChanges;
};

/** Changes of the options that each key has for itself. */
export type OwnChanges = { [Name in keyof OwnOptions]: OwnOptions[Name] | null };

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
 * The source; marked as one that a subscription joins, when its id and the token of its change are given. Null when it does
 * not exist.
 */
export type Enter = (id?: string, by?: string) => Promise<StoredSource | null>;

/**
 * Subscribes a key to a source; earlier posts are not delivered. A key that tracks another view of it leaves that one. Null
 * when the source does not exist any more.
 */
export async function subscribe(
  context: TrackerContext,
  tracker: Tracker,
  sourceId: string,
  enter: Enter,
  held: Held | null,
): Promise<Tracking | null> {
  const { keyId, own } = tracker;
  const former =
    (held && (await context.subscriptions.findById(held.subscription._id))) ??
    (await context.subscriptions.findOne({ keyId, sourceId }));
  if (!former) return join(context, tracker, sourceId, enter);
  if (former.sourceId !== sourceId) return move(context, former, sourceId, enter, own);
  const source = await enter();
  const subscription = source && (await retagged(context, former, own));
  return source && subscription && { source, subscription, isNew: false };
}

async function join(
  context: TrackerContext,
  tracker: Tracker,
  sourceId: string,
  enter: Enter,
): Promise<Tracking | null> {
  const { keyId, askedAs, own } = tracker;
  const at = context.now();
  const identity = { _id: context.newId(at), keyId, sourceId };
  const change = await openNew(context, identity, tally => refuseFull(tracker, tally));
  const { result } = await settled(context, identity, change, async () => {
    const source = await enter(identity._id, change.by);
    if (!source) return null;
    await cancelPendingUnfollow(context, source);
    const subscription = await context.subscriptions.insert({
      ...identity,
      kind: source.kind,
      ...(askedAs !== undefined && askedAs !== source.kind && { askedAs }),
      ...withOwn({}, own),
      createdAt: new Date(at).toISOString(),
      ...joinedPast(source, { _id: identity._id, readsFrom: at }),
    });
    return { source, subscription, isNew: true };
  });
  return result;
}

/** A subscription keeps its age and its place in the tally. */
async function move(
  context: TrackerContext,
  former: StoredSubscription,
  sourceId: string,
  enter: Enter,
  own: OwnChanges | undefined,
): Promise<Tracking | null> {
  const change = await openFormer(context, former, sourceId);
  if (!change) return null;
  const { result, gone } = await settled(context, former, change, async () => {
    const source = await enter(former._id, change.by);
    if (!source) return null;
    await cancelPendingUnfollow(context, source);
    const past = await movePast(context, former, source);
    const subscription = await context.subscriptions.change(
      former._id,
      current => current && movedTo(withOwn(current, own), source, past),
    );
    return subscription && { source, subscription, isNew: false };
  });
  if (result && !gone) await eraseUnreadable(context, former.sourceId);
  return result && { ...result, ...(gone && { gone }) };
}

function movedTo(
  { ownFrom: _, ...subscription }: StoredSubscription,
  { _id: sourceId, kind }: StoredSource,
  past: ReadablePast,
): StoredSubscription {
  return { ...subscription, sourceId, kind, ...past };
}

/** Gives a subscription other options of its own; what is not named stays, null removes it. Null when it has ended. */
export function retagged(
  { subscriptions }: Pick<TrackerContext, "subscriptions">,
  { _id }: StoredSubscription,
  own: OwnChanges | undefined,
): Promise<StoredSubscription | null> {
  return subscriptions.change(_id, current => current && withOwn(current, own));
}

/** The options of a key's own among those of a request. */
export function ownAmong({ tags, keep, edits }: WatchChanges): { own?: OwnChanges } {
  const own = {
    ...(tags !== undefined && { tags }),
    ...(keep !== undefined && { keep }),
    ...(edits !== undefined && { edits }),
  };
  return Object.keys(own).length > 0 ? { own } : {};
}

function withOwn<Of extends OwnOptions>(
  { tags, keep, edits, ...subscription }: Of,
  own: OwnChanges = {},
): Of {
  const after = { tags, keep, edits, ...own };
  return {
    ...subscription,
    ...(after.tags && { tags: after.tags }),
    ...(after.keep && Object.keys(after.keep).length > 0 && { keep: after.keep }),
    ...(after.edits && { edits: true }),
  } as Of;
}

/** Throws when the key has reached its limit. */
export function refuseFull({ limits: { trackedSources } }: Tracker, tally: { sources: number } | null): void {
  if ((tally?.sources ?? 0) < trackedSources) return;
  const message = `This API key tracks ${trackedSources} sources, which is as many as allowed. Stop tracking one first.`;
  throw fail("forbidden", message);
}
