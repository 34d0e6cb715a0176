import type { FeedViewPost } from "@atcute/bluesky/types/app/feed/defs";
import * as getAuthorFeed from "@atcute/bluesky/types/app/feed/getAuthorFeed";
import * as searchPosts from "@atcute/bluesky/types/app/feed/searchPosts";
import { ok } from "@atcute/client";
import type { Did } from "@atcute/lexicons";
import { codeOf, invalid } from "../../../contracts/errors.ts";
import type { MicroblogPost } from "../../../contracts/social.ts";
import {
  lateOn,
  overlapMs,
  queryOf,
  readFirstPage,
  type Search,
  writeFirstPage,
} from "../../social/search.ts";
import type { NewPosts, PostPage } from "../../social/social-connector.ts";
import type { Ask } from "./api.ts";
import { sortTime, toPost, viewToPost } from "./map-post.ts";

interface Entry {
  uri: string;
  time: string;
  post: MicroblogPost;
}

export interface FeedPage {
  /** The account's own posts, newest first. */
  entries: Entry[];
  /** Time of the last entry of the page, reposts included; all later pages are older. */
  reachesTo: string | undefined;
  next: string | undefined;
}

/** The largest page of the service. */
const pageSize = 100;
/** Pages that one poll reads; it has a deadline. */
const maxNewPages = 3;
/** Pages that one read of the history takes, for accounts that mostly repost. */
const maxPages = 50;

/** Reads one page of a list of posts, newest first. */
export type ReadPage = (query: { limit: number; cursor?: string }, signal: AbortSignal) => Promise<FeedPage>;

/** The present end of the feed; later posts are new. */
export async function newestCursor(read: ReadPage, signal: AbortSignal): Promise<string> {
  const page = await read({ limit: pageSize }, signal);
  return writeCursor({ after: endOf(page, startPosition) });
}

/** The newest cursor of a search also says where its reading began. */
export async function newestSearchCursor(read: ReadPage, signal: AbortSignal): Promise<string> {
  let page: Entry[] = [];
  const reading: ReadPage = async (query, within) => {
    const found = await read(query, within);
    page = found.entries;
    return found;
  };
  const cursor = await newestCursor(reading, signal);
  const began = Date.parse(readCursor(cursor).after.time);
  const { seen } = lateOn({ began, shown: [] }, page.map(dated), Date.now());
  return `${cursor}~${cursor}~${writeFirstPage(seen)}`;
}

/**
 * Reads a search as `readSince` reads an account. It reads again what was posted shortly before the cursor, but nothing from before
 * its first cursor: the index of the service lags behind. Of older posts, those that its first page did not show the last
 * time are new, too.
 */
export async function readSearchSince(
  read: ReadPage,
  cursor: string,
  signal: AbortSignal,
): Promise<NewPosts> {
  const [own = "", first = "", page] = cursor.split("~");
  const { after, gap } = readCursor(own);
  const start = readPosition(first);
  const earlier = new Date(Date.parse(after.time) - overlapMs).toISOString();
  const from = earlier > start.time ? { time: earlier, uris: [] } : start;
  // A gap ends where its first poll began to read.
  let seen = readFirstPage(page);
  let late: Entry[] = [];
  const reading: ReadPage = async (query, within) => {
    const shown = await read(query, within);
    if (query.cursor !== undefined) return shown;
    const checked = lateOn(seen, shown.entries.map(dated), Date.now());
    seen = checked.seen;
    late = checked.late.map(({ entry }) => entry).filter(entry => !isAfter(from, entry));
    return shown;
  };
  const found = await readSince(
    reading,
    writeCursor({ after: gap ? after : from, ...(gap && { gap }) }),
    signal,
  );
  const next = readCursor(found.cursor).after;
  const kept = !found.more && next.time < after.time ? writeCursor({ after }) : found.cursor;
  const posts = [...late.reverse().map(({ post }) => toPost(post)), ...found.posts];
  return { ...found, posts, cursor: `${kept}~${first}~${writeFirstPage(seen)}` };
}

function dated(entry: Entry) {
  return { id: entry.uri, at: Date.parse(entry.time), entry };
}

/**
 * What was posted after the cursor. Feeds are read backwards: when more is new than one poll reads, older posts follow in
 * the next polls, each oldest first, and the cursor stores the remaining gap.
 */
export async function readSince(read: ReadPage, cursor: string, signal: AbortSignal): Promise<NewPosts> {
  const { after, gap } = readCursor(cursor);
  const { news, end, before } = await walkBack(read, { after, before: gap?.before }, signal);
  const newest = gap?.newest ?? end;
  const next = before === undefined ? { after: newest } : { after, gap: { newest, before } };
  return {
    posts: news.map(({ post }) => toPost(post)),
    cursor: writeCursor(next),
    more: before !== undefined,
  };
}

export async function readHistory(
  readPage: ReadPage,
  { cursor, limit }: { cursor?: string; limit: number },
  signal: AbortSignal,
): Promise<PostPage> {
  const found: Entry[] = [];
  let next = cursor;
  for (let pages = 0; pages < maxPages && found.length < limit; pages++) {
    const query = { limit: Math.min(pageSize, limit - found.length), ...(next && { cursor: next }) };
    const page = await readPage(query, signal);
    found.push(...page.entries);
    next = page.next;
    if (!next) break;
  }
  return { posts: found.map(({ post }) => toPost(post)), next: next ?? null };
}

interface Walked {
  /** Oldest first. */
  news: Entry[];
  /** The position at which the first page ends. */
  end: FeedPosition;
  /** Where to continue; undefined when all is read. */
  before: string | undefined;
}

/** Reads a few pages after a position, backwards from the end of the feed, or from where an earlier poll stopped. */
async function walkBack(
  readPage: ReadPage,
  from: { after: FeedPosition; before: string | undefined },
  signal: AbortSignal,
): Promise<Walked> {
  const { after } = from;
  const read = (cursor?: string) => readPage({ limit: pageSize, ...(cursor && { cursor }) }, signal);
  let page = await read(from.before);
  const end = endOf(page, after);
  const found: Entry[] = [];
  for (let pages = 1; ; pages++) {
    found.push(...page.entries.filter(entry => isAfter(after, entry)));
    const isPassed = page.reachesTo !== undefined && page.reachesTo < after.time;
    const before = isPassed ? undefined : page.next;
    const next =
      before === undefined || pages >= maxNewPages ? null : await read(before).catch(nullIfUnavailable);
    if (!next) return { news: found.reverse(), end, before };
    page = next;
  }
}

/** Keeps what was read before the service became unavailable or the time was over; the next poll gets the error. */
function nullIfUnavailable(error: unknown): null {
  if (codeOf(error) !== "connector_unavailable") throw error;
  return null;
}

/** The position of the newest post of a page, or of the page itself where it has reposts only. */
function endOf({ entries, reachesTo = "" }: FeedPage, after: FeedPosition): FeedPosition {
  const from = reachesTo > after.time ? { time: reachesTo, uris: [] } : after;
  return advancePosition(from, entries.filter(entry => isAfter(after, entry)).reverse());
}

/** The posts and reposts of an account. */
export function pagesOfAccount(ask: Ask, did: string): ReadPage {
  return async (query, signal) => {
    const params = { actor: did as Did, filter: "posts_with_replies", includePins: false, ...query };
    const { feed, cursor } = await ask(signal, (client, options) =>
      ok(client.call(getAuthorFeed, { params, ...options })),
    );
    const last = feed.at(-1);
    return { entries: feed.filter(isOwn(did)).map(toEntry), reachesTo: last && timeIn(last), next: cursor };
  };
}

/** The posts that a search finds. */
export function pagesOfSearch(ask: Ask, search: Search): ReadPage {
  return async (query, signal) => {
    const params = { q: queryOf(search), sort: "latest", ...query };
    const { posts, cursor } = await ask(signal, (client, options) =>
      ok(client.call(searchPosts, { params, ...options })),
    );
    const last = posts.at(-1);
    const entries = posts.map(post => toEntry({ post }));
    return { entries, reachesTo: last && sortTime(last), next: last && cursor };
  };
}

/** Reposts have a reason in the feed; they are posts of other accounts. */
function isOwn(did: string): (item: FeedViewPost) => boolean {
  return ({ post, reason }) => reason === undefined && post.author.did === did;
}

function timeIn({ post, reason }: FeedViewPost): string {
  const isRepost = reason?.$type === "app.bsky.feed.defs#reasonRepost";
  return isRepost ? new Date(reason.indexedAt).toISOString() : sortTime(post);
}

function toEntry({ post, reply }: Pick<FeedViewPost, "post" | "reply">): Entry {
  return { uri: post.uri, time: sortTime(post), post: viewToPost(post, reply) };
}

/** How far a feed is read: a time, and the posts of that exact time that were read, since it may have more. */
interface FeedPosition {
  /** ISO 8601. */
  time: string;
  uris: string[];
}

/** Where to continue: after a position; inside a gap, from the service's own cursor. */
interface FeedCursor {
  after: FeedPosition;
  gap?: {
    /** The position after which to continue once the gap is read. */
    newest: FeedPosition;
    before: string;
  };
}

/** Before all posts. */
export const startPosition: FeedPosition = { time: "1970-01-01T00:00:00.000Z", uris: [] };

/** `time uri…`, and with a gap `time uri…|time uri…|cursor`. */
export function writeCursor({ after, gap }: FeedCursor): string {
  const places = gap ? [after, gap.newest] : [after];
  const before = gap ? [encodeURIComponent(gap.before)] : [];
  return [...places.map(({ time, uris }) => [time, ...uris].join(" ")), ...before].join("|");
}

export function readCursor(text: string): FeedCursor {
  const [after = "", newest, before, ...rest] = text.split("|");
  if (rest.length > 0 || (newest === undefined) !== (before === undefined)) throw invalidCursor();
  if (newest === undefined || before === undefined) return { after: readPosition(after) };
  return { after: readPosition(after), gap: { newest: readPosition(newest), before: decoded(before) } };
}

export function isAfter({ time, uris }: FeedPosition, post: { time: string; uri: string }): boolean {
  return post.time > time || (post.time === time && !uris.includes(post.uri));
}

/** The position after these posts, oldest first, are read too. */
export function advancePosition(from: FeedPosition, posts: { time: string; uri: string }[]): FeedPosition {
  const time = posts.at(-1)?.time ?? from.time;
  const uris = posts.filter(post => post.time === time).map(({ uri }) => uri);
  return { time, uris: time === from.time ? [...from.uris, ...uris] : uris };
}

function readPosition(text: string): FeedPosition {
  const [time = "", ...uris] = text.split(" ");
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time)) throw invalidCursor();
  return { time, uris };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw Object.assign(invalidCursor(), { cause: error });
  }
}

function invalidCursor(): Error {
  return invalid("cursor", "malformed", "`cursor` must be one that an answer has returned.");
}
