import type { MicroblogPost } from "../contracts/social.ts";
import { asPost, type Outside } from "./outside.ts";

/** As much as networks give at a time, and little enough that a page which fails costs little. */
const pageSize = 100;

/**
 * Fetches posts of an account, newest first, until there are as many as wanted or no more. Each page is handed to those
 * who track the account before the next is asked for; handing it on again is harmless. `next` is null at the end.
 */
export async function backfill(
  { history, receive }: Outside,
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
    // Networks give empty pages with a cursor where posts were deleted; whoever asked goes on if need be.
    if (next === null || posts.length >= limit || page.posts.length === 0) return { posts, next };
  }
}
