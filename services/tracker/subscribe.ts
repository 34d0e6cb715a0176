import type { Caller, KeyLimits } from "../contracts/caller.ts";
import { fail } from "../contracts/errors.ts";
import type { SourceKind } from "../contracts/source.ts";
import type { Steps, StoredSource, TrackerRoom } from "./room.ts";

/** Whom a source is tracked for. */
export type Tracker = Pick<Caller, "keyId"> & {
  limits: Pick<KeyLimits, "trackedSources">;
  /** The kind under which it was asked for. */
  askedAs?: SourceKind;
};

export interface Tracking {
  source: StoredSource;
  /** False when the key tracks the source already. */
  isNew: boolean;
}

/** Has a key track a source, as a step of a transaction; its past is not told. */
export function subscribe(
  { now, newId }: TrackerRoom,
  steps: Steps,
  tracker: Tracker,
  source: StoredSource,
): Tracking {
  const { keyId, askedAs } = tracker;
  const query = { keyId, sourceId: source._id };
  if (steps.subscriptions.find({ query, limit: 1 }).length > 0) return { source, isNew: false };
  takePlace(steps, tracker);
  const at = now();
  steps.subscriptions.insert({
    _id: newId(at),
    keyId,
    sourceId: source._id,
    kind: source.kind,
    ...(askedAs !== undefined && askedAs !== source.kind && { askedAs }),
    createdAt: new Date(at).toISOString(),
  });
  return { source, isNew: true };
}

/** Exact under any concurrency: the tally is a part of the transaction that a refusal undoes. */
function takePlace({ tallies }: Steps, tracker: Tracker): void {
  const { sources } = tallies.upsertById(tracker.keyId, { $inc: { sources: 1 } });
  refuseFull(tracker, { sources: sources - 1 });
}

/** Throws when the key can track no more. */
export function refuseFull({ limits: { trackedSources } }: Tracker, tally: { sources: number } | null): void {
  if ((tally?.sources ?? 0) < trackedSources) return;
  const sentence = `This API key tracks ${trackedSources} sources, which is as many as allowed. Stop tracking one first.`;
  throw fail("forbidden", sentence);
}
