import type { Steps, StoredSource, StoredSubscription } from "./room.ts";

/**
 * Ends one key's tracking; a source that no key is left for is forgotten, and with it a poll under way. The source that
 * was, else null.
 */
export function unsubscribe(steps: Steps, { _id, keyId, sourceId }: StoredSubscription): StoredSource | null {
  if (!steps.subscriptions.removeById(_id)) return null;
  steps.tallies.upsertById(keyId, { $inc: { sources: -1 } });
  if (steps.subscriptions.find({ query: { sourceId }, limit: 1 }).length > 0) return null;
  steps.states.removeById(sourceId);
  return steps.sources.removeById(sourceId);
}
