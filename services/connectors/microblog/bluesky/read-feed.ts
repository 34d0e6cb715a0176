import { AppBskyFeedDefs } from "@atproto/api";
import type { MicroblogPost } from "../../../contracts/social.ts";
import type { News, Page } from "../../social/social-connector.ts";
import type { Ask } from "./api.ts";
import { advance, beginning, type FeedCursor, isAfter, readCursor, writeCursor } from "./feed-cursor.ts";
import { sortTime, toPost, viewToPost } from "./map-post.ts";

interface Entry {
  uri: string;
  time: string;
  post: MicroblogPost;
}

interface FeedPage {
  /** The account's own posts, newest first. */
  entries: Entry[];
  /** Time of the last thing of the page, reposts included; all that follows is older. */
  reachesTo: string | undefined;
  next: string | undefined;
}

/** The most that the service gives at once. */
const pageSize = 100;
/** Posts that one look at a source tells. */
const maxNews = 200;
/** Pages that one look at the past reads, of accounts that mostly repost. */
const maxPages = 50;

/** Where the feed ends now: what comes after it is news. */
export async function newestCursor(ask: Ask, did: string, signal: AbortSignal): Promise<string> {
  const { entries, reachesTo } = await readPage(ask, did, { limit: pageSize }, signal);
  const end = { time: reachesTo ?? beginning.time, uris: [] };
  return writeCursor(advance(end, entries.toReversed()));
}

/** What was posted after the cursor. Feeds are read backwards, so that a long gap is walked whole for its oldest part. */
export async function postsSince(ask: Ask, did: string, cursor: string, signal: AbortSignal): Promise<News> {
  const from = readCursor(cursor);
  const news = await walkBack(ask, did, from, signal);
  const told = news.slice(0, maxNews);
  return {
    posts: told.map(({ post }) => toPost(post)),
    cursor: writeCursor(advance(from, told)),
    more: told.length < news.length,
  };
}

export async function postsBefore(
  ask: Ask,
  did: string,
  { cursor, limit }: { cursor?: string; limit: number },
  signal: AbortSignal,
): Promise<Page> {
  const found: Entry[] = [];
  let next = cursor;
  for (let pages = 0; pages < maxPages && found.length < limit; pages++) {
    const query = { limit: Math.min(pageSize, limit - found.length), ...(next && { cursor: next }) };
    const page = await readPage(ask, did, query, signal);
    found.push(...page.entries);
    next = page.next;
    if (!next) break;
  }
  return { posts: found.map(({ post }) => toPost(post)), next: next ?? null };
}

/** All entries after the cursor, oldest first. */
async function walkBack(ask: Ask, did: string, from: FeedCursor, signal: AbortSignal): Promise<Entry[]> {
  const found: Entry[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage(ask, did, { limit: pageSize, ...(cursor && { cursor }) }, signal);
    found.push(...page.entries.filter(entry => isAfter(from, entry)));
    const isPassed = page.reachesTo !== undefined && page.reachesTo < from.time;
    cursor = isPassed ? undefined : page.next;
  } while (cursor);
  return found.reverse();
}

async function readPage(
  ask: Ask,
  did: string,
  query: { limit: number; cursor?: string },
  signal: AbortSignal,
): Promise<FeedPage> {
  const params = { actor: did, filter: "posts_with_replies", includePins: false, ...query };
  const { feed, cursor } = await ask(signal, (agent, options) => agent.getAuthorFeed(params, options));
  const last = feed.at(-1);
  return {
    entries: feed.filter(isOwn(did)).map(toEntry),
    reachesTo: last && timeIn(last),
    next: cursor,
  };
}

type FeedItem = AppBskyFeedDefs.FeedViewPost;

/** Reposts stand in a feed with a reason; they are posts of somebody else. */
function isOwn(did: string): (item: FeedItem) => boolean {
  return ({ post, reason }) => reason === undefined && post.author.did === did;
}

function timeIn({ post, reason }: FeedItem): string {
  return AppBskyFeedDefs.isReasonRepost(reason) ? new Date(reason.indexedAt).toISOString() : sortTime(post);
}

function toEntry({ post }: FeedItem): Entry {
  return { uri: post.uri, time: sortTime(post), post: viewToPost(post) };
}
