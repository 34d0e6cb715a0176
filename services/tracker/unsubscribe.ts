import type { Steps, StoredSubscription } from "./room.ts";

/** Ends one key's tracking; a source that no key is left for is forgotten, and with it a poll under way. */
export function unsubscribe(steps: Steps, { _id, keyId, sourceId }: StoredSubscription): void {
  if (!steps.subscriptions.removeById(_id)) return;
  steps.tallies.upsertById(keyId, { $inc: { sources: -1 } });
  if (steps.subscriptions.find({ query: { sourceId }, limit: 1 }).length > 0) return;
  steps.sources.removeById(sourceId);
  steps.states.removeById(sourceId);
}
