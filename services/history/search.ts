import type { Context } from "moleculer";
import type { IndexedText, SearchPosition, SearchScope } from "../../mixins/history/word-index.ts";
import { call } from "../contracts/action.ts";
import type { CallMeta } from "../contracts/caller.ts";
import { invalid } from "../contracts/errors.ts";
import { type HeldMark, heldSources, shownSources } from "../contracts/held-source.contract.ts";
import type { Found, SearchWanted } from "../contracts/history.contract.ts";
import type { Call } from "../contracts/service.ts";
import type { TrackedSource } from "../contracts/source-lists.contract.ts";
import { passageOf } from "../domain/history/passage.ts";
import { readQuery, type SearchQuery } from "../domain/history/search-query.ts";
import type { HistoryContext } from "./context.ts";
import { iso, ownEvent } from "./shown.ts";
import { ownVersionAt } from "./versions.ts";

type Of = { ctx: Context<unknown, CallMeta>; keyId: string };

/** Searches what the sources of the calling key said, as far as it may read their past. Newest first. */
export async function searchHistory(
  context: HistoryContext,
  { q, cursor, limit }: SearchWanted,
  { caller: { keyId }, ctx }: Pick<Call, "caller" | "ctx">,
): Promise<{ data: Found[]; next_cursor: string | null }> {
  const query = readQuery(q);
  if ("error" in query) throw invalid("q", "malformed", query.error);
  const after = cursor === undefined ? undefined : positionOf(cursor);
  const marks = await marksOf({ ctx, keyId }, query);
  const scopes = await scopesOf(context, marks);
  const page = { limit: limit + 1, ...(after && { after }) };
  const found = await context.history.search(query, scopes, page);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    data: await shownRows(context, { ctx, keyId }, { rows, query, marks }),
    next_cursor: found.length > limit && last ? `${last.at}.${last.id}` : null,
  };
}

function positionOf(cursor: string): SearchPosition {
  const [, at, id] = /^(\d{1,15})\.([\w-]{1,100})$/.exec(cursor) ?? [];
  if (at !== undefined && id !== undefined) return { at: Number(at), id };
  throw invalid("cursor", "malformed", "`cursor` must be a `next_cursor` of this search.");
}

/** Sources that are asked of the tracker at a time. */
const chunk = 1000;

/** The sources of the key in which the query looks. */
async function marksOf({ ctx, keyId }: Of, { sources, tags }: SearchQuery): Promise<Map<string, HeldMark>> {
  const kinds = sources.map(each => each.toLowerCase());
  const marks = new Map<string, HeldMark>();
  for (let after: string | null | undefined; after !== null; ) {
    const wanted = { keyId, limit: chunk, ...(after !== undefined && { after }) };
    const page = await call(ctx, heldSources, wanted);
    for (const mark of page.data) {
      const isOfKind = sources.length === 0 || sources.includes(mark.id) || kinds.includes(mark.kind);
      const isTagged = tags.length === 0 || mark.tags.some(tag => tags.includes(tag));
      if (isOfKind && isTagged) marks.set(mark.id, mark);
    }
    after = page.next;
  }
  return marks;
}

/** Where the past of a key begins in a source, by both: it does not change. */
const beginnings = new Map<string, number>();
const maxBeginnings = 50_000;

/** The version that was there when the key began may be read, too. */
async function scopesOf({ history }: HistoryContext, marks: Map<string, HeldMark>): Promise<SearchScope[]> {
  if (beginnings.size > maxBeginnings) beginnings.clear();
  const scopes: SearchScope[] = [];
  for (const mark of marks.values()) {
    const { id, readsFrom, ownFrom } = mark;
    const key = `${id} ${readsFrom} ${ownFrom}`;
    const from = beginnings.get(key) ?? (await ownVersionAt(history, mark, readsFrom))?.at ?? readsFrom;
    beginnings.set(key, from);
    scopes.push({ sourceId: id, from });
  }
  return scopes;
}

interface Rows {
  rows: IndexedText[];
  query: SearchQuery;
  marks: Map<string, HeldMark>;
}

async function shownRows(
  context: HistoryContext,
  { ctx, keyId }: Of,
  { rows, query, marks }: Rows,
): Promise<Found[]> {
  const ids = [...new Set(rows.map(({ sourceId }) => sourceId))];
  const { data } = ids.length === 0 ? { data: [] } : await call(ctx, shownSources, { keyId, ids });
  const sources = new Map(data.map(source => [source.id, source]));
  const shown: Found[] = [];
  for (const row of rows) {
    const [source, mark] = [sources.get(row.sourceId), marks.get(row.sourceId)];
    // The key may have stopped to track it meanwhile.
    if (!source || !mark) continue;
    const event_id = await eventOf(context, { keyId, held: mark }, row);
    shown.push({
      kind: row.kind,
      at: iso(row.at),
      source: nameOf(source),
      title: row.title,
      passage: passageOf(row.text, query),
      version: row.kind === "version" ? row.id : null,
      event_id,
      url: row.url ?? null,
    });
  }
  return shown;
}

function nameOf({ id, source, name, externalId }: TrackedSource): Found["source"] {
  return { id, source, name, externalId };
}

async function eventOf(
  { history }: HistoryContext,
  reading: Parameters<typeof ownEvent>[0],
  { kind, id, sourceId, at }: IndexedText,
): Promise<string | null> {
  if (kind === "event") return ownEvent(reading, { eventId: id, eventAt: at });
  const version = await history.version(sourceId, id);
  return version && ownEvent(reading, version);
}
