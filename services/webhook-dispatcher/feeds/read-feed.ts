import { createHash } from "node:crypto";
import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { WrittenEvent } from "../../../mixins/event-log/event-log.ts";
import type { FeedDocument, FeedFormat } from "../../contracts/feeds.contract.ts";
import { passes } from "../../domain/delivery/event-filter.ts";
import { newsOf } from "../../domain/delivery/formats/news.ts";
import type { FeedEntry } from "../../domain/delivery/formats/news-feed.ts";
import { newsHtml } from "../../domain/delivery/formats/news-html.ts";
import type { StoredFeed } from "./feeds.store.ts";
import type { FeedContext } from "./feeds.ts";

interface FeedRequest {
  token: string;
  format: FeedFormat;
  origin: string;
  /** The entity tags of what the reader has. */
  known: string[];
}

const mostEntries = 100;
/** Events of the log that are read for one document, so that a filter that fits little does not read all of it. */
const mostRead = 5_000;
const portionEvents = 500;
const portionBytes = 4 * 1024 * 1024;
/** Bytes of a document's texts, at most. */
const mostBytes = 2 * 1024 * 1024;

/** The newest events that a feed wants, newest first; null for the token of no feed. */
export async function readFeed(
  context: FeedContext,
  { token, format, origin, known }: FeedRequest,
): Promise<FeedDocument | null> {
  const feed = await context.feeds.findOne({ lookup: context.vault.lookup(token) });
  if (!feed) return null;
  const events = await newestWanted(context, feed);
  const selfUrl = feedUrl(origin, token, format);
  const updated = events[0]?.timestamp ?? new Date(feed.createdAt).toISOString();
  const etag = tagOf([selfUrl, feed.name ?? "", context.hub ?? "", ...events.map(({ id }) => id)]);
  const head = { key_id: feed.keyId, etag, last_modified: updated, hub: context.hub ?? null };
  if (known.includes(etag)) return { ...head, body: null };
  const title = feed.name ?? "Magpie";
  const about = { id: feed._id, title, selfUrl, hub: context.hub, updated };
  const entries = await entriesOf(events);
  const { atomFeed, jsonFeed } = await import("../../domain/delivery/formats/news-feed.ts");
  return { ...head, body: format === "atom" ? atomFeed(about, entries) : jsonFeed(about, entries) };
}

/** The public URL of a feed. */
export function feedUrl(origin: string, token: string, format: FeedFormat): string {
  return `${origin}/feeds/${token}.${format}`;
}

/** Reads the log from its end, in portions. */
async function newestWanted(context: FeedContext, feed: StoredFeed): Promise<WrittenEvent[]> {
  const { oldest, latest } = await context.log.bounds(feed.keyId);
  const first = Math.max(oldest, latest - mostRead + 1, 1);
  let wanted: WrittenEvent[] = [];
  for (let end = latest; end >= first && wanted.length < mostEntries; end -= portionEvents) {
    const begin = Math.max(first, end - portionEvents + 1);
    wanted = [...wanted, ...(await wantedBetween(context, feed, begin, end)).reverse()];
    await yieldToLoop();
  }
  return wanted.slice(0, mostEntries);
}

async function wantedBetween(
  { log, tagged }: FeedContext,
  feed: StoredFeed,
  begin: number,
  end: number,
): Promise<WrittenEvent[]> {
  const wanted: WrittenEvent[] = [];
  for (let after = begin - 1; after < end; ) {
    const budget = { events: end - after, bytes: portionBytes };
    const { events } = await log.readWithin(feed.keyId, after, budget);
    const last = events.at(-1);
    if (!last) break;
    const ofTags = feed.tags.length > 0 ? await tagged.of(feed.keyId, feed.tags) : undefined;
    wanted.push(...events.filter(event => event.seq <= end && wants(feed, event, ofTags)));
    after = last.seq;
  }
  return wanted;
}

/** Whether an event belongs to a feed. `ofTags` are the sources that have the feed's tags now. */
export function wants(
  feed: Pick<StoredFeed, "tags" | "sources" | "eventTypes" | "meaningful">,
  event: Pick<WrittenEvent, "seq" | "type" | "sourceId" | "json">,
  ofTags: ReadonlySet<string> | undefined,
): boolean {
  const { tags, sources, eventTypes, meaningful } = feed;
  const lists = { event_types: orAll(eventTypes), sources: orAll(sources), tags: orAll(tags) };
  const filter = { ...lists, ...(meaningful && { meaningful }) };
  return passes(filter, event, sourceId => ofTags?.has(sourceId) ?? false);
}

/** An empty list of a feed filters nothing. */
function orAll<Each>(list: Each[]): Each[] | null {
  return list.length > 0 ? list : null;
}

/** The items that fit into a document. Cleaning takes time, so other work runs in between. */
async function entriesOf(events: readonly WrittenEvent[]): Promise<FeedEntry[]> {
  const entries: FeedEntry[] = [];
  let left = mostBytes;
  for (const { json } of events) {
    const news = newsOf(json);
    const html = newsHtml(news);
    left -= html.length;
    if (left < 0 && entries.length > 0) break;
    entries.push({ news, html });
    await yieldToLoop();
  }
  return entries;
}

function tagOf(parts: string[]): string {
  const digest = createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
  return `"${digest.slice(0, 27)}"`;
}
