import type { Post } from "../../../contracts/connectors.contract.ts";
import { codeOf } from "../../../contracts/errors.ts";
import type { XPost } from "./answers.ts";
import { dataOf, missing } from "./judge.ts";
import { toPost } from "./map-post.ts";
import { isId } from "./parse-sid.ts";
import type { XRoom } from "./room.ts";

/** X gives no fewer than 5 posts a page, and no more than 100. */
const page = { least: 5, most: 100 };
const postFields = ["created_at", "note_post", "public_metrics", "text"] as const;
const expansions = ["author_id"] as const;

/** A part of what an account has posted: after one post, before another, and so many. */
export interface Stretch {
  sinceId?: string;
  untilId?: string;
  limit: number;
}

/** A post with the id that orders it. */
export interface TimelinePost {
  id: string;
  post: Post;
}

/** What an account has posted, newest first, without retweets; `isAll` when nothing of the stretch is left. */
export async function readTimeline(
  x: XRoom,
  userId: string,
  { limit, ...ends }: Stretch,
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
      // What was read is paid for; whoever goes on from there hears of the trouble.
      if (posts.length === 0 || codeOf(error) !== "connector_unavailable") throw error;
      return { posts, isAll: false };
    }
    // Retweets are left out of a page after it was cut, so that a page may be empty and not the last.
  } while (query.paginationToken && posts.length < limit);
  return { posts: posts.slice(0, limit), isAll: !query.paginationToken && posts.length <= limit };
}

/** The id of the newest post, retweets among them; "0" where there is none, so that the first one comes after it. */
export async function newestId(x: XRoom, userId: string, signal: AbortSignal): Promise<string> {
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
  { api, budget }: XRoom,
  userId: string,
  query: PageQuery,
  wanted: number,
  signal: AbortSignal,
): Promise<{ found: TimelinePost[]; next: string | undefined }> {
  if (!isId(userId)) throw missing();
  const size = Math.min(page.most, Math.max(page.least, wanted));
  const maxResults = await budget.take(size, page.least);
  let ids: string[] = [];
  try {
    const answer = await api.ask<XPost[]>(
      "timelines",
      (client, requestOptions) => {
        const fields = { postFields: [...postFields], expansions: [...expansions] };
        return client.users.getPosts(userId, { ...query, ...fields, maxResults, requestOptions });
      },
      signal,
    );
    const { includes, meta, errors } = answer;
    // An empty page has no list.
    const data = errors ? dataOf(answer) : (answer.data ?? []);
    ids = data.map(({ id }) => id);
    const found = data.map(post => ({ id: post.id, post: toPost(post, includes?.users) }));
    return { found: found.sort((a, b) => compareIds(b.id, a.id)), next: meta?.next_token };
  } finally {
    await budget.settle(maxResults, ids);
  }
}

/** By time: ids are numbers of up to 19 digits. */
function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : Number(a > b));
}
