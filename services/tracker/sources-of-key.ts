import type { SourceKind } from "../contracts/source.ts";
import type { StoredSource, StoredSubscription, TrackerRoom } from "./room.ts";

const chunk = 500;

/** What a key tracks of some kinds, newest first; a few hundred at a time, so that a key with many does not hold up the others. */
export async function* sourcesOfKey(
  { subscriptions, sources }: TrackerRoom,
  keyId: string,
  kinds: SourceKind[],
): AsyncGenerator<[StoredSource, StoredSubscription]> {
  const [kind, ...others] = kinds;
  let before = "~";
  for (;;) {
    const query = { keyId, kind: others.length > 0 ? { $in: kinds } : (kind ?? null), _id: { $lt: before } };
    const some = await subscriptions.find({ query, sort: ["-_id"], limit: chunk });
    const ids = some.map(({ sourceId }) => sourceId);
    const found = await sources.find({ query: { _id: { $in: ids } } });
    const byId = new Map(found.map(source => [source._id, source]));
    for (const subscription of some) {
      const source = byId.get(subscription.sourceId);
      if (source) yield [source, subscription];
    }
    if (some.length < chunk) return;
    before = some.at(-1)?._id ?? "";
  }
}
