import type { History, Version } from "../../../mixins/history/history.ts";
import { changesSource, changesSourcesOf } from "../../domain/page-changes/changes-source.ts";
import { canonicalUrl } from "../../domain/url/canonical-url.ts";
import { readingOf } from "./page-changes.ts";

const versionsAtOnce = 500;

/** Whose pages, read with which tag, in crawls from which entry page. */
interface FormerCrawl {
  keyId: string;
  tag?: string;
  entryUrl: string;
  /** The crawl that asks: what it has read itself is left out. */
  crawlId: string;
  /** Where the list continues. */
  before?: string;
}

/** The pages that were there in former crawls from an entry page, a part at a time, those that were read last first. */
export async function formerPages(
  history: Pick<History, "versions">,
  { keyId, tag, entryUrl, crawlId, before }: FormerCrawl,
): Promise<{ urls: string[]; before: string | null }> {
  const wanted = { limit: versionsAtOnce, ...(before !== undefined && { before }) };
  const sourceId = changesSource(keyId, tag);
  const versions = await history.versions(sourceId, wanted);
  const entry = entryKey(entryUrl);
  const isFormer = (version: Version) => {
    const { by, entry: from, isGone } = readingOf(version);
    return from === entry && by !== crawlId && !isGone;
  };
  const urls: string[] = [];
  for (const version of newestOfEach(versions).filter(isFormer)) {
    // What was read last of an address is in its newest version, which may be in a part before.
    const item = version.item ?? "";
    const [newest] = before === undefined ? [version] : await history.versions(sourceId, { item, limit: 1 });
    if (newest?.id === version.id) urls.push(readingOf(version).url);
  }
  const last = versions.at(-1);
  return { urls, before: versions.length < versionsAtOnce ? null : (last?.id ?? null) };
}

/** The first of each item, in a list with the newest first. */
function newestOfEach(versions: Version[]): Version[] {
  const items = new Map<string | null | undefined, Version>();
  for (const version of versions) if (!items.has(version.item)) items.set(version.item, version);
  return [...items.values()];
}

/** How an entry page is known among readings. */
export function entryKey(url: string): string {
  return canonicalUrl(url)?.key ?? url;
}

/** Removes all that a key's scrapes have kept. */
export async function forgetChanges(
  history: Pick<History, "sourceIds" | "erase">,
  keyId: string,
): Promise<void> {
  const start = changesSourcesOf(keyId);
  for (let after = start; ; ) {
    const ids = (await history.sourceIds(after, 100)).filter(id => id.startsWith(start));
    for (const id of ids) while (!(await history.erase(id)));
    const last = ids.at(-1);
    if (last === undefined) return;
    after = last;
  }
}
