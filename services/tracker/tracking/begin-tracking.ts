import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Caller, KeyLimits } from "../../contracts/caller.ts";
import type { ResolvedSource } from "../../contracts/connectors.contract.ts";
import { fail } from "../../contracts/errors.ts";
import type { SourceKind } from "../../contracts/source.ts";
import { isUnavailable, type Platforms } from "../connectors.ts";
import { type TrackerClock, type TrackerContext, type TrackerTransaction, transact } from "../context.ts";
import { leaseSource } from "../polling/due-sources.ts";
import { type PollOutcome, poll } from "../polling/poll.ts";
import { isSocial, shortestMs } from "../source-kinds.ts";
import type { StoredSource } from "../sources.store.ts";
import { addPendingUnfollow, addressKey, cancelPendingUnfollow } from "./pending-unfollows.ts";

/**
 * Subscribes the key to a source that is already tracked under exactly this address and healthy, without asking the
 * platform; null when there is none.
 */
export async function joinKnown(
  context: TrackerContext,
  tracker: Tracker,
  kind: SourceKind,
  externalId: string,
): Promise<Tracking | null> {
  const known = await context.sources.findOne({ kind, externalId, health: "ok" });
  if (!known) return null;
  await catchUp(context, tracker, known);
  const tracking = await transact(context, tx => {
    const source = sourceOf(tx, known);
    return source ? subscribe(context, tx, tracker, source) : null;
  });
  if (tracking) context.onRetagged(tracker.keyId);
  return tracking;
}

/** Tracks a source that a platform has resolved; `alongside` runs in the same transaction. */
export async function beginTracking(
  context: TrackerContext,
  tracker: Tracker,
  resolved: ResolvedSource,
  platforms: Pick<Platforms, "follow">,
  alongside: (tx: TrackerTransaction, tracking: Tracking) => void = () => undefined,
): Promise<Tracking> {
  const { kind, externalId } = resolved;
  const known = await context.sources.findOne({ kind, externalId });
  if (known) await catchUp(context, tracker, known);
  // The transaction may run several times; the id stays the same.
  const newId = randomUUID();
  const enter = () =>
    transact(context, tx => {
      const source = refreshed(context, tx, resolved) ?? insertSource(context, tx, newId, resolved);
      cancelPendingUnfollow(tx, source);
      const tracking = subscribe(context, tx, tracker, source);
      alongside(tx, tracking);
      return tracking;
    });
  // Never at the same time as an unfollow of this source.
  const tracking = await context.mutex.run(addressKey(resolved), () =>
    isSocial(kind) ? following(context, tracker, resolved, platforms, enter) : enter(),
  );
  context.onRetagged(tracker.keyId);
  return tracking;
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
  { kind, externalId, username, name, state }: ResolvedSource,
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
    dueAt: now + shortestMs(context, kind),
    polledAt: now,
  });
}

/** The key that tracks a source, with its limit. */
type Tracker = Pick<Caller, "keyId"> & {
  limits: Pick<KeyLimits, "trackedSources">;
  /** The kind that the request named. */
  askedAs?: SourceKind;
  /** Replace the key's tags; without them the former ones stay. */
  tags?: string[];
};

export interface Tracking {
  source: StoredSource;
  /** False when the key tracks the source already. */
  isNew: boolean;
}

/** Subscribes a key to a source within a transaction; earlier posts are not delivered. */
function subscribe(
  { now, newId }: TrackerContext,
  tx: TrackerTransaction,
  tracker: Tracker,
  source: StoredSource,
): Tracking {
  const { keyId, askedAs, tags } = tracker;
  const query = { keyId, sourceId: source._id };
  const [former] = tx.subscriptions.find({ query, limit: 1 });
  if (former) {
    if (tags) tx.subscriptions.updateById(former._id, { $set: { tags } });
    return { source, isNew: false };
  }
  takePlace(tx, tracker);
  const at = now();
  tx.subscriptions.insert({
    _id: newId(at),
    keyId,
    sourceId: source._id,
    kind: source.kind,
    ...(askedAs !== undefined && askedAs !== source.kind && { askedAs }),
    ...(tags && { tags }),
    createdAt: new Date(at).toISOString(),
  });
  return { source, isNew: true };
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

/** Milliseconds between checks of a source that another process polls. */
const recheckMs = 50;
/** Milliseconds in which the source has to be caught up; longer than most polls take. */
const catchUpTimeoutMs = 45_000;

/**
 * A new subscription starts now, so everything that the source has published until now must be ingested first. Waits
 * for a poll that is under way, polls if the last poll is not recent, and polls again while there is more. Throws
 * `overloaded` when that takes too long, and `connector_unavailable` when the source cannot be reached in time.
 */
async function catchUp(
  context: TrackerContext,
  { keyId }: { keyId: string },
  { _id }: StoredSource,
): Promise<void> {
  if (await context.subscriptions.findOne({ keyId, sourceId: _id })) return;
  const cameAt = context.now();
  const signal = AbortSignal.any([context.closing, AbortSignal.timeout(catchUpTimeoutMs)]);
  for (;;) {
    const source = await context.sources.findById(_id);
    if (!source || isFresh(context, source, cameAt)) return;
    // Another caller may have polled it since the check; then there is nothing to do.
    const leased = await leaseSource(context, _id, free => !isFresh(context, free, cameAt));
    // The lease may belong to another process, which does not announce its end; it expires at the latest.
    const waitMs = leased ? waitAfter(await poll(context, leased)) : recheckMs;
    await sleep(waitMs, undefined, { signal }).catch(error => {
      throw fail("overloaded", "Polling this source takes too long; try again shortly.", {}, error);
    });
  }
}

/** Milliseconds until another check makes sense. Throws when that is longer than a caller waits. */
function waitAfter(outcome: PollOutcome): number {
  if (outcome === "lost") return recheckMs;
  if (typeof outcome === "string") return 0;
  const { postponeMs, cause } = outcome;
  if (postponeMs <= catchUpTimeoutMs) return postponeMs;
  const code = isUnavailable(cause) ? "connector_unavailable" : "overloaded";
  const extras = { retry_after: Math.ceil(postponeMs / 1000) };
  throw fail(code, "The source cannot be polled now; try again later.", extras, cause);
}

/**
 * A poll that began after the caller's arrival is enough, whatever its outcome, unless it left more to read. So one of
 * many callers polls, and a source that is polled without a pause blocks nobody. For followed sources no earlier poll
 * is recent: the next one returns again what was pushed since then, and new subscribers would receive it.
 */
function isFresh(
  { minIntervalMs }: TrackerContext,
  { kind, lease, health, polledAt, more }: StoredSource,
  cameAt: number,
): boolean {
  const isRecent = !isSocial(kind) && health === "ok" && cameAt - polledAt < minIntervalMs;
  return !more && (polledAt >= cameAt || (isRecent && lease === undefined));
}
