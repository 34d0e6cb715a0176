import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { ListedPage, PageRange } from "../../mixins/site-pages/site-pages.ts";
import { never } from "../../mixins/site-pages/site-pages.ts";
import { fail, invalid } from "../contracts/errors.ts";
import type { SiteBranch, SiteSummary, WatchedPage } from "../contracts/site-pages.contract.ts";
import { SiteLevel } from "../domain/site/site-tree.ts";
import { canonicalUrl } from "../domain/url/canonical-url.ts";
import type { Reading } from "./context.ts";
import { iso } from "./shown.ts";
import { instantOf } from "./versions.ts";

interface Wanted {
  prefix?: string;
  changed_since?: string;
}

/** The pages of a site, in the order of their addresses. */
export async function listPages(
  reading: Reading,
  {
    state,
    cursor,
    limit,
    ...wanted
  }: Wanted & { state?: ListedPage["state"]; cursor?: string; limit: number },
): Promise<{ data: WatchedPage[]; next_cursor: string | null }> {
  const site = siteOf(reading);
  const range = {
    ...rangeOf(reading, wanted),
    ...(state && { states: [state] }),
    ...(cursor !== undefined && { after: keyOf(cursor) }),
  };
  const found = await reading.context.sitePages.list(site, { ...range, limit: limit + 1 });
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return {
    data: rows.map(shownPage),
    next_cursor: last ? Buffer.from(last.key).toString("base64url") : null,
  };
}

/** Pages that are read at a time, which takes some milliseconds; and for one level at most. */
const [chunk, maxCounted] = [250, 200_000];

/** Reads one level of the addresses of a site, with what is below each part. Other addresses of pages are left out. */
export async function readTree(
  reading: Reading,
  wanted: Wanted,
): Promise<{ data: SiteBranch[]; truncated: boolean }> {
  const site = siteOf(reading);
  const range = rangeOf(reading, wanted);
  const prefix = range.prefix === undefined || range.prefix.endsWith("/") ? range.prefix : `${range.prefix}/`;
  const level = new SiteLevel<ListedPage>(prefix ?? "");
  let [counted, isWhole] = [0, false];
  for (let after = ""; counted < maxCounted && !isWhole; ) {
    const of = { ...range, ...(prefix !== undefined && { prefix }), ...(after !== "" && { after }) };
    const some = await reading.context.sitePages.list(site, { ...of, limit: chunk });
    for (const page of some) if (page.state !== "alias") level.add(page);
    counted += some.length;
    await yieldToLoop();
    isWhole = some.length < chunk;
    after = some.at(-1)?.key ?? after;
  }
  return { data: level.branches.map(shownBranch), truncated: !isWhole };
}

/** How many pages a site has; undefined for other sources. */
export async function summaryOf(reading: Reading): Promise<{ site: SiteSummary } | undefined> {
  const { context, held } = reading;
  if (held.shown.source !== "SITE") return undefined;
  const { pages, states } = await context.sitePages.counts(held.id);
  return { site: { pages, states, baseline: held.isBaseline === true } };
}

function siteOf({ held }: Reading): string {
  if (held.shown.source === "SITE") return held.id;
  throw fail("not_found", "This source is no site: only a site has pages.");
}

function rangeOf({ held }: Reading, { prefix, changed_since }: Wanted): Omit<PageRange, "limit"> {
  return {
    ...(prefix !== undefined && { prefix: prefixOf(prefix, held.shown.externalId) }),
    ...(changed_since !== undefined && { changedSince: instantOf("changed_since", changed_since) }),
  };
}

/** The beginning of keys that a URL, a path of the site or the beginning of a key means. */
function prefixOf(text: string, entry: string): string {
  const isUrl = /^https?:\/\//i.test(text);
  if (!isUrl && !text.startsWith("/")) return text;
  const url = URL.parse(text, entry);
  const key = url && canonicalUrl(url.href)?.key;
  if (!key) throw invalid("prefix", "malformed", "`prefix` must be a URL, or a path such as /docs/.");
  // The canonical form has no slash at its end, which here says where the name of a directory ends.
  return text.endsWith("/") && !key.endsWith("/") ? `${key}/` : key;
}

/** The key of a page that a cursor names: a host and a path. */
function keyOf(cursor: string): string {
  const key = Buffer.from(cursor, "base64url").toString();
  const isWhole = Buffer.from(key).toString("base64url") === cursor;
  if (isWhole && /^[^/]+\//.test(key)) return key;
  throw invalid("cursor", "malformed", "`cursor` must be a `next_cursor` of this list.");
}

function shownPage(page: ListedPage): WatchedPage {
  const { url, title, state, depth, foundAt, visitedAt, changedAt, movedTo = null, dueAt } = page;
  return {
    url,
    title,
    state,
    depth,
    found_at: iso(foundAt),
    visited_at: timeOf(visitedAt),
    changed_at: timeOf(changedAt),
    moved_to: movedTo,
    next_visit_at: dueAt === never ? null : iso(dueAt),
  };
}

function shownBranch({
  name,
  prefix,
  pages,
  gone,
  changedAt,
  page,
}: SiteLevel<ListedPage>["branches"][number]): SiteBranch {
  return { name, prefix, pages, gone, changed_at: timeOf(changedAt), page: page ? shownPage(page) : null };
}

function timeOf(ms: number | undefined): string | null {
  return ms === undefined ? null : iso(ms);
}
