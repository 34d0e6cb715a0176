import { monotonicFactory } from "ulid";
import type { Kept, NewVersion, Said, Version } from "../../../mixins/history/history.ts";
import type { Checked, CheckedVersion, Post } from "../../contracts/connectors.contract.ts";
import { itemChange } from "../../domain/history/item-change.ts";
import { type KeptItem, readItem } from "../../domain/history/item-forms.ts";
import type { TrackerContext } from "../context.ts";
import type { StoredSource } from "../sources.store.ts";
import { keepSitePages } from "./keep-site-pages.ts";
import { eventOf, opened, toldAt, toldChange } from "./new-versions.ts";
import type { ToldPost } from "./source-events.ts";

const longestReason = 300;
const longestQuietWords = 1024;

/** What a check leaves in the history. */
export interface KeptVersions {
  /** With the versions to which their events refer. */
  posts: ToldPost[];
  /** The newest version of a page, or what was kept last of a feed. */
  versionId?: string;
}

type Keeper = Pick<TrackerContext, "history" | "now">;
type Of = Pick<StoredSource, "_id" | "kind" | "version" | "run">;

/**
 * Keeps what a check saw, before its events are appended: an event never refers to a version that is not there. A repeat
 * after a crash writes the same versions again, or newer ones.
 */
export async function keepVersions(
  context: Keeper,
  source: Of,
  { posts, check }: { posts: Post[]; check?: Checked | undefined },
  at: number,
): Promise<KeptVersions> {
  if (source.kind === "site") return keepSitePages(context, source, { posts, items: check?.items ?? [], at });
  if (check?.items?.length) return keepItems(context, source, posts, { ...check, items: check.items }, at);
  if (!check) return { posts };
  const [post, ...others] = posts;
  const own = post && (await ownVersion(context, source, check));
  const compared = post && (await comparedWith(context, source, check, own));
  const kept = await keepPage(context, source, { post, check, own, compared }, at);
  if (!kept) return { posts, ...versionOf(source.version) };
  // The entries of a list are on one page, and new on it.
  if (post?.type === "web.item.created")
    return { posts: posts.map(each => toldAt(each, kept, { version: kept.id })), versionId: kept.id };
  const told = post ? [toldChange(post, kept, compared ?? null)] : [];
  return { posts: [...told, ...others], versionId: kept.id };
}

/** Keeps the first version of a page, or of the items of a feed. Answers the one of the page. */
export async function keepFirst(
  { history }: Pick<Keeper, "history">,
  sourceId: string,
  { version, items = [] }: Pick<Checked, "version" | "items">,
  at: number,
): Promise<Pick<StoredSource, "version">> {
  const newId = monotonicFactory();
  const said = { outcome: "first" as const, reason: "This is what it said when it was first tracked." };
  const versions: NewVersion[] = [];
  for (const each of version ? [version, ...items] : items)
    versions.push({ ...(await opened(sourceId, each, newId(at), at)), ...said });
  const [first] = versions.length > 0 ? await history.add(versions) : [];
  return version && first ? { version: first.id } : {};
}

interface SeenPage {
  post: Post | undefined;
  check: Checked;
  /** Its version, where that is kept already. */
  own: string | undefined;
  /** The version with which it was compared. */
  compared: string | undefined;
}

/** The version of a page that a check found, or confirmed; undefined where there is none. */
async function keepPage(
  { history, now }: Keeper,
  { _id: sourceId, version: former }: Of,
  { post, check: { version, outcome, reason }, own, compared }: SeenPage,
  at: number,
): Promise<Kept | undefined> {
  const said: Said = {
    outcome: former === undefined && !post ? "first" : outcome,
    reason: reason.slice(0, longestReason),
    ...countsOf(version, post),
    ...pictureOf(post),
    ...eventOf(sourceId, post, now()),
    ...(compared !== undefined && { previousId: compared }),
  };
  if (version) {
    const content = await opened(sourceId, version, monotonicFactory()(at), at);
    const words = isQuiet(said) ? content.words.slice(0, longestQuietWords) : content.words;
    return (await history.add([{ ...content, ...said, words }]))[0];
  }
  // A second check has confirmed what the first one kept.
  return post && own !== undefined ? history.restate(sourceId, own, said) : undefined;
}

/** Nothing counted in it: a page that changes all the time has such versions, which would fill the index. */
function isQuiet({ outcome }: Said): boolean {
  return outcome === "same" || outcome === "muted";
}

/**
 * The version of what a check saw, where that is kept. The source does not name it when the process died that had kept it.
 */
async function ownVersion(
  { history }: Keeper,
  { _id: sourceId, version: former }: Of,
  { version, keptAs: hash }: Checked,
): Promise<string | undefined> {
  const [same] = hash === undefined ? [] : await history.versions(sourceId, { hash, limit: 1 });
  if (same) return same.id;
  const [newest] = await history.versions(sourceId, { limit: 1 });
  return !version || newest?.hash === version.hash ? (newest?.id ?? former) : undefined;
}

/** The version with which a check was compared: the one of this content, else the one before; undefined for none. */
async function comparedWith(
  { history }: Keeper,
  { _id: sourceId, version: former }: Of,
  { against }: Checked,
  own: string | undefined,
): Promise<string | undefined> {
  const before = { ...(own !== undefined && { before: own }), limit: 1 };
  const [same] = against === undefined ? [] : await history.versions(sourceId, { ...before, hash: against });
  if (same) return same.id;
  if (former !== undefined && former !== own) return former;
  return (await history.versions(sourceId, before))[0]?.id;
}

async function keepItems(
  context: Keeper,
  { _id: sourceId, run }: Of,
  posts: Post[],
  { items, reason }: Checked & { items: CheckedVersion[] },
  at: number,
): Promise<KeptVersions> {
  const newId = monotonicFactory();
  const postOf = new Map(posts.map(post => [post.postId, post]));
  const silent = run === undefined ? ("first" as const) : ("held" as const);
  const versions: NewVersion[] = [];
  for (const item of items) {
    const post = postOf.get(item.item ?? "");
    const said = post
      ? { outcome: "changed" as const, reason: itemReason(post), ...eventOf(sourceId, post, context.now()) }
      : { outcome: silent, reason: reason.slice(0, longestReason) };
    versions.push({ ...(await opened(sourceId, item, newId(at), at)), ...said });
  }
  const kept = await context.history.add(versions);
  const keptOf = new Map(versions.map(({ item, content }, n) => [item, { content, kept: kept[n] }]));
  const told = await Promise.all(
    posts.map(post => toldItem(context, sourceId, post, keptOf.get(post.postId))),
  );
  return { posts: told, ...versionOf(kept.at(-1)?.id) };
}

function itemReason({ type }: Post): string {
  return type === "rss.item.updated" ? "The item has changed." : "The item is new.";
}

/** An item that has changed has a version before, unless that was too long ago, and says how it differs from it. */
async function toldItem(
  { history }: Keeper,
  sourceId: string,
  post: Post,
  { content, kept }: { content?: Uint8Array; kept?: Kept | undefined } = {},
): Promise<ToldPost> {
  if (!kept || !content) return post;
  if (post.type !== "rss.item.updated") return toldAt(post, kept, { version: kept.id });
  const [before] = await history.versions(sourceId, { item: post.postId, before: kept.id, limit: 1 });
  const former = before && (await history.content(before.hash));
  const change = former && itemChange(itemIn(former), itemIn(content));
  const data = { ...post.data, ...(change && { change }) };
  return toldChange({ ...post, data }, kept, before?.id ?? null);
}

function itemIn(content: Uint8Array): KeptItem {
  return readItem(Buffer.from(content).toString());
}

function versionOf(id: string | undefined): Pick<KeptVersions, "versionId"> {
  return id === undefined ? {} : { versionId: id };
}

function countsOf(
  version: CheckedVersion | undefined,
  post: Post | undefined,
): Pick<Version, "added" | "removed"> {
  const { added, removed } = version ?? changeCounts(post);
  return { ...(added !== undefined && { added }), ...(removed !== undefined && { removed }) };
}

/** The picture of the page that was taken with a change. */
function pictureOf(post: Post | undefined): Pick<Version, "picture"> {
  const { after } = Object(Object(post?.data.change).screenshot) as { after?: unknown };
  return typeof after === "string" ? { picture: after } : {};
}

function changeCounts(post: Post | undefined): Pick<Version, "added" | "removed"> {
  const { added, removed } = Object(post?.data.change) as { added?: unknown; removed?: unknown };
  return {
    ...(Array.isArray(added) && { added: added.length }),
    ...(Array.isArray(removed) && { removed: removed.length }),
  };
}
