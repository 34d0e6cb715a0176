import type { PlannedPost } from "../contracts/admin.contract.ts";
import type { Post } from "../contracts/connectors.contract.ts";
import type { MicroblogPost } from "../contracts/social.ts";
import { type Foreseen, maxReceivedPosts } from "../contracts/tracker.contract.ts";
import { type AccountPosts, asPost } from "./backfill.ts";
import { checkPosts, parsePosts, textAt } from "./parse-posts.ts";

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

/** Asks the tracker what it would do with posts of one account. */
export type Foreseeing = (
  externalId: string,
  posts: Pick<Post, "postId" | "revision">[],
) => Promise<Foreseen>;

const mostShownKeys = 100;

/** Says what `dispatch` would do with each post of a body, and does nothing. */
export async function foresee(
  foreseeing: Foreseeing,
  body: { post?: unknown; posts?: unknown[] },
): Promise<{ message: string; data: PlannedPost[] }> {
  const planned = checkPosts(body).map(({ place, value, details }) => ({
    ...{ post: value as MicroblogPost, place, details },
    rest_id: textAt(value, "rest_id"),
    author: textAt(value, "core.user_results.result.rest_id"),
  }));
  const valid = planned.filter(({ details }) => details.length === 0);
  const plans = new Map<object, Keys>();
  for (const [author, some] of Map.groupBy(valid, ({ author }) => String(author)))
    for (const [at, keys] of (await keysOf(foreseeing, author, some)).entries())
      plans.set(some[at] as object, keys);
  const data = planned.map(each => {
    const { post: _, ...shown } = each;
    return { ...shown, ...outcomeOf(plans.get(each)) };
  });
  return { data, message: planSummary(data) };
}

/** Keys that would get a post, and those that have it. */
interface Keys {
  fresh: string[];
  known: string[];
}

/** Asks portion by portion. A post that is there twice is known at its second place. */
async function keysOf(
  foreseeing: Foreseeing,
  author: string,
  posts: { post: MicroblogPost; rest_id: string | null }[],
): Promise<Keys[]> {
  const seen = new Set<string | null>();
  const keys: Keys[] = [];
  for (let from = 0; from < posts.length; from += maxReceivedPosts) {
    const portion = posts.slice(from, from + maxReceivedPosts);
    const ids = portion.map(({ post }) => asPost(post)).map(({ postId, revision }) => ({ postId, revision }));
    const { keyIds, holders } = await foreseeing(author, ids);
    for (const [at, { rest_id }] of portion.entries()) {
      const having = new Set(seen.has(rest_id) ? keyIds : holders[at]);
      seen.add(rest_id);
      keys.push({
        fresh: keyIds.filter(keyId => !having.has(keyId)),
        known: keyIds.filter(keyId => having.has(keyId)),
      });
    }
  }
  return keys;
}

function outcomeOf(
  plan: Keys | undefined,
): Pick<PlannedPost, "outcome" | "new_keys" | "known_keys" | "keys"> {
  if (!plan) return { outcome: "invalid", new_keys: 0, known_keys: 0, keys: [] };
  const { fresh, known } = plan;
  const keys = [
    ...fresh.map(key_id => ({ key_id, known: false })),
    ...known.map(key_id => ({ key_id, known: true })),
  ].slice(0, mostShownKeys);
  const outcome = fresh.length > 0 ? "new" : known.length > 0 ? "known" : "untracked";
  return { outcome, new_keys: fresh.length, known_keys: known.length, keys };
}

function planSummary(data: PlannedPost[]): string {
  const counted = (wanted: PlannedPost["outcome"]) => data.filter(({ outcome }) => outcome === wanted).length;
  const parts = [
    `${counted("new")} new`,
    `${counted("known")} known to all keys`,
    `${counted("untracked")} of authors that no key tracks`,
    `${counted("invalid")} invalid`,
  ];
  return `Dry run, nothing was dispatched. Of ${data.length} ${data.length === 1 ? "post" : "posts"}: ${parts.join(", ")}.`;
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
