import type { Post } from "../contracts/connectors.contract.ts";
import { invalid } from "../contracts/errors.ts";
import type { MicroblogPost } from "../contracts/social.ts";
import { isoTimeOf } from "../domain/text/iso-time.ts";

/** The posts of microblog accounts: read from the platform, and received by the tracker. */
export interface AccountPosts {
  /** A page of an account's posts, newest first. */
  history(page: {
    uid: string;
    cursor?: string;
    limit: number;
  }): Promise<{ posts: MicroblogPost[]; next_cursor: string | null }>;
  /** Hands posts of one account to the tracker, oldest first. */
  receive(externalId: string, posts: Post[]): Promise<{ isTracked: boolean }>;
}

/** As many as platforms give in one page; when a page fails, no more than this is read again. */
const pageSize = 100;

/** Posts that one call reads, at most, however many of them are outside the range. */
const mostRead = 1000;

/** Which posts: `since` and later, before `until`, in Unix milliseconds. */
export interface Range {
  since?: number;
  until?: number;
}

/**
 * Reads posts of an account, newest first, until there are `limit` of the range, or no more. It hands each page to the
 * tracker before it reads the next; the tracker publishes a post once. `next` is the cursor for a later call, null at the
 * end of the range. Posts without a time are in no range.
 */
export async function backfill(
  { history, receive }: AccountPosts,
  { uid, cursor, limit, ...range }: { uid: string; cursor?: string; limit: number } & Range,
): Promise<{ posts: MicroblogPost[]; next: string | null }> {
  const posts: MicroblogPost[] = [];
  let next: string | null = cursor ?? null;
  for (let read = 0; ; ) {
    const page = await history({
      uid,
      limit: Math.min(limit - posts.length, pageSize),
      ...(next !== null && { cursor: next }),
    });
    const wanted = page.posts.filter(post => isWithin(post, range));
    if (wanted.length > 0) await receive(uid, wanted.map(asPost).reverse());
    posts.push(...wanted);
    read += page.posts.length;
    next = isPast(page.posts, range) ? null : page.next_cursor;
    // Platforms give empty pages with a cursor where posts were deleted. The caller may continue from it.
    if (next === null || posts.length >= limit || page.posts.length === 0 || read >= mostRead)
      return { posts, next };
  }
}

/** The range that a request names. Throws what is wrong with it. */
export function rangeOf({ since, until }: { since?: string; until?: string }): Range {
  const range = {
    ...(since !== undefined && { since: timeIn("since", since) }),
    ...(until !== undefined && { until: timeIn("until", until) }),
  };
  if ((range.since ?? 0) >= (range.until ?? Number.POSITIVE_INFINITY))
    throw invalid("until", "invalid_time", "`until` must be later than `since`.");
  return range;
}

function timeIn(field: string, text: string): number {
  const time = isoTimeOf(text);
  if (Number.isNaN(time)) throw invalid(field, "invalid_time", `\`${field}\` must be an ISO 8601 time.`);
  return time;
}

function isWithin({ legacy }: MicroblogPost, { since, until }: Range): boolean {
  if (since === undefined && until === undefined) return true;
  const at = Date.parse(legacy.created_at ?? "");
  return at >= (since ?? Number.NEGATIVE_INFINITY) && at < (until ?? Number.POSITIVE_INFINITY);
}

/** Whether the last post of a page that has a time comes before the range: what follows is older still. */
function isPast(posts: MicroblogPost[], { since }: Range): boolean {
  const times = posts.map(({ legacy }) => Date.parse(legacy.created_at ?? ""));
  const last = times.findLast(time => !Number.isNaN(time));
  return since !== undefined && last !== undefined && last < since;
}

/** Gives the post the identity that a poll of the account gives it, so that the tracker publishes it once. */
export function asPost(post: MicroblogPost): Post {
  return { postId: post.rest_id, revision: "1", type: "microblog.post.created", data: { post } };
}
