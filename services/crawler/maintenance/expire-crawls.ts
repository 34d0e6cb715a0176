import type { Outcome } from "../../../mixins/frontier/frontier.ts";
import { pruneClaims } from "../../../mixins/store/idempotency.ts";
import type { CrawlerContext } from "../context.ts";
import { isoTime, pageId, pagesOf, type StoredCrawl } from "../crawls.store.ts";

const crawlsAtOnce = 100;
const pagesAtOnce = 100;
/** How long the service still answers 410 for an expired crawl. */
const rememberedMs = 7 * 24 * 60 * 60 * 1000;

/** Removes expired crawls in small steps. The record goes last, so an interrupted step is repeated. */
export async function expireCrawls(context: CrawlerContext): Promise<void> {
  const now = isoTime(context.now());
  const expired = { query: { expiresAt: { $lte: now } }, sort: ["expiresAt"], limit: crawlsAtOnce };
  for (;;) {
    const some = await context.crawls.find(expired);
    const hindered = await forgetAll(context, some);
    if (some.length < crawlsAtOnce || hindered > 0) break;
  }
  await context.tombstones.removeMany({ forgetAt: { $lte: now } });
  await pruneClaims(context.claims, context.now());
}

/** Returns how many remain for the next time: the scraper, which stores their screenshots, may be away. */
async function forgetAll(context: CrawlerContext, crawls: StoredCrawl[]): Promise<number> {
  let hindered = 0;
  for (const crawl of crawls)
    try {
      await forget(context, crawl);
    } catch (error) {
      if (context.closing.aborted) throw error;
      hindered += 1;
      context.onError("crawl_expiry.failed", crawl._id, error);
    }
  return hindered;
}

async function forget(context: CrawlerContext, { _id, owner, request }: StoredCrawl): Promise<void> {
  if (request.output.formats.includes("screenshot")) await context.forgetScreenshots(_id);
  await dropPages(context, _id);
  await context.frontier.drop(_id);
  await context.tombstones.upsert(_id, { $set: { owner, forgetAt: isoTime(context.now() + rememberedMs) } });
  await context.crawls.remove(_id);
}

/** Takes the ids from the frontier, since the records of pages may be large. */
async function dropPages({ pages, frontier }: CrawlerContext, crawlId: string): Promise<void> {
  const states = ["completed", "failed"] as Outcome["state"][];
  for (let after = 0; ; ) {
    const some = await frontier.settled(crawlId, { after, limit: pagesAtOnce, states });
    await pages.removeMany({ _id: { $in: some.map(({ key }) => pageId(crawlId, key)) } });
    if (some.length < pagesAtOnce) break;
    after = some.at(-1)?.seq ?? after;
  }
  // Records of pages that did not end so: written by a run that had lost the crawl.
  await pages.removeMany(pagesOf(crawlId));
}
