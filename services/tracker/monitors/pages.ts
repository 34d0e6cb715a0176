import { createHash } from "node:crypto";
import type { Post } from "../../contracts/connectors.contract.ts";
import type { MonitorPage } from "../../contracts/monitors.contract.ts";
import type { Judgement } from "../../contracts/site-events.ts";
import { present } from "../../domain/json/fields.ts";
import type { TrackerContext } from "../context.ts";
import { bodyIdOf } from "../polling/source-events.ts";
import { addressOf, type StoredSource, viewOf } from "../sources.store.ts";
import type { StoredMember, StoredPage } from "./monitors.store.ts";

type Data = Record<string, unknown>;
type Found = Pick<StoredPage, "url" | "status"> & Partial<StoredPage>;

/**
 * Notes what a poll of a monitor's source has found, for the check under way or the next one. After a crash the poll is
 * repeated, and finds the same pages.
 */
export async function noteNews(
  { members, pages }: Pick<TrackerContext, "members" | "pages">,
  source: StoredSource,
  posts: Post[],
  at: number,
): Promise<void> {
  const monitorId = posts.length > 0 ? viewOf(source).monitor : undefined;
  const member = monitorId === undefined ? null : await members.findOne({ monitorId, sourceId: source._id });
  if (!member) return;
  for (const post of posts) {
    const found = foundBy(post, source);
    if (!found) continue;
    const page = pageOf(member, `${member.monitorId}/${bodyIdOf(source._id, post)}`, { ...found, at });
    await pages.upsert(page._id, { $set: withoutId(page) });
  }
}

/** A page as it is stored, with an id that a repeat finds again. */
export function pageOf(
  { _id: memberId, monitorId, keyId, target, sourceId }: StoredMember,
  identity: string,
  found: Found & Pick<StoredPage, "at">,
): StoredPage {
  return {
    _id: createHash("sha256").update(identity).digest("hex").slice(0, 32),
    monitorId,
    keyId,
    memberId,
    target,
    sourceId: sourceId ?? null,
    title: null,
    ...found,
  };
}

function withoutId({ _id, ...page }: StoredPage): Omit<StoredPage, "_id"> {
  return page;
}

/** What a post says of a page; undefined for one that is about none. */
function foundBy({ type, data }: Post, source: StoredSource): Found | undefined {
  const found = tellers[type]?.(data, source);
  if (!found) return undefined;
  const { change, judgement, version, previous_version } = data;
  return {
    ...found,
    ...present({
      change: change === undefined ? undefined : JSON.stringify(change),
      judgement: judgement as Judgement | undefined,
      version: typeof version === "string" ? version : undefined,
      previousVersion: typeof previous_version === "string" ? previous_version : undefined,
    }),
  };
}

const tellers: Partial<Record<Post["type"], (data: Data, source: StoredSource) => Found>> = {
  "web.page.changed": ({ change }, source) => named(change, "changed", source),
  "web.item.created": ({ item }, source) => named(item, "new", source),
  "site.page.added": ({ page }, source) => named(page, "new", source),
  "site.page.changed": ({ page }, source) => named(page, "changed", source),
  "site.page.removed": ({ page }, source) => named(page, "removed", source),
  "site.page.moved": ({ page, from }, source) => ({
    ...named(page, "moved", source),
    movedFrom: String(from),
  }),
  "site.changed": (_, source) => named({}, "changed", source),
  "search.result.found": ({ result }, source) => named(result, "new", source),
};

function named(page: unknown, status: StoredPage["status"], source: StoredSource): Found {
  const { url, title } = Object(page) as { url?: unknown; title?: unknown };
  return {
    status,
    url: typeof url === "string" ? url : addressOf(source).externalId,
    title: typeof title === "string" ? title : source.name,
  };
}

/** A page as answers and events show it. */
export function shownPage(page: StoredPage): MonitorPage {
  const { _id: id, target, sourceId: source_id, url, title, status, change, judgement } = page;
  const { httpStatus, error, movedFrom, version, previousVersion, at } = page;
  return {
    ...{ id, target, source_id, url, title, status },
    http_status: httpStatus ?? null,
    error: error ?? null,
    moved_from: movedFrom ?? null,
    version: version ?? null,
    previous_version: previousVersion ?? null,
    change: change === undefined ? null : JSON.parse(change),
    ...(judgement && { judgement }),
    at: new Date(at).toISOString(),
  };
}
