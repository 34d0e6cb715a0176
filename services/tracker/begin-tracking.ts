import { randomUUID } from "node:crypto";
import type { ResolvedSource } from "../contracts/connectors.contract.ts";
import type { SourceKind } from "../contracts/source.ts";
import { catchUp } from "./catch-up.ts";
import { addressOf, leaveLooseEnd, tieLooseEnd } from "./loose-ends.ts";
import type { Platforms } from "./platforms.ts";
import { atOnce, type Steps, type StoredSource, type TrackerRoom } from "./room.ts";
import { isSocial, shortestMs } from "./social.ts";
import { refuseFull, subscribe, type Tracker, type Tracking } from "./subscribe.ts";

/** A source that is tracked under this very address, and is well, need not be asked for; null when there is none. */
export async function joinKnown(
  room: TrackerRoom,
  tracker: Tracker,
  kind: SourceKind,
  externalId: string,
): Promise<Tracking | null> {
  const known = await room.sources.findOne({ kind, externalId, health: "ok" });
  if (!known) return null;
  await catchUp(room, tracker, known);
  return atOnce(room, steps => {
    const source = sourceOf(steps, known);
    return source ? subscribe(room, steps, tracker, source) : null;
  });
}

/** Tracks what a platform has found; `alongside` is a part of the same transaction. */
export async function beginTracking(
  room: TrackerRoom,
  tracker: Tracker,
  resolved: ResolvedSource,
  platforms: Pick<Platforms, "follow">,
  alongside: (steps: Steps, tracking: Tracking) => void = () => undefined,
): Promise<Tracking> {
  const { kind, externalId } = resolved;
  const known = await room.sources.findOne({ kind, externalId });
  if (known) await catchUp(room, tracker, known);
  // One for all runs of the transaction, which asks for it.
  const newId = randomUUID();
  const enter = () =>
    atOnce(room, steps => {
      const source = refreshed(room, steps, resolved) ?? insertSource(room, steps, newId, resolved);
      tieLooseEnd(steps, source);
      const tracking = subscribe(room, steps, tracker, source);
      alongside(steps, tracking);
      return tracking;
    });
  // In turn with whoever has the platform let go of the source.
  return room.turns.take(addressOf(resolved), () =>
    isSocial(kind) ? following(room, tracker, resolved, platforms, enter) : enter(),
  );
}

/**
 * Has the platform follow a source before it is tracked, so that nothing is tracked which is not followed. The loose end
 * that is written first tells, after whatever goes wrong in between, that the platform has to let go.
 */
async function following(
  room: TrackerRoom,
  tracker: Tracker,
  { kind, externalId }: ResolvedSource,
  platforms: Pick<Platforms, "follow">,
  enter: () => Promise<Tracking>,
): Promise<Tracking> {
  if (await room.sources.findOne({ kind, externalId })) return enter();
  const source = { kind, externalId };
  refuseFull(tracker, await room.tallies.findById(tracker.keyId));
  await atOnce(room, steps => leaveLooseEnd(steps, source));
  try {
    await platforms.follow(source);
    return await enter();
  } catch (error) {
    room.onLooseEnd(source);
    throw error;
  }
}

function sourceOf(
  { sources }: Steps,
  { kind, externalId }: Pick<ResolvedSource, "kind" | "externalId">,
): StoredSource | undefined {
  return sources.find({ query: { kind, externalId }, limit: 1 })[0];
}

/** The source as it is tracked already, with the handle and name that it has now. */
function refreshed(
  { now }: TrackerRoom,
  steps: Steps,
  resolved: ResolvedSource,
): StoredSource | null | undefined {
  const source = sourceOf(steps, resolved);
  const { kind, username, name } = resolved;
  if (!source || !isSocial(kind) || (source.username === username && source.name === name)) return source;
  const updatedAt = new Date(now()).toISOString();
  return steps.sources.updateById(source._id, { $set: { username, name, updatedAt } });
}

function insertSource(
  room: TrackerRoom,
  { sources, states }: Steps,
  _id: string,
  { kind, externalId, username, name, state }: ResolvedSource,
): StoredSource {
  const now = room.now();
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
    dueAt: now + shortestMs(room, kind),
    polledAt: now,
  });
}
