import type { mastodon } from "masto";
import type { NewPosts, PostPage } from "../../social/social-connector.ts";
import type { Ask } from "./api.ts";
import { isPost, toPost } from "./map-post.ts";

type Status = mastodon.v1.Status;

/** The largest page of the server. */
const pageSize = 40;
/** Pages that one poll reads. */
const maxPages = 5;

/** Before all posts: ids grow, as numbers or as text. */
const beginning = "0";

/** The id of the newest status of an account; later ones are new. */
export async function newestCursor(ask: Ask, accountId: string, signal: AbortSignal): Promise<string> {
  const [newest] = await statuses(ask, accountId, { limit: 1 }, signal);
  return newest?.id ?? beginning;
}

/** Statuses after the cursor, by `min_id`, which returns the oldest page first. */
export async function readSince(
  ask: Ask,
  accountId: string,
  cursor: string,
  signal: AbortSignal,
): Promise<NewPosts> {
  const found: Status[] = [];
  let minId = cursor;
  for (let pages = 0; pages < maxPages; pages++) {
    const page = await statuses(ask, accountId, { minId, limit: pageSize }, signal);
    const [newest] = page;
    if (!newest) return news(found, minId, false);
    found.push(...page.toReversed());
    minId = newest.id;
  }
  return news(found, minId, true);
}

/** Statuses before the cursor, newest first. A page can be short; only an empty page is the end. */
export async function readHistory(
  ask: Ask,
  accountId: string,
  { cursor, limit }: { cursor?: string; limit: number },
  signal: AbortSignal,
): Promise<PostPage> {
  const found: Status[] = [];
  let maxId = cursor;
  while (found.length < limit) {
    const query = { maxId, limit: Math.min(pageSize, limit - found.length) };
    const page = await statuses(ask, accountId, query, signal);
    const oldest = page.at(-1);
    if (!oldest) return { posts: found.map(toPost), next: null };
    found.push(...page.filter(isPost));
    maxId = oldest.id;
  }
  return { posts: found.map(toPost), next: maxId ?? null };
}

function news(found: Status[], cursor: string, more: boolean): NewPosts {
  return { posts: found.filter(isPost).map(toPost), cursor, more };
}

/** Reads a page, newest first. */
async function statuses(
  ask: Ask,
  accountId: string,
  query: { minId?: string; maxId?: string; limit: number },
  signal: AbortSignal,
): Promise<Status[]> {
  return await ask(signal, ({ v1 }) =>
    v1.accounts.$select(accountId).statuses.list({ ...query, excludeReblogs: true }),
  );
}
