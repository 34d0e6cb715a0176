import { leaveLooseEnd } from "./loose-ends.ts";
import type { Steps, StoredSource, StoredSubscription } from "./room.ts";

/**
 * Ends one key's tracking; a source that no key is left for is forgotten, and with it a poll under way. The source that
 * was, for its platform to let go of, else null.
 */
export function unsubscribe(steps: Steps, { _id, keyId, sourceId }: StoredSubscription): StoredSource | null {
  if (!steps.subscriptions.removeById(_id)) return null;
  steps.tallies.upsertById(keyId, { $inc: { sources: -1 } });
  if (steps.subscriptions.find({ query: { sourceId }, limit: 1 }).length > 0) return null;
  steps.states.removeById(sourceId);
  const gone = steps.sources.removeById(sourceId);
  if (gone) leaveLooseEnd(steps, gone);
  return gone;
}
