import { createHash } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import type { CheckedVersion } from "../../contracts/connectors.contract.ts";
import type { ItemNews } from "../../domain/feed/compare-feed.ts";
import { keptItem } from "../../domain/feed/kept-item.ts";
import { firstBytes } from "../../domain/page-diff/compare-page.ts";

/** Bytes of an item that are searched for, at most. */
const maxWords = 10 * 1024;

/** The items as versions that can be kept. The same item is the same version, whenever it is read. */
export function itemVersions(news: ItemNews[]): CheckedVersion[] {
  return news.map(({ postId, item }) => {
    const kept = keptItem(item);
    const json = JSON.stringify(kept);
    return {
      item: postId,
      title: kept.title ?? kept.url ?? item.id,
      hash: createHash("sha256").update(json).digest("hex"),
      content: zstdCompressSync(json).toString("base64"),
      words: firstBytes([kept.title, kept.author, kept.text].filter(Boolean).join("\n"), maxWords),
    };
  });
}
