import type { mastodon } from "masto";
import type { News, Page } from "../../social/social-connector.ts";
import type { Ask } from "./api.ts";
import { isPost, toPost } from "./map-status.ts";

type Status = mastodon.v1.Status;

/** The most that the server gives at once. */
const pageSize = 40;
/** Pages that one look at a source reads. */
const maxPages = 5;

/** Before all posts: ids are numbers that grow. */
const beginning = "0";

/** The newest status of an account: what came after it is news. */
export async function newestCursor(ask: Ask, accountId: string, signal: AbortSignal): Promise<string> {
  const [newest] = await statuses(ask, accountId, { limit: 1 }, signal);
  return newest?.id ?? beginning;
}

/** Statuses after the cursor, by `min_id`, which gives the oldest of them first, page by page. */
export async function statusesSince(
  ask: Ask,
  accountId: string,
  cursor: string,
  signal: AbortSignal,
): Promise<News> {
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

/** Statuses before the cursor, newest first. A page may be short; only an empty one is the end. */
export async function statusesBefore(
  ask: Ask,
  accountId: string,
  { cursor, limit }: { cursor?: string; limit: number },
  signal: AbortSignal,
): Promise<Page> {
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

function news(found: Status[], cursor: string, more: boolean): News {
  return { posts: found.filter(isPost).map(toPost), cursor, more };
}

/** One page, newest first. */
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
