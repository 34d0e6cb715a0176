import type { mastodon } from "masto";
import { invalid } from "../../../contracts/errors.ts";
import {
  type FirstPage,
  lateOn,
  overlapMs,
  readFirstPage,
  type Search,
  writeFirstPage,
} from "../../social/search.ts";
import { isRefusal, type NewPosts, type PostPage } from "../../social/social-connector.ts";
import type { Ask } from "./api.ts";
import { isPost, toPost } from "./map-post.ts";

type Status = mastodon.v1.Status;

/** What a search is read with. */
interface Reading {
  ask: Ask;
  search: Search;
  now(): number;
}

const pageSize = 40;
/** Pages that one poll reads. */
const maxPages = 5;
const beginning = "0";

/** The newest status at a time, in milliseconds: what was read until then. */
interface Mark {
  id: string;
  at: number;
}

/** How far a search is read. `gap`: a poll stopped in between; `before` is where to continue, towards the first mark. */
interface SearchCursor {
  /** Oldest first. What came after the first one is read again: posts of other servers arrive late, among older ones. */
  marks: Mark[];
  gap?: { before: string; newest: string };
  first: FirstPage;
}

/** The cursor of this moment. */
export async function newestSearchCursor({ now, ...reading }: Reading, signal: AbortSignal): Promise<string> {
  const page = await readPage({ ...reading, now }, { limit: pageSize }, signal);
  const at = now();
  const { seen } = lateOn({ began: at, shown: [] }, page.map(dated), at);
  return writeCursor({ marks: [{ id: page[0]?.id ?? beginning, at }], first: seen });
}

/**
 * What is new since the cursor, backwards from the newest; repeats what came shortly before the cursor. Of older posts,
 * those that its first page did not show the last time are new, too.
 */
export async function readSearchSince(
  reading: Reading,
  cursor: string,
  signal: AbortSignal,
): Promise<NewPosts> {
  const now = reading.now();
  const { marks, gap, first } = readCursor(cursor);
  const bound = marks[0]?.id ?? beginning;
  const found: Status[] = [];
  let [before, isAll, seen] = [gap?.before, false, first];
  for (let pages = 0; pages < maxPages && !isAll; pages++) {
    const page = await readPage(reading, { limit: pageSize, ...(before && { maxId: before }) }, signal);
    const fresh = page.filter(({ id }) => isAfter(id, bound));
    found.push(...fresh);
    if (before === undefined) {
      const checked = lateOn(first, page.map(dated), now);
      found.push(...checked.late.map(({ status }) => status).filter(({ id }) => !isAfter(id, bound)));
      seen = checked.seen;
    }
    isAll = fresh.length < page.length || page.length === 0;
    before = page.at(-1)?.id ?? before;
  }
  const last = marks.at(-1)?.id ?? beginning;
  const newest = gap?.newest ?? newestOf(found, last);
  const next: SearchCursor =
    isAll || before === undefined
      ? { marks: trimmed([...marks, { id: newest, at: now }], now), first: seen }
      : { marks, gap: { before, newest }, first: seen };
  const posts = found.toReversed().filter(isPost).map(toPost);
  return { posts, cursor: writeCursor(next), more: next.gap !== undefined };
}

function dated(status: Status) {
  return { id: status.id, at: Date.parse(status.createdAt), status };
}

/** Older statuses with each cursor, newest first. */
export async function readSearchHistory(
  reading: Reading,
  { cursor, limit }: { cursor?: string; limit: number },
  signal: AbortSignal,
): Promise<PostPage> {
  const found: Status[] = [];
  let maxId = cursor;
  while (found.length < limit) {
    const size = Math.min(pageSize, limit - found.length);
    const page = await readPage(reading, { limit: size, ...(maxId && { maxId }) }, signal);
    const oldest = page.at(-1);
    if (!oldest) return { posts: found.map(toPost), next: null };
    found.push(...page.filter(isPost));
    maxId = oldest.id;
  }
  return { posts: found.map(toPost), next: maxId ?? null };
}

/** Reads a page, newest first. */
async function readPage(
  { ask, search }: Reading,
  query: { limit: number; maxId?: string },
  signal: AbortSignal,
): Promise<Status[]> {
  if ("tag" in search) return await ask(signal, ({ v1 }) => v1.timelines.tag.$select(search.tag).list(query));
  const wanted = { ...query, q: search.words, type: "statuses" } as const;
  const { statuses } = await ask(signal, ({ v2 }) => v2.search.list(wanted)).catch(error => {
    throw mayNotSearch(error) ? searchRefused(error) : error;
  });
  return statuses;
}

/** The token is good for everything else. */
function mayNotSearch(error: unknown): boolean {
  const { cause } = error as { cause?: { statusCode?: number } };
  return isRefusal(error) && cause?.statusCode === 403;
}

function searchRefused(cause: unknown): Error {
  const message =
    "The Mastodon server does not let this installation search posts for words (scope read:search). Hashtags such as #birds can be tracked.";
  return Object.assign(invalid("sid", "unsupported_search", message), { cause });
}

/** Keeps the last mark that is old enough, and all after it. */
function trimmed(marks: Mark[], now: number): Mark[] {
  const first = marks.findLastIndex(({ at }) => at <= now - overlapMs);
  return marks.slice(Math.max(0, first));
}

function newestOf(statuses: Status[], id: string): string {
  return statuses.reduce((newest, status) => (isAfter(status.id, newest) ? status.id : newest), id);
}

/** Ids grow, as numbers or as text. */
function isAfter(a: string, b: string): boolean {
  return a.length === b.length ? a > b : a.length > b.length;
}

/** `id@time id@time…`, with a gap `|before|newest`, and `~` the first page. */
function writeCursor({ marks, gap, first }: SearchCursor): string {
  const texts = marks.map(({ id, at }) => `${id}@${at}`).join(" ");
  const place = gap ? `${texts}|${gap.before}|${gap.newest}` : texts;
  return `${place}~${writeFirstPage(first)}`;
}

function readCursor(cursor: string): SearchCursor {
  const [place = "", page] = cursor.split("~");
  const id = "[A-Za-z0-9_-]{1,64}";
  const form = new RegExp(`^(${id}@\\d{1,15}(?: ${id}@\\d{1,15})*)(?:\\|(${id})\\|(${id}))?$`);
  const [, texts, before, newest] = form.exec(place) ?? [];
  if (texts === undefined)
    throw invalid("cursor", "malformed", "`cursor` must be one that an answer has returned.");
  const marks = texts.split(" ").map(text => {
    const [mark = "", at] = text.split("@");
    return { id: mark, at: Number(at) };
  });
  return { marks, ...(before && newest && { gap: { before, newest } }), first: readFirstPage(page) };
}
