import type { Post } from "../contracts/connectors.contract.ts";
import type { MicroblogPost } from "../contracts/social.ts";

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

/**
 * Reads posts of an account, newest first, until there are `limit` of them or no more. It hands each page to the tracker
 * before it reads the next; the tracker publishes a post once. `next` is the cursor for a later call, null at the end.
 */
export async function backfill(
  { history, receive }: AccountPosts,
  { uid, cursor, limit }: { uid: string; cursor?: string; limit: number },
): Promise<{ posts: MicroblogPost[]; next: string | null }> {
  const posts: MicroblogPost[] = [];
  let next: string | null = cursor ?? null;
  for (;;) {
    const page = await history({
      uid,
      limit: Math.min(limit - posts.length, pageSize),
      ...(next !== null && { cursor: next }),
    });
    if (page.posts.length > 0) await receive(uid, page.posts.map(asPost).reverse());
    posts.push(...page.posts);
    next = page.next_cursor;
    // Platforms give empty pages with a cursor where posts were deleted. The caller may continue from it.
    if (next === null || posts.length >= limit || page.posts.length === 0) return { posts, next };
  }
}

/** Gives the post the identity that a poll of the account gives it, so that the tracker publishes it once. */
export function asPost(post: MicroblogPost): Post {
  return { postId: post.rest_id, revision: "1", type: "microblog.post.created", data: { post } };
}
