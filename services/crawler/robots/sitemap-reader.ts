import { openThreads, type TaskOptions } from "../../../mixins/runtime/threads.ts";
import { boundedSitemap, isCompressed, type SitemapRead } from "../../domain/crawl/read-sitemap.ts";
import type { SitemapTasks } from "./sitemap.worker.ts";

/** Reads small sitemaps at once, others in a thread. */
export interface SitemapReader {
  /**
   * `bytes` as fetched, compressed or not. Rejects when they cannot be decompressed or take too long, and with the
   * signal's reason. The group is the key of the crawl.
   */
  read(bytes: Uint8Array, task: Pick<TaskOptions, "group" | "signal">): Promise<SitemapRead>;
  close(): Promise<void>;
}

/** A sitemap of this size takes some 20 ms; one of 50 MB takes seconds. */
const smallSize = 128 * 1024;
const maxMs = 20_000;

/** `crawls`: how many crawls may read a sitemap at a time. */
export function openSitemapReader(crawls: number): SitemapReader {
  const threads = openThreads<SitemapTasks>({
    program: new URL("./sitemap.worker.ts", import.meta.url),
    maxThreads: 1,
    maxWaiting: crawls,
    memoryMb: 512,
    messages: {
      tooLarge: "The sitemap is too large to be read.",
      busy: "Too many sitemaps are being read. Try again soon.",
    },
  });
  return {
    read: async (bytes, task) =>
      bytes.length <= smallSize && !isCompressed(bytes)
        ? boundedSitemap(bytes)
        : await threads.run("unpackSitemap", bytes, { ...task, maxMs }),
    close: () => threads.close(),
  };
}
