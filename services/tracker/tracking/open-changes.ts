import { isDeepStrictEqual } from "node:util";
import { fail } from "../../contracts/errors.ts";
import type { TrackerContext, TrackerStores } from "../context.ts";
import {
  type OpenChange,
  type StoredSource,
  type StoredSubscription,
  type StoredTally,
  viewOf,
} from "../sources.store.ts";
import { firstPoll } from "../watches/next-poll.ts";
import { addPendingUnfollow } from "./pending-unfollows.ts";
import { recount } from "./recount.ts";

/** Opens the change of a new subscription and takes a place of its key. `refuse` throws when the key has no place left. */
export async function openNew(
  context: TrackerContext,
  { keyId, _id, sourceId: to }: Pick<StoredSubscription, "_id" | "keyId" | "sourceId">,
  refuse: (tally: StoredTally | null) => void,
): Promise<OpenChange> {
  const change = { by: token(context), at: context.now(), to };
  await context.tallies.change(keyId, tally => {
    refuse(tally);
    return opened({ ...(tally ?? { _id: keyId }), sources: (tally?.sources ?? 0) + 1 }, _id, change);
  });
  return change;
}

/**
 * Opens the change of a subscription, which leaves its source and joins `to`, if that is given. Null when it
 * has ended. Throws `overloaded` while another change of it is open.
 */
export async function openFormer(
  context: TrackerContext,
  { keyId, _id }: Pick<StoredSubscription, "_id" | "keyId">,
  to?: string,
): Promise<OpenChange | null> {
  for (;;) {
    const before = await context.tallies.findById(keyId);
    const current = await context.subscriptions.findById(_id);
    if (!current) return null;
    const change = { by: token(context), at: context.now(), from: current.sourceId, ...(to && { to }) };
    let isOpen = false;
    await context.tallies.change(keyId, tally => {
      // A change that was closed meanwhile may have ended the subscription.
      isOpen = (tally?.closed ?? 0) === (before?.closed ?? 0);
      if (!isOpen) return undefined;
      const other = tally?.open?.[_id];
      if (!other) return opened(tally ?? { _id: keyId, sources: 1 }, _id, change);
      if (other.from !== change.from || other.to !== to) throw busy();
      return undefined;
    });
    if (isOpen) return change;
  }
}

function opened(tally: StoredTally, id: string, change: OpenChange): StoredTally {
  return { ...tally, open: { ...tally.open, [id]: change }, isOpen: true };
}

function token({ leaseTokens }: TrackerContext): string {
  const next = leaseTokens.next();
  if (next === null) throw fail("overloaded", "This service cannot change sources right now; try again.");
  return next;
}

function busy(): Error {
  return fail("overloaded", "Other requests are changing this source; try again.");
}

type Identity = Pick<StoredSubscription, "_id" | "keyId">;

/**
 * Does the writes of an open change, and settles it whatever happens. Returns the source that nobody tracks any more, too.
 * Null when the source that it joins has been deleted: then it has to be done again.
 */
export async function settled<Result>(
  context: TrackerContext,
  { keyId, _id }: Identity,
  change: OpenChange,
  work: () => Promise<Result | null>,
): Promise<{ result: Result | null; gone: StoredSource | null }> {
  try {
    const result = await work();
    const { gone, isLate } = await settle(context, keyId, _id);
    if (result === null || !isLate) return { result, gone };
    const { isThere, left } = await mend(context, { keyId, _id }, change);
    return { result: isThere ? result : null, gone: gone ?? left };
  } catch (error) {
    // If this fails, too, maintenance settles it.
    await settle(context, keyId, _id).catch(() => null);
    throw error;
  }
}

interface Settled {
  /** The deleted source, which its platform must unfollow. */
  gone: StoredSource | null;
  /** Others have settled it, or do so at this moment: they took the process that made the change for dead. */
  isLate: boolean;
}

/**
 * Ends an open change: a subscription that ends is removed, a source that nobody tracks is deleted, and the place of a
 * subscription that does not exist is given back. Repeating it does nothing.
 */
export async function settle(context: TrackerContext, keyId: string, id: string): Promise<Settled> {
  const change = (await context.tallies.findById(keyId))?.open?.[id];
  if (!change) return { gone: null, isLate: true };
  const { by, from, to } = change;
  if (to === undefined) await context.subscriptions.remove(id);
  const left = await context.subscriptions.findById(id);
  const isLate = to !== undefined && !(await leaveDoor(context, to, id, by));
  let gone: StoredSource | null = null;
  for (const sourceId of [from, to])
    if (sourceId !== undefined && sourceId !== left?.sourceId)
      gone = (await releaseSource(context, sourceId)) ?? gone;
  await context.tallies.change(keyId, tally => {
    const { [id]: open, ...others } = tally?.open ?? {};
    // A later change of the subscription may be open by now.
    if (!tally || open?.by !== by) return undefined;
    const { open: _open, isOpen: _isOpen, ...rest } = tally;
    const sources = left ? tally.sources : tally.sources - 1;
    const stillOpen = Object.keys(others).length > 0 ? { open: others, isOpen: true as const } : {};
    return { ...rest, sources, closed: (tally.closed ?? 0) + 1, ...stillOpen };
  });
  return { gone, isLate };
}

/** Makes whole what this process wrote after others had taken it for dead. Answers whether the joined source is there. */
async function mend(
  context: TrackerContext,
  { keyId, _id }: Identity,
  { by, from, to = "" }: OpenChange,
): Promise<{ isThere: boolean; left: StoredSource | null }> {
  // Who is about to delete the source checks again.
  const isThere = (await enterSource(context, to, _id)) !== null;
  if (!isThere && from === undefined) await context.subscriptions.remove(_id);
  await leaveDoor(context, to, _id, by);
  let left = await releaseSource(context, to);
  if (from !== undefined) left = (await releaseSource(context, from)) ?? left;
  await recount(context, keyId);
  return { isThere, left };
}

/** Settles the open changes that are over: their processes have died, or failed to settle them. */
export async function settleOver(
  context: TrackerContext,
  isOver: (change: OpenChange) => boolean,
): Promise<void> {
  for (const { _id: keyId, open = {} } of await context.tallies.find({ query: { isOpen: true } }))
    for (const [id, change] of Object.entries(open)) {
      if (!isOver(change)) continue;
      const { gone } = await settle(context, keyId, id);
      if (gone) context.onPendingUnfollow(gone);
    }
}

/**
 * A source as the subscription that joins it sees it: nobody deletes it until the change is settled. Null when it has been
 * deleted.
 */
export function enterSource(
  { sources }: Pick<TrackerStores, "sources">,
  sourceId: string,
  id?: string,
  refreshed: (source: StoredSource) => StoredSource = same => same,
): Promise<StoredSource | null> {
  return sources.change(
    sourceId,
    source => source && { ...refreshed(source), ...(id !== undefined && entered(source, id)) },
  );
}

/** What a source has while a subscription joins it. */
export function entered(
  { entries = 0, entering }: Pick<StoredSource, "entries" | "entering">,
  id: string,
): Pick<StoredSource, "entries" | "entering"> {
  return { entries: entries + 1, entering: { ...entering, [id]: true } };
}

/** A source that was made for the subscription is polled from now on. False when the subscription did not enter it, or no more. */
async function leaveDoor(
  context: TrackerContext,
  sourceId: string,
  id: string,
  by: string,
): Promise<boolean> {
  let hasEntered = false;
  await context.sources.change(sourceId, source => {
    const { [id]: mark, ...entering } = source?.entering ?? {};
    hasEntered = mark !== undefined;
    if (!source || !hasEntered) return undefined;
    const { entering: _, lease, ...rest } = source;
    const others = Object.keys(entering).length > 0 && { entering };
    if (lease !== by) return { ...rest, ...(lease !== undefined && { lease }), ...others };
    return { ...rest, ...others, dueAt: firstPoll(context, source.kind, viewOf(source)) };
  });
  return hasEntered;
}

/**
 * Deletes a source that no key tracks any more, and its state; null while one does, or joins it. A poll under way loses its
 * lease. The pending unfollow comes first, so that a crash leaves no source followed that nobody tracks.
 */
async function releaseSource(context: TrackerContext, sourceId: string): Promise<StoredSource | null> {
  for (;;) {
    const source = await context.sources.findById(sourceId);
    const isTracked = source?.entering ?? (await context.subscriptions.findOne({ sourceId }));
    if (isTracked) return null;
    if (source) await addPendingUnfollow(context, source);
    let isGone = source === null;
    await context.sources.change(sourceId, current => {
      isGone = !current || (source !== null && isDeepStrictEqual(current.entries, source.entries));
      return current && isGone ? null : undefined;
    });
    if (!isGone) continue;
    await context.states.remove(sourceId);
    await context.history.erase(sourceId);
    return source;
  }
}
