import type { TimeSlices } from "../../../mixins/async/time-slices.ts";
import type { Settled } from "../../../mixins/frontier/frontier.ts";
import { siteOf } from "../../domain/url/canonical-url.ts";
import type { CrawlerContext } from "../context.ts";
import { pageId, type StoredCrawl } from "../crawls.store.ts";
import type { FoundPage, Source } from "./found-pages.ts";

/** How many crawls of the key are read, the latest first. */
const mostCrawls = 20;
const mostPages = 10_000;
/** How many places of their frontiers are read. */
const mostPlaces = 50_000;
const slice = 1000;
/** Records of pages that are read for their titles: they have all formats of the page. */
const [recordsAtOnce, mostRecordBytes] = [25, 10_000_000];

type Stores = Pick<CrawlerContext, "crawls" | "frontier" | "pages">;

interface Known {
  key: string;
  crawlId: string;
  state: Settled["state"];
  page: FoundPage;
}

/**
 * The pages that the latest crawls and batches of a key have read, or found and left when they ended; no other key's.
 * `site` is the host of the map.
 */
export async function knownPages(
  stores: Stores,
  keyId: string,
  site: string,
  takes: (url: string) => boolean,
  slices: TimeSlices,
): Promise<Source> {
  const crawls = await stores.crawls.find({ query: { keyId }, sort: ["-_id"], limit: mostCrawls });
  const search: Search = { takes, slices, known: [], placesLeft: mostPlaces };
  for (const crawl of crawls) if (mayHave(crawl, site)) await addPages(stores, crawl, search);
  const { known, placesLeft } = search;
  const found = await withTitles(stores, known.slice(0, mostPages));
  return { pages: found.map(({ page }) => page), isWhole: known.length <= mostPages && placesLeft > 0 };
}

interface Search {
  takes(url: string): boolean;
  slices: TimeSlices;
  known: Known[];
  placesLeft: number;
}

/** Whether a crawl was of this site, or of pages anywhere. */
function mayHave({ kind, request, entry }: StoredCrawl, site: string): boolean {
  const { url, crawler } = request;
  if (kind === "batch" || crawler.include_external_links) return true;
  const host = siteOf(new URL(entry?.url ?? url));
  const isAbove = crawler.include_subdomains && site.endsWith(`.${host}`);
  return host === site || host.endsWith(`.${site}`) || isAbove;
}

async function addPages({ frontier }: Stores, { _id: crawlId }: StoredCrawl, search: Search): Promise<void> {
  const { takes, slices, known } = search;
  const states = ["completed", "skipped"] as Settled["state"][];
  for (let after = 0; known.length <= mostPages && search.placesLeft > 0; ) {
    const some = await frontier.settled(crawlId, { after, limit: slice, states });
    for (const { key, url, state, reason } of some) {
      if (!(await slices.next())) search.placesLeft = 0;
      if (search.placesLeft === 0) return;
      if ((state === "completed" || isLeft(reason)) && takes(url))
        known.push({ key, crawlId, state, page: { url, title: null, description: null } });
    }
    search.placesLeft = Math.max(search.placesLeft - some.length, 0);
    if (some.length < slice) return;
    after = some.at(-1)?.seq ?? after;
  }
}

/** Whether a page was left only because its crawl had ended. */
function isLeft(reason: string | null): boolean {
  return reason === "limit" || reason === "cancelled" || reason === "given_up";
}

/** Adds titles from the records of pages, of as many as may be read; leaves out pages that were not found. */
async function withTitles({ pages }: Stores, known: Known[]): Promise<Known[]> {
  const gone = new Set<Known>();
  const read = known.filter(({ state }) => state === "completed");
  let bytes = 0;
  for (let at = 0; at < read.length && bytes < mostRecordBytes; at += recordsAtOnce) {
    const byId = new Map(
      read.slice(at, at + recordsAtOnce).map(each => [pageId(each.crawlId, each.key), each]),
    );
    for (const record of await pages.find({ query: { _id: { $in: [...byId.keys()] } } })) {
      bytes += record.bytes;
      const each = byId.get(record._id);
      const { metadata } = record.data ?? {};
      if (!each || !metadata) continue;
      if (metadata.status_code >= 400) gone.add(each);
      each.page.title = metadata.title || null;
      each.page.description = metadata.description;
    }
  }
  return known.filter(each => !gone.has(each));
}
