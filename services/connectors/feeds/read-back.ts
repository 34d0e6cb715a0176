import type { FetchedDocument } from "../../../mixins/egress/fetch-document.ts";
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
 * that it names, at its own host.
 */
export async function readBack(
  found: FoundFeed,
  tools: ConnectorTools,
  memory?: FeedMemory,
): Promise<FoundFeed & { pages: number }> {
  let { digest } = found;
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
    digest = read;
  }
  return { ...found, digest, pages: older.length };
}

function isNear(next: string, url: string): boolean {
  const hostOf = (address: string) => URL.parse(address)?.hostname.replace(/^www\./, "");
  return hostOf(next) === hostOf(url);
}

function mayContinue(older: FetchedDocument[], { timeLeftMs }: ConnectorTools): boolean {
  const bytes = older.reduce((sum, { body }) => sum + body.length, 0);
  return older.length < mostPages && bytes < mostBytes && timeLeftMs() > pageMs;
}
