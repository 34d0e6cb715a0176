import { randomUUID } from "node:crypto";
import { isInserted } from "../../../mixins/store/update-if.ts";
import type { Checked, ResolvedSource } from "../../contracts/connectors.contract.ts";
import type { SourceKind } from "../../contracts/source.ts";
import type { View } from "../../contracts/watch.contract.ts";
import { searchAddress } from "../../domain/search/search-words.ts";
import type { Platforms } from "../connectors.ts";
import type { TrackerClock, TrackerContext } from "../context.ts";
import { checkFields, endedCheck, mutedAfter, runAfter, valuesAfter } from "../polling/check-runs.ts";
import { leaseMs } from "../polling/due-sources.ts";
import { keepFirst } from "../polling/keep-versions.ts";
import { isSocial } from "../source-kinds.ts";
import { type Address, inAnyView, type StoredSource, storedId } from "../sources.store.ts";
import { viewKey } from "../watches/views.ts";
import { catchUp, pollOnce } from "./catch-up.ts";
import { type Held, heldAt } from "./named-source.ts";
import { entered, enterSource } from "./open-changes.ts";
import { addPendingUnfollow, addressKey } from "./pending-unfollows.ts";
import { type Enter, refuseFull, subscribe, type Tracker, type Tracking } from "./subscribe.ts";

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
  const address = { kind, externalId: kind === "search" ? searchAddress(externalId) : externalId };
  const stored = { kind, externalId: storedId(address.externalId, viewKey(view)) };
  const known = await context.sources.findOne({ ...stored, health: "ok" });
  if (!known) return null;
  await catchUp(context, tracker, known);
  return exclusively(context, tracker, address, known._id, async former => {
    const current = await context.sources.findById(known._id);
    // The one key that tracks it may have changed its options meanwhile.
    if (current?.externalId !== known.externalId) return null;
    return subscribe(context, tracker, known._id, id => enterSource(context, known._id, id), former);
  });
}

/**
 * Does `enter` when no other request changes the subscriptions to an address, with the view of it that the key tracks. If
 * that is another one than `next`, it is polled for the last time before: the key gets what was new until now.
 */
async function exclusively<Result extends Tracking | null>(
  context: TrackerContext,
  { keyId, monitor }: Tracker,
  address: Address,
  next: string | undefined,
  enter: (former: Held | null) => Promise<Result>,
): Promise<Result> {
  const held = () =>
    isSocial(address.kind) ? null : heldAt(context, keyId, address.kind, address.externalId, monitor);
  const before = await held();
  if (before && before.source._id !== next) await pollOnce(context, before.source);
  // Never at the same time as an unfollow of this source.
  const done = await context.mutex.run(addressKey(address), async () => enter(await held()));
  if (done) context.onRetagged(keyId);
  if (done?.gone) context.onPendingUnfollow(done.gone);
  return done;
}

/** Tracks a source that a platform has resolved. */
export async function beginTracking(
  context: TrackerContext,
  tracker: Tracker,
  resolved: ResolvedSource,
  platforms: Pick<Platforms, "follow">,
  view: View = {},
): Promise<Tracking> {
  const { kind, externalId } = resolved;
  const wanted = { ...resolved, externalId: storedId(externalId, viewKey(view)) };
  const known = await context.sources.findOne({ kind, externalId: wanted.externalId });
  if (known) await catchUp(context, tracker, known);
  return exclusively(context, tracker, { kind, externalId }, known?._id, async former => {
    const hasSiblings = !isSocial(kind) && (await markSiblings(context, { kind, externalId }, wanted));
    const enter = () => enterResolved(context, tracker, { ...wanted, view, hasSiblings }, former);
    return isSocial(kind) ? following(context, tracker, resolved, platforms, enter) : enter();
  });
}

type NewSource = ResolvedSource & { view: View; hasSiblings: boolean };

/** Subscribes the key to the source, which is made if nobody tracks it; again when it comes or goes at that moment. */
async function enterResolved(
  context: TrackerContext,
  tracker: Tracker,
  wanted: NewSource,
  former: Held | null,
): Promise<Tracking> {
  const { kind, externalId } = wanted;
  for (;;) {
    const known = await context.sources.findOne({ kind, externalId });
    const sourceId = known?._id ?? randomUUID();
    const enter: Enter = (id, by) =>
      known
        ? enterSource(context, sourceId, id, source => refreshed(context, source, wanted))
        : insertSource(context, sourceId, wanted, id, by);
    const tracking = await subscribe(context, tracker, sourceId, enter, former);
    if (tracking) return tracking;
  }
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
  await addPendingUnfollow(context, source);
  try {
    await platforms.follow(source);
    return await enter();
  } catch (error) {
    context.onPendingUnfollow(source);
    throw error;
  }
}

/** An account with its present handle and name. */
function refreshed(
  { now }: TrackerClock,
  source: StoredSource,
  { kind, username, name, network = source.network }: ResolvedSource,
): StoredSource {
  if (!isSocial(kind)) return source;
  const noted = { ...source, ...(network !== undefined && { network }) };
  if (source.username === username && source.name === name) return noted;
  return { ...noted, username, name, updatedAt: new Date(now()).toISOString() };
}

/**
 * Nobody polls it before the subscription is there: the posts of the poll would be for nobody. Null when another request has
 * made it at this moment.
 */
async function insertSource(
  context: TrackerContext,
  _id: string,
  { kind, externalId, username, name, network, state, view, hasSiblings, check }: NewSource,
  subscriptionId: string | undefined,
  lease: string | undefined,
): Promise<StoredSource | null> {
  const now = context.now();
  const source: StoredSource = {
    _id,
    kind,
    externalId,
    username,
    name,
    ...(network !== undefined && { network }),
    updatedAt: new Date(now).toISOString(),
    madeAt: now,
    ...(subscriptionId !== undefined && { madeFor: subscriptionId }),
    health: "ok",
    failures: 0,
    dueAt: now + leaseMs,
    polledAt: now,
    ...(lease !== undefined && { lease }),
    ...(viewKey(view) !== "" && { view: JSON.stringify(view) }),
    ...(hasSiblings && { hasSiblings }),
    ...(subscriptionId !== undefined && entered({}, subscriptionId)),
    ...(await firstCheck(context, _id, check, now)),
  };
  if (!(await isInserted(context.sources, source))) {
    if (check) await context.history.erase(_id);
    return null;
  }
  // Second: a state without its source is removed by the process that settles the change of a process that seems dead.
  await context.states.insert({ _id, state });
  return source;
}

/** What the look-up leaves: it is the first check, and what the source said is the first version. */
async function firstCheck(
  context: TrackerContext,
  sourceId: string,
  check: Checked | undefined,
  at: number,
): Promise<Pick<StoredSource, "run" | "values" | "muted" | "version">> {
  if (!check) return {};
  const kept = await keepFirst(context, sourceId, check, at);
  const found = kept.version === undefined ? {} : { versionId: kept.version };
  const result = { ok: true as const, posts: [], state: {}, nextInMs: 0, check };
  const { run } = runAfter(undefined, endedCheck(result, at, check.tookMs, found));
  const { values } = valuesAfter([], result, at);
  return { ...kept, ...checkFields(run, values, mutedAfter([], result)) };
}
