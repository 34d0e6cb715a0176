import type { MicroblogPost } from "../contracts/social.ts";
import { asPost, type Outside } from "./outside.ts";
import { readPosts } from "./read-posts.ts";

/**
 * Hands posts to those who track their authors. What is no post refuses them all. When an author's cannot be taken in,
 * those of authors before are; the same request again completes it, since nothing is told twice.
 */
export async function dispatch(
  { receive }: Pick<Outside, "receive">,
  body: { post?: unknown; posts?: unknown[] },
): Promise<{ message: string }> {
  const posts = readPosts(body);
  let toNobody = 0;
  for (const [author, some] of Map.groupBy(posts, authorOf)) {
    const { isTracked } = await receive(author, some.sort(byTime).map(asPost));
    if (!isTracked) toNobody += some.length;
  }
  return { message: sentence(posts.length, toNobody) };
}

function authorOf({ core }: MicroblogPost): string {
  return core.user_results.result.rest_id;
}

/** Oldest first, as a source brings them. */
function byTime({ legacy: a }: MicroblogPost, { legacy: b }: MicroblogPost): number {
  return Date.parse(a.created_at) - Date.parse(b.created_at);
}

function sentence(count: number, toNobody: number): string {
  const told = `Dispatched ${count} ${count === 1 ? "post" : "posts"}.`;
  if (toNobody === 0) return told;
  if (toNobody === count)
    return `${told} Nobody receives ${count === 1 ? "it" : "them"}: no key tracks the author.`;
  return `${told} Nobody receives ${toNobody} of them: no key tracks the author.`;
}
