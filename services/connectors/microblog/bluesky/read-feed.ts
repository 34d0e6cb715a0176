import { AppBskyFeedDefs } from "@atproto/api";
import { codeOf } from "../../../contracts/errors.ts";
import type { MicroblogPost } from "../../../contracts/social.ts";
import type { News, Page } from "../../social/social-connector.ts";
import type { Ask } from "./api.ts";
import { advance, beginning, isAfter, type Place, readCursor, writeCursor } from "./feed-cursor.ts";
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
/** Pages that one look at what is new reads; it has a time in which to answer. */
const maxNewPages = 3;
/** Pages that one look at the past reads, of accounts that mostly repost. */
const maxPages = 50;

/** Where the feed ends now: what comes after it is news. */
export async function newestCursor(ask: Ask, did: string, signal: AbortSignal): Promise<string> {
  const page = await readPage(ask, did, { limit: pageSize }, signal);
  return writeCursor({ after: endOf(page, beginning) });
}

/**
 * What was posted after the cursor. Feeds are read backwards: where more is new than one look reads, older posts follow
 * in the next looks, each oldest first, and the cursor remembers the gap that is left.
 */
export async function postsSince(ask: Ask, did: string, cursor: string, signal: AbortSignal): Promise<News> {
  const { after, gap } = readCursor(cursor);
  const { news, end, before } = await walkBack(ask, did, { after, before: gap?.before }, signal);
  const newest = gap?.newest ?? end;
  const next = before === undefined ? { after: newest } : { after, gap: { newest, before } };
  return {
    posts: news.map(({ post }) => toPost(post)),
    cursor: writeCursor(next),
    more: before !== undefined,
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

interface Walked {
  /** Oldest first. */
  news: Entry[];
  /** Where the first page that was read ends. */
  end: Place;
  /** Where to walk on; undefined when all is read. */
  before: string | undefined;
}

/** A few pages of what came after a place, from the end of the feed, or from where an earlier look has come to. */
async function walkBack(
  ask: Ask,
  did: string,
  from: { after: Place; before: string | undefined },
  signal: AbortSignal,
): Promise<Walked> {
  const { after } = from;
  const read = (cursor?: string) =>
    readPage(ask, did, { limit: pageSize, ...(cursor && { cursor }) }, signal);
  let page = await read(from.before);
  const end = endOf(page, after);
  const found: Entry[] = [];
  for (let pages = 1; ; pages++) {
    found.push(...page.entries.filter(entry => isAfter(after, entry)));
    const isPassed = page.reachesTo !== undefined && page.reachesTo < after.time;
    const before = isPassed ? undefined : page.next;
    const next = before === undefined || pages >= maxNewPages ? null : await read(before).catch(unlessAway);
    if (!next) return { news: found.reverse(), end, before };
    page = next;
  }
}

/** What was read before the service went away, or the time was over, is told; whoever reads on hears of the trouble. */
function unlessAway(error: unknown): null {
  if (codeOf(error) !== "connector_unavailable") throw error;
  return null;
}

/** The place at which a page ends, its newest post; nothing of a page of reposts alone has to be read again. */
function endOf({ entries, reachesTo = "" }: FeedPage, after: Place): Place {
  const from = reachesTo > after.time ? { time: reachesTo, uris: [] } : after;
  return advance(from, entries.filter(entry => isAfter(after, entry)).reverse());
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
