import type { Caller } from "../contracts/caller.ts";
import type { DatedSource, SourceKind } from "../contracts/source.ts";
import { datedSource } from "./records.ts";
import type { StoredSource, StoredSubscription, TrackerRoom } from "./room.ts";

const chunk = 500;

interface Search {
  source: SourceKind;
  query: string;
  page: number;
  limit: number;
}

/** What the key tracks of a kind and whose handle or name holds the text, newest first; the text is no pattern. */
export async function findSources(
  room: TrackerRoom,
  { keyId }: Caller,
  { source: kind, query, page, limit }: Search,
): Promise<{ data: DatedSource[]; total: number; page: number; limit: number; message: string }> {
  const data: DatedSource[] = [];
  const first = (page - 1) * limit;
  let total = 0;
  for await (const [source, subscription] of tracked(room, keyId, kind)) {
    if (!holds(source, query.toLowerCase())) continue;
    if (total >= first && data.length < limit) data.push(datedSource(source, subscription));
    total += 1;
  }
  return { data, total, page, limit, message: total === 0 ? "No source found." : "Sources found." };
}

function holds({ username, name }: StoredSource, text: string): boolean {
  return username.toLowerCase().includes(text) || name.toLowerCase().includes(text);
}

/** The key's sources, a few hundred at a time, so that a key with many does not hold up the others. */
async function* tracked(
  { subscriptions, sources }: TrackerRoom,
  keyId: string,
  kind: SourceKind,
): AsyncGenerator<[StoredSource, StoredSubscription]> {
  let before = "~";
  for (;;) {
    const query = { keyId, kind, _id: { $lt: before } };
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
