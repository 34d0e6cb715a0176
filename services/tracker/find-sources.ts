import type { Caller } from "../contracts/caller.ts";
import type { DatedSource, SourceKind } from "../contracts/source.ts";
import { kindsOf } from "./kinds-of.ts";
import { datedSource } from "./records.ts";
import type { StoredSource, TrackerRoom } from "./room.ts";
import { sourcesOfKey } from "./sources-of-key.ts";

interface Search {
  source: SourceKind;
  query: string;
  page: number;
  limit: number;
}

/**
 * What the key tracks of a kind, or asked for as that kind, and whose handle or name holds the text, newest first; the
 * text is no pattern.
 */
export async function findSources(
  room: TrackerRoom,
  { keyId }: Caller,
  { source: kind, query, page, limit }: Search,
): Promise<{ data: DatedSource[]; total: number; page: number; limit: number; message: string }> {
  const data: DatedSource[] = [];
  const first = (page - 1) * limit;
  let total = 0;
  for await (const [source, subscription] of sourcesOfKey(room, keyId, kindsOf(kind))) {
    if (source.kind !== kind && subscription.askedAs !== kind) continue;
    if (!holds(source, query.toLowerCase())) continue;
    if (total >= first && data.length < limit) data.push(datedSource(source, subscription));
    total += 1;
  }
  return { data, total, page, limit, message: total === 0 ? "No source found." : "Sources found." };
}

function holds({ username, name }: StoredSource, text: string): boolean {
  return username.toLowerCase().includes(text) || name.toLowerCase().includes(text);
}
