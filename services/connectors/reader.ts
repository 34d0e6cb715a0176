import { openThreads } from "../../mixins/runtime/threads.ts";
import type { CheckedVersion } from "../contracts/connectors.contract.ts";
import { fail } from "../contracts/errors.ts";
import type { ListedUrls } from "../domain/crawl/read-sitemap.ts";
import type { ItemNews } from "../domain/feed/compare-feed.ts";
import type { FeedDigest, FeedDocument } from "../domain/feed/digest-feed.ts";
import { digestSitemap, type SitemapDigest, type SitemapDocument } from "../domain/feed/digest-sitemap.ts";
import type { FeedItem, FoundPage } from "../domain/feed/feed.ts";
import type { FetchedHtml } from "../domain/feed/known-feeds.ts";
import type { View } from "../domain/watch/view.ts";
import type {
  ComparedSnapshot,
  ForeseenSnapshot,
  PolledSnapshot,
  PreviewedSnapshot,
} from "./pages/page-state.ts";
import type { ReaderTasks } from "./reader.worker.ts";

/**
 * Reads feeds and sitemaps, and compares pages: in worker threads, except for the smallest. What is of one host is done
 * one after the other. Throws `upstream_error` for what exceeds its time or memory limit; `closing` ends all at once.
 */
export interface Reader {
  read(document: FeedDocument, closing: AbortSignal): Promise<FeedDigest>;
  /** A sitemap, which was found at `url`. */
  readSitemap(url: string, document: SitemapDocument, closing: AbortSignal): Promise<SitemapDigest>;
  /** What a sitemap lists, which was found at `url`, compressed or not. */
  listSitemap(url: string, body: Uint8Array, closing: AbortSignal): Promise<ListedUrls>;
  /** The feeds that a page names. */
  feedLinksIn(page: FetchedHtml, closing: AbortSignal): Promise<string[]>;
  /** The news of the source at `url` that count for a view. */
  countingNews(
    url: string,
    counted: { news: ItemNews[]; view: View },
    closing: AbortSignal,
  ): Promise<ItemNews[]>;
  /** Items of the feed at `url` with the content of their pages. */
  fullItems(url: string, found: FoundPage[], closing: AbortSignal): Promise<FeedItem[]>;
  /** The items of the feed at `url` as versions to be kept. */
  itemVersions(url: string, news: ItemNews[], closing: AbortSignal): Promise<CheckedVersion[]>;
  /** A snapshot of the page at `url`, compared with what a poll left. */
  compareSnapshot(url: string, snapshot: PolledSnapshot, closing: AbortSignal): Promise<ComparedSnapshot>;
  /** What a poll would make of a snapshot. */
  foreseeSnapshot(url: string, snapshot: PreviewedSnapshot, closing: AbortSignal): Promise<ForeseenSnapshot>;
  close(): Promise<void>;
}

/**
 * Bytes that are read faster than they are passed to a worker thread. Everything larger goes to a worker, so that polls
 * leave this thread to deliveries.
 */
const smallSize = 1024;
const readTimeoutMs = 10_000;

export function openReader(timeoutMs = readTimeoutMs): Reader {
  const threads = openThreads<ReaderTasks>({
    program: new URL("./reader.worker.ts", import.meta.url),
    maxThreads: 2,
    maxPerGroup: 1,
    maxWaiting: 64,
    memoryMb: 512,
    messages: {
      tooLarge: "What the site sent is too large to be read.",
      busy: "Too many feeds and pages are being read. Try again soon.",
    },
  });
  const taskOf = (url: string, signal: AbortSignal) => ({ group: hostOf(url), signal, maxMs: timeoutMs });
  const inTime = <T>(what: string, reading: Promise<T>, closing: AbortSignal): Promise<T> =>
    reading.catch(error => {
      throw error.name === "TimeoutError" && !closing.aborted ? tooSlow(what, error) : error;
    });
  return {
    read: async (document, closing) =>
      document.body.length <= smallSize
        ? await digestHere(document)
        : await inTime("feed", threads.run("digestFeed", document, taskOf(document.url, closing)), closing),
    readSitemap: async (url, document, closing) =>
      sizeOf(document) <= smallSize
        ? digestSitemap(document)
        : await inTime("sitemap", threads.run("digestSitemap", document, taskOf(url, closing)), closing),
    listSitemap: (url, body, closing) =>
      inTime("sitemap", threads.run("listSitemap", body, taskOf(url, closing)), closing),
    feedLinksIn: ({ body, contentType, url }, closing) =>
      inTime("page", threads.run("feedLinksIn", { body, contentType, url }, taskOf(url, closing)), closing),
    countingNews: (url, counted, closing) =>
      inTime("feed", threads.run("countingNews", counted, taskOf(url, closing)), closing),
    fullItems: (url, found, closing) =>
      inTime("page", threads.run("fullItems", found, taskOf(url, closing)), closing),
    itemVersions: (url, news, closing) =>
      inTime("feed", threads.run("itemVersions", news, taskOf(url, closing)), closing),
    compareSnapshot: (url, snapshot, closing) =>
      inTime("page", threads.run("compareSnapshot", snapshot, taskOf(url, closing)), closing),
    foreseeSnapshot: (url, snapshot, closing) =>
      inTime("page", threads.run("foreseeSnapshot", snapshot, taskOf(url, closing)), closing),
    close: () => threads.close(),
  };
}

/** The parser of feeds is loaded with the first one: it has some hundred modules. */
async function digestHere(document: FeedDocument): Promise<FeedDigest> {
  const { digestFeed } = await import("../domain/feed/digest-feed.ts");
  return digestFeed(document);
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? "";
}

function sizeOf({ body, memory }: SitemapDocument): number {
  return body.length + memory.own.length + memory.others.length + memory.gone.length;
}

function tooSlow(what: string, cause: unknown): Error {
  return fail("upstream_error", `The ${what} takes too long to read.`, {}, cause);
}
