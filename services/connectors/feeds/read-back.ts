import type { FetchedDocument } from "../../../mixins/egress/fetch-document.ts";
import type { ItemNews } from "../../domain/feed/compare-feed.ts";
import type { FeedMemory } from "../../domain/feed/feed-memory.ts";
import type { ConnectorTools } from "../connector.ts";
import { type FoundFeed, orNone } from "./found-feed.ts";

/** Pages of older items that one poll reads, and bytes of them. */
const mostPages = 10;
const mostBytes = 20 * 1024 * 1024;
/** Milliseconds that a page needs; with less time left, the poll ends with what it has. */
const pageMs = 5000;

/**
 * The feed with its pages back to an item that is known, where none is left in the document itself. The pages are those
 * that it names, at its own host. Where they reach no known item, as after a move to other links and ids, only what is dated
 * after the last check, `since`, is taken of them.
 */
export async function readBack(
  found: FoundFeed,
  tools: ConnectorTools,
  memory?: FeedMemory,
  since = Number.POSITIVE_INFINITY,
): Promise<FoundFeed & { pages: number }> {
  let { digest } = found;
  let later = digest;
  const older: FetchedDocument[] = [];
  const asked = new Set([found.document.url]);
  for (let next = digest.feed.nextUrl; digest.isGap && next !== undefined; next = digest.feed.nextUrl) {
    if (asked.has(next) || !isNear(next, found.document.url) || !mayContinue(older, tools)) break;
    asked.add(next);
    const page = await tools.fetchDocument(next).catch(orNone);
    if (page === undefined || page.status !== 200) break;
    const read = await tools.readFeed(found.document, memory, [...older, page]);
    // A server without pages sends the first one again.
    if (!read.ok || read.total === digest.total) break;
    older.push(page);
    if (read.dates.slice(digest.dates.length).some(date => Date.parse(date) > since)) later = read;
    digest = read;
  }
  const reached = digest.isGap ? onlyLater(later, found.digest, since) : digest;
  return { ...found, digest: reached, pages: older.length };
}

/** What the document itself has, and of its pages what is dated later. */
function onlyLater(digest: Digest, own: Digest, since: number): Digest {
  const shown = new Set(own.news.map(({ postId }) => postId));
  const isTaken = ({ postId, item }: ItemNews) =>
    shown.has(postId) || Date.parse(item.date_published ?? "") > since;
  return digest === own || !own.complete ? own : { ...digest, news: digest.news.filter(isTaken) };
}

type Digest = FoundFeed["digest"];

function isNear(next: string, url: string): boolean {
  const hostOf = (address: string) => URL.parse(address)?.hostname.replace(/^www\./, "");
  return hostOf(next) === hostOf(url);
}

function mayContinue(older: FetchedDocument[], { timeLeftMs }: ConnectorTools): boolean {
  const bytes = older.reduce((sum, { body }) => sum + body.length, 0);
  return older.length < mostPages && bytes < mostBytes && timeLeftMs() > pageMs;
}
