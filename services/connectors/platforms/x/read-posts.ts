import type { Post } from "../../../contracts/connectors.contract.ts";
import { codeOf, invalid } from "../../../contracts/errors.ts";
import type { MicroblogPost } from "../../../contracts/social.ts";
import { queryOf, type Search, searchOf } from "../../social/search.ts";
import type { NewPosts, PostPage } from "../../social/social-connector.ts";
import { dataOf, notFound, type XPost } from "./api.ts";
import type { XContext } from "./context.ts";
import { timeOfId, toMicroblogPost, toPost } from "./map-post.ts";
import { isId } from "./sid.ts";

/** Posts per call. */
const maxPosts = 300;

/**
 * What an account posted after the cursor. X returns the newest first: when more is new than one call takes, older posts
 * follow in the next calls, each oldest first, and the cursor stores the remaining gap.
 */
export async function readSince(
  x: XContext,
  userId: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<NewPosts> {
  if (cursor === null) return { posts: [], cursor: await newestCursor(x, userId, signal), more: false };
  const { after, before, newest } = parseCursor(cursor);
  // "0" is before every post, and not sent to X as an id.
  const ends = { ...(after !== "0" && { sinceId: after }), ...(before && { untilId: before }) };
  const { posts, isAll } = await readTimeline(x, userId, { ...ends, limit: maxPosts }, signal);
  const upTo = newest ?? posts[0]?.id ?? after;
  const next = isAll ? upTo : `${after}-${posts.at(-1)?.id}-${upTo}`;
  return { posts: posts.map(({ post }) => post).reverse(), cursor: next, more: !isAll };
}

/** `<newest published>`, or `<newest published before the gap>-<oldest published after it>-<newest published>`. */
function parseCursor(cursor: string): { after: string; before?: string; newest?: string } {
  const [, after, before, newest] = /^(\d{1,19})(?:-(\d{1,19})-(\d{1,19}))?$/.exec(cursor) ?? [];
  if (after === undefined) throw invalid("cursor", "malformed", "This is no cursor of X.");
  return { after, ...(before && { before }), ...(newest && { newest }) };
}

/** What an account has posted, newest first. X returns the latest 3200 posts only. A cursor is the last post's id. */
export async function readHistory(
  x: XContext,
  userId: string,
  { cursor, limit }: { cursor?: string; limit: number },
  signal: AbortSignal,
): Promise<PostPage> {
  if (cursor !== undefined && !isId(cursor))
    throw invalid("cursor", "malformed", "Give the next_cursor of an answer as cursor, or none.");
  const stretch = { limit, ...(cursor && { untilId: cursor }) };
  const { posts, isAll } = await readTimeline(x, userId, stretch, signal);
  return { posts: posts.map(({ post }) => post), next: isAll ? null : (posts.at(-1)?.id ?? null) };
}

/** Reads a post by its id. */
export async function getPost(
  { api, budget }: XContext,
  postId: string,
  signal: AbortSignal,
): Promise<MicroblogPost> {
  if (!isId(postId)) throw notFound();
  const taken = await budget.take(1);
  let ids: string[] = [];
  try {
    const answer = await api.ask<XPost>(
      "posts",
      (client, requestOptions) => client.posts.getById(postId, { ...wantedFields(), requestOptions }),
      signal,
    );
    const post = dataOf(answer);
    ids = [post.id];
    return toMicroblogPost(post, answer.includes);
  } finally {
    await budget.settle(taken, ids);
  }
}

/** X returns at least 5 posts a page, and at most 100. */
const page = { least: 5, leastOfSearch: 10, most: 100 };
export const mediaFields = ["alt_text", "media_key", "preview_image_url", "type", "url", "variants"] as const;
const postFields = [
  "attachments",
  "created_at",
  "entities",
  "lang",
  "note_post",
  "public_metrics",
  "text",
] as const;
export const pollFields = ["end_datetime", "id", "options"] as const;
/** Posts that these refer to are not among them: X would bill them. */
const expansions = ["author_id", "attachments.media_keys", "attachments.poll_ids"] as const;

/** What X is asked to say of each post. */
function wantedFields() {
  return {
    postFields: [...postFields],
    expansions: [...expansions],
    mediaFields: [...mediaFields],
    pollFields: [...pollFields],
  };
}

/** A part of an account's timeline: after one post, before another, at most so many. */
interface TimelineRange {
  sinceId?: string;
  untilId?: string;
  limit: number;
}

/** A post with the id that orders it. */
interface TimelinePost {
  id: string;
  post: Post;
}

/** The posts of a part of a timeline, newest first, without retweets; `isAll` when none is left. */
async function readTimeline(
  x: XContext,
  userId: string,
  { limit, ...ends }: TimelineRange,
  signal: AbortSignal,
): Promise<{ posts: TimelinePost[]; isAll: boolean }> {
  const posts: TimelinePost[] = [];
  const query: PageQuery = { ...ends, exclude: ["retweets"] };
  do {
    try {
      const { found, next } = await readPage(x, userId, query, limit - posts.length, signal);
      posts.push(...found);
      query.paginationToken = next;
    } catch (error) {
      // X has billed what was read; the next call gets the error.
      if (posts.length === 0 || codeOf(error) !== "connector_unavailable") throw error;
      return { posts, isAll: false };
    }
    // X filters retweets after it has cut the page, so a page can be empty without being the last.
  } while (query.paginationToken && posts.length < limit);
  return { posts: posts.slice(0, limit), isAll: !query.paginationToken && posts.length <= limit };
}

/** The id of the newest post, retweets included; "0" where there is none, so that the first post comes after it. */
export async function newestCursor(x: XContext, userId: string, signal: AbortSignal): Promise<string> {
  const { found } = await readPage(x, userId, {}, page.least, signal);
  return found[0]?.id ?? "0";
}

interface PageQuery {
  sinceId?: string;
  untilId?: string;
  paginationToken?: string | undefined;
  exclude?: "retweets"[];
}

async function readPage(
  { api, budget, tools }: XContext,
  sourceId: string,
  query: PageQuery,
  wanted: number,
  signal: AbortSignal,
): Promise<{ found: TimelinePost[]; next: string | undefined }> {
  const search = searchOf(sourceId);
  if (!search && !isId(sourceId)) throw notFound();
  const least = search ? page.leastOfSearch : page.least;
  const size = Math.min(page.most, Math.max(least, wanted));
  const maxResults = await budget.take(size, least);
  let ids: string[] = [];
  try {
    const answer = await api.ask<XPost[]>(
      search ? "searches" : "timelines",
      (client, requestOptions) => {
        const options = { ...wantedFields(), maxResults, requestOptions };
        if (search)
          return client.posts.searchRecent(wordsOf(search), {
            ...searchable(query, tools.now()),
            ...options,
          });
        return client.users.getPosts(sourceId, { ...query, ...options });
      },
      signal,
    );
    const { includes, meta, errors } = answer;
    // An empty page has no list.
    const data = errors ? dataOf(answer) : (answer.data ?? []);
    ids = data.map(({ id }) => id);
    const found = data.map(post => ({ id: post.id, post: toPost(post, includes) }));
    return { found: found.sort((a, b) => compareIds(b.id, a.id)), next: meta?.next_token };
  } finally {
    await budget.settle(maxResults, ids);
  }
}

function wordsOf(search: Search): string {
  return "tag" in search ? `${queryOf(search)} -is:retweet` : `(${queryOf(search)}) -is:retweet`;
}

/** X searches the last seven days, and refuses ids of posts before them. */
const searchedMs = 7 * 24 * 60 * 60 * 1000 - 60_000;

function searchable({ exclude: _, sinceId, paginationToken: nextToken, ...query }: PageQuery, now: number) {
  const isOld = sinceId !== undefined && (timeOfId(sinceId) ?? 0) < now - searchedMs;
  return {
    ...query,
    ...(nextToken && { nextToken }),
    ...(sinceId !== undefined && !isOld && { sinceId }),
    sortOrder: "recency" as const,
  };
}

/** Sorts by time: ids are numbers of up to 19 digits. */
function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : Number(a > b));
}
