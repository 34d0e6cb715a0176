import { monotonicFactory } from "ulid";
import { allEnded } from "../../../mixins/async/timeout.ts";
import type { Kept, NewVersion, Version } from "../../../mixins/history/history.ts";
import type { CheckedVersion, Post } from "../../contracts/connectors.contract.ts";
import type { TrackerContext } from "../context.ts";
import type { StoredSource } from "../sources.store.ts";
import { eventOf, opened, toldAt, toldChange } from "./new-versions.ts";
import type { ToldPost } from "./source-events.ts";

type Keeper = Pick<TrackerContext, "history" | "now">;

/** What a step through a site saw: the pages that say something else than at their last visit, and what is told of the site. */
interface SeenPages {
  posts: Post[];
  items: CheckedVersion[];
  at: number;
}

/**
 * Keeps what pages of a site say; `item` of a version is the address of its page. A page without a post was visited for the first
 * time, or has changed with the whole site. Answers the posts with the versions to which they refer.
 */
export async function keepSitePages(
  { history, now }: Keeper,
  { _id: sourceId }: Pick<StoredSource, "_id">,
  { posts, items, at }: SeenPages,
): Promise<{ posts: ToldPost[]; versionId?: string }> {
  const newId = monotonicFactory();
  const postOf = new Map(posts.filter(saysSomething).map(post => [addressOf(post), post]));
  const versions = await allEnded(
    items.map(item =>
      seenVersion({ history, now }, sourceId, postOf.get(item.item ?? ""), item, { id: newId(at), at }),
    ),
  );
  const seen = new Set(versions.map(({ item }) => item));
  for (const [url, post] of postOf)
    if (url !== undefined && post.type === "site.page.moved" && !seen.has(url))
      versions.push(...(await movedVersion({ history, now }, sourceId, { post, url, id: newId(at), at })));
  const kept = versions.length > 0 ? await history.add(versions) : [];
  const keptOf = new Map(versions.map(({ item }, n) => [item, kept[n]]));
  const told = posts.map(post => toldPage({ history }, sourceId, post, keptOf.get(addressOf(post))));
  const last = kept.at(-1)?.id;
  return { posts: await Promise.all(told), ...(last !== undefined && { versionId: last }) };
}

/** What a page says now, and why that is kept. */
async function seenVersion(
  { history, now }: Keeper,
  sourceId: string,
  post: Post | undefined,
  seen: CheckedVersion,
  { id, at }: Pick<NewVersion, "id" | "at">,
): Promise<NewVersion> {
  const { item: url = "" } = seen;
  const said = post
    ? {
        outcome: "changed" as const,
        reason: reasonOf(post),
        ...countsOf(post),
        ...eventOf(sourceId, post, now()),
      }
    : await saidOfSilent({ history }, sourceId, url);
  return { ...(await opened(sourceId, seen, id, at)), url, ...said };
}

/** The page that a post is about; undefined for one about the whole site. */
function addressOf({ data }: Post): string | undefined {
  const { url } = Object(data.page) as { url?: unknown };
  return typeof url === "string" ? url : undefined;
}

/** Whether a post is about what a page says now. */
function saysSomething({ type }: Post): boolean {
  return type === "site.page.added" || type === "site.page.changed" || type === "site.page.moved";
}

/** What a page said last at its former address, as the first version at its new one: later changes are compared with it. */
async function movedVersion(
  { history, now }: Keeper,
  sourceId: string,
  { post, url, id, at }: { post: Post; url: string; id: string; at: number },
): Promise<NewVersion[]> {
  const { from } = post.data;
  const [last] = typeof from === "string" ? await history.versions(sourceId, { item: from, limit: 1 }) : [];
  const content = last && (await history.content(last.hash));
  if (!last || !content) return [];
  const { title, hash } = last;
  const said = { outcome: "changed" as const, reason: reasonOf(post), ...eventOf(sourceId, post, now()) };
  return [{ id, sourceId, at, item: url, url, title, hash, content, words: "", ...said }];
}

const reasons: Partial<Record<Post["type"], string>> = {
  "site.page.added": "The page is new.",
  "site.page.moved": "The page has moved here.",
};

function reasonOf({ type }: Post): string {
  return reasons[type] ?? "The page has changed.";
}

/** How many lines came and went; a post about a new page says nothing of it. */
function countsOf({ data }: Post): Pick<Version, "added" | "removed"> {
  const { added, removed } = Object(data.change) as { added?: unknown; removed?: unknown };
  return {
    ...(Array.isArray(added) && { added: added.length }),
    ...(Array.isArray(removed) && { removed: removed.length }),
  };
}

async function saidOfSilent(
  { history }: Pick<Keeper, "history">,
  sourceId: string,
  item: string,
): Promise<Pick<Version, "outcome" | "reason">> {
  const [before] = await history.versions(sourceId, { item, limit: 1 });
  return before
    ? { outcome: "held", reason: "It has changed with many pages of the site, or in nothing that counts." }
    : { outcome: "first", reason: "This is what it said when it was first visited." };
}

async function toldPage(
  { history }: Pick<Keeper, "history">,
  sourceId: string,
  post: Post,
  kept: Kept | undefined,
): Promise<ToldPost> {
  if (!kept) return post;
  const item = addressOf(post);
  if (post.type !== "site.page.changed" || item === undefined)
    return toldAt(post, kept, { version: kept.id });
  const [before] = await history.versions(sourceId, { item, before: kept.id, limit: 1 });
  return toldChange(post, kept, before?.id ?? null);
}
