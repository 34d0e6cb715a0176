import type { MicroblogPost } from "../contracts/social.ts";
import { maxReceivedPosts } from "../contracts/tracker.contract.ts";
import { type AccountPosts, asPost } from "./backfill.ts";
import { parsePosts } from "./parse-posts.ts";

/**
 * Hands posts to the tracker, author by author. One value that is not a post refuses them all. When the tracker cannot
 * receive the posts of one author, it has received those of the authors before; the same request again completes the
 * rest, since the tracker publishes a post once.
 */
export async function dispatch(
  { receive }: Pick<AccountPosts, "receive">,
  body: { post?: unknown; posts?: unknown[] },
): Promise<{ message: string }> {
  const posts = parsePosts(body);
  let unreceived = 0;
  for (const [author, some] of Map.groupBy(posts, authorOf)) {
    if (!(await receiveAll(receive, author, some.sort(byTime)))) unreceived += some.length;
  }
  return { message: summary(posts.length, unreceived) };
}

/** Sends an author's posts in portions that one call takes. False when no key tracks the author. */
async function receiveAll(
  receive: AccountPosts["receive"],
  author: string,
  posts: MicroblogPost[],
): Promise<boolean> {
  let tracked = false;
  for (let from = 0; from < posts.length; from += maxReceivedPosts) {
    const portion = posts.slice(from, from + maxReceivedPosts);
    tracked = (await receive(author, portion.map(asPost))).isTracked;
  }
  return tracked;
}

function authorOf({ core }: MicroblogPost): string {
  return core.user_results.result.rest_id;
}

/** Oldest first, as a source gives them; posts without a time come first. */
function byTime(a: MicroblogPost, b: MicroblogPost): number {
  return timeOf(a) - timeOf(b);
}

function timeOf({ legacy: { created_at } }: MicroblogPost): number {
  return created_at === null ? 0 : Date.parse(created_at);
}

function summary(count: number, unreceived: number): string {
  const dispatched = `Dispatched ${count} ${count === 1 ? "post" : "posts"}.`;
  if (unreceived === 0) return dispatched;
  if (unreceived === count)
    return `${dispatched} Nobody receives ${count === 1 ? "it" : "them"}: no key tracks the author.`;
  return `${dispatched} Nobody receives ${unreceived} of them: no key tracks the author.`;
}
