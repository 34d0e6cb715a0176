import { openThreads } from "../../mixins/threads/threads.ts";
import { readSitemap, type Sitemap } from "../domain/crawl/read-sitemap.ts";
import type { SitemapTasks } from "./sitemap.worker.ts";
import { isPacked } from "./unpack-sitemap.ts";

/** Reads sitemaps: small ones here and now, others in a thread. */
export interface SitemapReader {
  /** `bytes` as they were fetched, packed or not; rejects for what cannot be unpacked, and with the signal's reason. */
  read(bytes: Uint8Array, signal: AbortSignal): Promise<Sitemap>;
  close(): Promise<void>;
}

/** Bytes that take some 20 ms; one of 50 MB takes seconds. */
const smallSize = 128 * 1024;

/** `crawls` is how many may want a sitemap read at a time. */
export function openSitemapReader(crawls: number): SitemapReader {
  const threads = openThreads<SitemapTasks>({
    program: new URL("sitemap.worker.ts", import.meta.url),
    maxThreads: 1,
    maxWaiting: crawls,
    memoryMb: 512,
    sentences: {
      tooLarge: "The sitemap is too large to be read.",
      busy: "Too many sitemaps are being read. Try again soon.",
    },
  });
  return {
    read: async (bytes, signal) =>
      bytes.length <= smallSize && !isPacked(bytes)
        ? readSitemap(bytes)
        : await threads.run("unpackSitemap", bytes, signal),
    close: () => threads.close(),
  };
}
