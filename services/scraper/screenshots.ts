import { buffer } from "node:stream/consumers";
import type { Blobs } from "../../mixins/store/blobs/blobs.ts";
import type { PageOrder } from "./page-request.ts";

const dayMs = 24 * 60 * 60 * 1000;

interface Keeping {
  blobs: Blobs;
  /** Milliseconds. */
  keptMs?: number;
}

/** Keeps a screenshot (PNG) and returns its key. A crawl's screenshots belong to it and are removed with it. */
export async function storeScreenshot(
  picture: Uint8Array,
  { owner, crawlId }: PageOrder,
  { blobs, keptMs: ttlMs = dayMs }: Keeping,
): Promise<string> {
  const life = crawlId === undefined ? { ttlMs } : { group: crawlId };
  return await blobs.put(picture, { owner, contentType: "image/png", ...life });
}

/** Copies a screenshot of an earlier scrape, so that it lives as long as the new one. Null when it is gone. */
export async function copyScreenshot(
  key: string,
  order: PageOrder,
  { blobs, keptMs }: Keeping,
): Promise<string | null> {
  const blob = await blobs.open(key, order.owner);
  return (
    blob && (await storeScreenshot(await buffer(blob.body), order, { blobs, ...(keptMs && { keptMs }) }))
  );
}
