import type { Blobs } from "../../../mixins/store/blobs/blobs.ts";
import { digestOf } from "../../../mixins/store/idempotency.ts";
import type { Store } from "../../../mixins/store/store.ts";
import type { ScrapeData } from "../../contracts/page.contract.ts";
import type { ScrapeRequest } from "../../contracts/scraper.contract.ts";
import type { PageOrder } from "../page-request.ts";
import { resultId, type StoredResult, type StoredScrape } from "../scrapes.store.ts";
import { copyScreenshot } from "../screenshots.ts";

/** Where earlier scrapes are found. */
export interface EarlierReads {
  scrapes: Store<StoredScrape>;
  results: Store<StoredResult>;
  tools: { blobs: Blobs };
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * What a scrape has in common with those that would give the same: a hash of the key, the URL and everything that changes
 * the result. It says nothing of the headers and cookies in it.
 */
export function readHash(
  keyId: string,
  { url, output, request, js_render, proxy, breakdown }: ScrapeRequest,
) {
  const formats = output.formats.toSorted();
  const read = { ...{ output: { ...output, formats }, request, js_render, proxy, breakdown } };
  return digestOf([keyId, URL.parse(url)?.href ?? url, read]);
}

/** Whether a result may answer later scrapes: the site sent the page to anybody, and it is not such an answer itself. */
export function isReusable({ metadata: { status_code, cached_at } }: ScrapeData): boolean {
  return status_code >= 200 && status_code < 300 && cached_at === undefined;
}

/** The latest equal scrape of the key that began within `max_age`; null when there is none. */
export async function earlierRead(
  reads: EarlierReads,
  request: ScrapeRequest,
  order: PageOrder,
): Promise<ScrapeData | null> {
  if (request.max_age === 0 || request.output.formats.includes("changes") || request.session) return null;
  const now = reads.now();
  const [scrape] = await reads.scrapes.find({
    query: {
      readHash: readHash(order.keyId, request),
      startedAt: { $gte: new Date(now - request.max_age).toISOString() },
      status: "completed",
      expiresAt: { $gt: now },
    },
    sort: ["-startedAt"],
    limit: 1,
  });
  const result = scrape && (await reads.results.findById(resultId(scrape._id, scrape.fence)));
  if (!result || scrape.startedAt === undefined) return null;
  const data = await withOwnPictures(reads, result.data, order);
  return data && { ...data, metadata: { ...data.metadata, cached_at: scrape.startedAt } };
}

/** The data with copies of its screenshots, which live as long as the new scrape; null when one is gone. */
async function withOwnPictures(
  { tools }: EarlierReads,
  data: ScrapeData,
  order: PageOrder,
): Promise<ScrapeData | null> {
  const { screenshot, actions } = data;
  const copies: (string | null)[] = [];
  for (const key of [...(screenshot === undefined ? [] : [screenshot]), ...(actions?.screenshots ?? [])])
    copies.push(await copyScreenshot(key, order, tools));
  const kept = copies.filter(key => key !== null);
  if (kept.length < copies.length) return null;
  const [first, ...rest] = kept;
  return {
    ...data,
    ...(screenshot !== undefined && first !== undefined && { screenshot: first }),
    ...(actions && { actions: { screenshots: screenshot === undefined ? kept : rest } }),
  };
}
