import { cancelNow } from "./cancel-crawl.ts";
import type { CrawlerRoom } from "./room.ts";

/** Ends the crawls of a key that is no more. */
export async function forgetKey(room: CrawlerRoom, keyId: string): Promise<void> {
  const underWay = await room.crawls.find({ query: { keyId, slot: { $exists: true } } });
  for (const crawl of underWay) await cancelNow(room, crawl);
}
