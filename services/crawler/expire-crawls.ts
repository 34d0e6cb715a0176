import type { Outcome } from "../../mixins/frontier/frontier.ts";
import { pruneClaims } from "../../mixins/idempotency/claim-job.ts";
import { type CrawlerRoom, isoTime, pageId, type StoredCrawl } from "./room.ts";

const crawlsAtOnce = 100;
const pagesAtOnce = 100;
/** For how long a crawl whose results have expired is still said to have expired. */
const rememberedMs = 7 * 24 * 60 * 60 * 1000;

/** Drops what has expired, in small steps; a crawl's record goes last, so that a step that is broken off is repeated. */
export async function expireCrawls(room: CrawlerRoom): Promise<void> {
  const now = isoTime(room.now());
  const expired = { query: { expiresAt: { $lte: now } }, sort: ["expiresAt"], limit: crawlsAtOnce };
  for (;;) {
    const some = await room.crawls.find(expired);
    const hindered = await forgetAll(room, some);
    if (some.length < crawlsAtOnce || hindered > 0) break;
  }
  await room.tombstones.removeMany({ forgetAt: { $lte: now } });
  await pruneClaims(room.claims, room.now());
}

/** Tells how many are left for the next time: the scraper, which keeps their screenshots, may be away. */
async function forgetAll(room: CrawlerRoom, crawls: StoredCrawl[]): Promise<number> {
  let hindered = 0;
  for (const crawl of crawls)
    try {
      await forget(room, crawl);
    } catch (error) {
      if (room.closing.aborted) throw error;
      hindered += 1;
      room.onFault("crawl.not_forgotten", crawl._id, error);
    }
  return hindered;
}

async function forget(room: CrawlerRoom, { _id, owner, request }: StoredCrawl): Promise<void> {
  if (request.output.formats.includes("screenshot")) await room.forgetScreenshots(_id);
  await dropPages(room, _id);
  await room.frontier.drop(_id);
  await room.tombstones.upsert(_id, { $set: { owner, forgetAt: isoTime(room.now() + rememberedMs) } });
  await room.crawls.remove(_id);
}

/** By the frontier's list of them, since their own records may be large. */
async function dropPages({ pages, frontier }: CrawlerRoom, crawlId: string): Promise<void> {
  const states = ["completed", "failed"] as Outcome["state"][];
  for (let after = 0; ; ) {
    const some = await frontier.settled(crawlId, { after, limit: pagesAtOnce, states });
    await pages.removeMany({ _id: { $in: some.map(({ key }) => pageId(crawlId, key)) } });
    if (some.length < pagesAtOnce) break;
    after = some.at(-1)?.seq ?? after;
  }
  // What was written for pages that did not end so: whoever wrote them had lost the crawl.
  await pages.removeMany({ crawlId });
}
