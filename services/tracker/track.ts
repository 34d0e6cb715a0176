import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Caller } from "../contracts/caller.ts";
import type { ResolvedSource } from "../contracts/connectors.contract.ts";
import { fail } from "../contracts/errors.ts";
import type { Source, SourceKind } from "../contracts/source.ts";
import { leaseOne } from "./lease.ts";
import { poll } from "./poll.ts";
import { publicSource } from "./records.ts";
import { atOnce, type Steps, type StoredSource, type TrackerRoom } from "./room.ts";

/** Milliseconds between looks at a source that is being polled. */
const lookAgainMs = 50;

/** Finds what a `sid` means; the errors are the client's to read. */
export type Resolve = (wanted: { kind: SourceKind; sid: string }) => Promise<ResolvedSource>;

interface Tracked {
  source: StoredSource;
  /** False when the key tracks the source already. */
  isNew: boolean;
}

/** Begins to track for a key, from now on. */
export async function track(
  room: TrackerRoom,
  caller: Caller,
  { source: kind, sid }: { source: SourceKind; sid: string },
  resolve: Resolve,
): Promise<{ data: Source; message: string; isNew: boolean }> {
  const { source, isNew } =
    (await joinKnown(room, caller, kind, sid)) ??
    (await joinFound(room, caller, await resolve({ kind, sid })));
  const message = isNew ? "The source is tracked." : "The source was tracked already.";
  return { data: publicSource(source), message, isNew };
}

/** A source that is tracked under this very address, and is well, need not be asked for; null when there is none. */
async function joinKnown(
  room: TrackerRoom,
  caller: Caller,
  kind: SourceKind,
  externalId: string,
): Promise<Tracked | null> {
  const known = await room.sources.findOne({ kind, externalId, health: "ok" });
  if (!known) return null;
  await catchUp(room, caller, known);
  return atOnce(room, steps => {
    const source = sourceOf(steps, known);
    return source ? subscribe(room, steps, caller, source) : null;
  });
}

async function joinFound(room: TrackerRoom, caller: Caller, resolved: ResolvedSource): Promise<Tracked> {
  const { kind, externalId } = resolved;
  const known = await room.sources.findOne({ kind, externalId });
  if (known) await catchUp(room, caller, known);
  return atOnce(room, steps => {
    const source = sourceOf(steps, resolved) ?? insertSource(room, steps, resolved);
    return subscribe(room, steps, caller, source);
  });
}

/**
 * What the source has brought until now belongs to those who track it: a new subscriber starts after a poll that is
 * under way, and after one of its own where the last is not recent.
 */
async function catchUp(room: TrackerRoom, { keyId }: Caller, { _id }: StoredSource): Promise<void> {
  if (await room.subscriptions.findOne({ keyId, sourceId: _id })) return;
  const cameAt = room.now();
  for (;;) {
    const source = await room.sources.findById(_id);
    if (!source || isFresh(room, source, cameAt)) return;
    const leased = await leaseOne(room, _id);
    if (leased) {
      await poll(room, leased);
      return;
    }
    // Whoever holds the lease may be another process, so that nobody tells of its end. It ends by itself at the latest.
    await setTimeout(lookAgainMs);
  }
}

/**
 * A poll that began since the caller came, whatever came of it, is enough: of many callers one polls, and a source that
 * is polled without a pause keeps nobody out.
 */
function isFresh(
  { minIntervalMs }: TrackerRoom,
  { lease, health, polledAt }: StoredSource,
  cameAt: number,
): boolean {
  const isRecent = health === "ok" && cameAt - polledAt < minIntervalMs;
  return polledAt >= cameAt || (isRecent && lease === undefined);
}

function sourceOf(
  { sources }: Steps,
  { kind, externalId }: Pick<ResolvedSource, "kind" | "externalId">,
): StoredSource | undefined {
  return sources.find({ query: { kind, externalId }, limit: 1 })[0];
}

function insertSource(
  { minIntervalMs, now }: TrackerRoom,
  { sources, states }: Steps,
  { kind, externalId, username, name, state }: ResolvedSource,
): StoredSource {
  const _id = randomUUID();
  states.insert({ _id, state });
  return sources.insert({
    _id,
    kind,
    externalId,
    username,
    name,
    updatedAt: new Date(now()).toISOString(),
    health: "ok",
    failures: 0,
    dueAt: now() + minIntervalMs,
    polledAt: now(),
  });
}

function subscribe({ now, newId }: TrackerRoom, steps: Steps, caller: Caller, source: StoredSource): Tracked {
  const { keyId } = caller;
  const query = { keyId, sourceId: source._id };
  if (steps.subscriptions.find({ query, limit: 1 }).length > 0) return { source, isNew: false };
  takePlace(steps, caller);
  const at = now();
  steps.subscriptions.insert({
    _id: newId(at),
    keyId,
    sourceId: source._id,
    kind: source.kind,
    createdAt: new Date(at).toISOString(),
  });
  return { source, isNew: true };
}

/** Exact under any concurrency: the tally is a part of the transaction that a refusal undoes. */
function takePlace({ tallies }: Steps, { keyId, limits: { trackedSources } }: Caller): void {
  const { sources } = tallies.upsertById(keyId, { $inc: { sources: 1 } });
  if (sources <= trackedSources) return;
  const sentence = `This API key tracks ${trackedSources} sources, which is as many as allowed. Stop tracking one first.`;
  throw fail("forbidden", sentence);
}
