import type { NewEvent } from "../../../mixins/event-log/event-log.ts";
import type { IndexedText } from "../../../mixins/history/word-index.ts";
import { newsOf } from "../../domain/delivery/formats/news.ts";
import { isSocial } from "../source-kinds.ts";
import type { StoredSource } from "../sources.store.ts";

/**
 * What a search finds of events: the posts and messages of accounts and channels, and results of searches. Pages and items of feeds are found by their
 * versions.
 */
export function eventWords(
  { _id: sourceId, kind }: StoredSource,
  events: readonly NewEvent[],
): IndexedText[] {
  if (!isSocial(kind) && kind !== "search") return [];
  const written = events.filter(({ type }) => !type.endsWith(".deleted"));
  return written.map(({ bodyId: id, type, timestamp, data }) => {
    const { title, text, url } = newsOf(JSON.stringify({ type, timestamp, data }));
    const words = [title, text].filter(part => part !== "").join("\n");
    const at = Date.parse(timestamp);
    return { id, kind: "event", sourceId, at, title, text: words, ...(url !== null && { url }) };
  });
}
