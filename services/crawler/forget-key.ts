import { cancelNow } from "./cancel-crawl.ts";
import type { CrawlerRoom } from "./room.ts";

/** Ends the crawls of a key that is no more, and tells nobody: what signed their notices is gone with the key. */
export async function forgetKey(room: CrawlerRoom, keyId: string): Promise<void> {
  const underWay = await room.crawls.find({ query: { keyId, slot: { $exists: true } } });
  for (const crawl of underWay) {
    await room.crawls.update(crawl._id, { $unset: { owes: true } });
    await cancelNow(room, crawl);
  }
}
