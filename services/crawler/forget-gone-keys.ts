import { forgetKey } from "./forget-key.ts";
import { crawlsOf, underWay } from "./mend-crawls.ts";
import type { CrawlerRoom } from "./room.ts";

/** Ends the crawls of keys that were deleted unheard of: a broadcast may be lost, or find nobody. */
export async function forgetGoneKeys(room: CrawlerRoom): Promise<void> {
  for await (const crawls of crawlsOf(room, underWay)) {
    const keyIds = [...new Set(crawls.map(({ keyId }) => keyId))];
    const left = new Set(await room.existingKeys(keyIds));
    for (const keyId of keyIds) if (!left.has(keyId)) await forgetKey(room, keyId);
  }
}
