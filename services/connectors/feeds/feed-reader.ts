import { openThreads } from "../../../mixins/runtime/threads.ts";
import { fail } from "../../contracts/errors.ts";
import type { FeedDigest, FeedDocument } from "../../domain/feed/digest-feed.ts";
import { digestSitemap, type SitemapDigest, type SitemapDocument } from "../../domain/feed/digest-sitemap.ts";
import type { FeedTasks } from "./feed.worker.ts";

/** Reads feeds: small ones on this thread, others in a worker thread. */
export interface FeedReader {
  /** Throws `upstream_error` for a feed that exceeds its time or memory limit. `closing` ends the reading at once. */
  read(document: FeedDocument, closing: AbortSignal): Promise<FeedDigest>;
  /** The same for a sitemap, which was found at `url`. */
  readSitemap(url: string, document: SitemapDocument, closing: AbortSignal): Promise<SitemapDigest>;
  close(): Promise<void>;
}

/**
 * Bytes that are read faster than they are passed to a worker thread. Everything larger goes to a worker, so that polls
 * leave this thread to deliveries.
 */
const smallSize = 1024;
const readTimeoutMs = 10_000;

export function openFeedReader(timeoutMs = readTimeoutMs): FeedReader {
  const threads = openThreads<FeedTasks>({
    program: new URL("./feed.worker.ts", import.meta.url),
    maxThreads: 2,
    maxPerGroup: 1,
    maxWaiting: 64,
    memoryMb: 512,
    messages: {
      tooLarge: "The feed is too large to read.",
      busy: "Too many feeds are being read. Try again soon.",
    },
  });
  const turnAt = (url: string, signal: AbortSignal) => ({ group: hostOf(url), signal, maxMs: timeoutMs });
  const inTime = <T>(reading: Promise<T>, closing: AbortSignal): Promise<T> =>
    reading.catch(error => {
      throw error.name === "TimeoutError" && !closing.aborted ? tooSlow(error) : error;
    });
  return {
    read: async (document, closing) =>
      document.body.length <= smallSize
        ? await digestHere(document)
        : await inTime(threads.run("digestFeed", document, turnAt(document.url, closing)), closing),
    readSitemap: async (url, document, closing) =>
      sizeOf(document) <= smallSize
        ? digestSitemap(document)
        : await inTime(threads.run("digestSitemap", document, turnAt(url, closing)), closing),
    close: () => threads.close(),
  };
}

/** The parser of feeds is loaded with the first one: it has some hundred modules. */
async function digestHere(document: FeedDocument): Promise<FeedDigest> {
  const { digestFeed } = await import("../../domain/feed/digest-feed.ts");
  return digestFeed(document);
}

/** Feeds of one host are read one after the other. */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? "";
}

function sizeOf({ body, memory }: SitemapDocument): number {
  return body.length + memory.own.length + memory.others.length + memory.gone.length;
}

function tooSlow(cause: unknown): Error {
  return fail("upstream_error", "The feed takes too long to read.", {}, cause);
}
