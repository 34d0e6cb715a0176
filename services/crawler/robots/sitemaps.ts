import { firstWithin, mostCharacters, type SitemapRead } from "../../domain/crawl/read-sitemap.ts";
import { sitemapsToRead } from "../../domain/crawl/robots-rules.ts";
import type { CrawlRun } from "../crawl-run.ts";
import type { CrawlRules } from "../pages/crawl-rules.ts";
import type { Get } from "./robots-cache.ts";
import type { SitemapReader } from "./sitemap-reader.ts";

/** Pages that are added in one step. */
const slice = 500;

/** Adds the pages of the site's sitemaps: those that its robots.txt names, otherwise `/sitemap.xml`. */
export async function offerSitemaps(run: CrawlRun): Promise<void> {
  const { entry } = run.crawl;
  if (!entry || !run.rules) return;
  Object.assign(run, { isSeeded: true, isSeeding: true });
  await addListed(run, run.rules, entry.url).finally(() => {
    run.isSeeding = false;
  });
}

async function addListed(run: CrawlRun, rules: CrawlRules, entryUrl: string): Promise<void> {
  const { context, crawl, fence, robots, get, stopSignal } = run;
  const host = await robots.rulesFor(entryUrl);
  const sitemaps = "rules" in host ? sitemapsToRead(host.rules, entryUrl) : [];
  const tools = { get, reader: context.sitemaps, keyId: crawl.keyId };
  for await (const urls of sitemapPages(sitemaps, tools, stopSignal))
    for (let at = 0; at < urls.length; at += slice) {
      const pages = await rules.listed(urls.slice(at, at + slice), stopSignal);
      if (pages.length > 0) await context.frontier.offer(crawl._id, fence, pages);
      run.wakeSignal.notify();
    }
  await context.crawls.update(crawl._id, { $set: { sitemapsRead: true } });
}

/** The limit of sitemaps.org for one sitemap, applied to all of them together. */
const maxUrls = 50_000;
const maxFiles = 200;
/** Not compressed. */
const maxBytes = 256 * 1024 * 1024;

/** What sitemaps are fetched and read with. */
interface SitemapTools {
  get: Get;
  reader: Pick<SitemapReader, "read">;
  /** The key of the crawl. */
  keyId: string;
  /** There may be pages that are not among those that were found. */
  onGap?: () => void;
}

/**
 * The pages of sitemaps, one sitemap at a time, those of an index one after another. Skips a sitemap that cannot be
 * fetched or read: it is only a hint.
 */
export async function* sitemapPages(
  sitemaps: string[],
  tools: SitemapTools,
  signal: AbortSignal,
): AsyncGenerator<string[]> {
  const { onGap = () => undefined } = tools;
  const known = new Set(sitemaps.slice(0, maxFiles));
  let [left, charactersLeft, bytesLeft] = [maxUrls, mostCharacters, maxBytes];
  if (known.size < sitemaps.length) onGap();
  for (const url of known) {
    if (left <= 0 || charactersLeft <= 0 || bytesLeft <= 0) return onGap();
    const found = await readOne(url, tools, signal);
    for (const each of found.sitemaps)
      if (known.size < maxFiles) known.add(each);
      else if (!known.has(each)) onGap();
    const urls = firstWithin(charactersLeft, found.urls.slice(0, left));
    if (urls.length > 0) yield urls;
    if (found.isPartial || found.isCut || urls.length < found.urls.length) onGap();
    left -= found.urls.length;
    charactersLeft -= urls.reduce((sum, { length }) => sum + length, 0);
    bytesLeft -= found.bytes;
  }
}

interface FoundSitemap extends SitemapRead {
  /** It is there, and could not be read. */
  isPartial: boolean;
}

async function readOne(
  url: string,
  { get, reader, keyId }: SitemapTools,
  signal: AbortSignal,
): Promise<FoundSitemap> {
  try {
    const { status, body } = await get(url);
    const sitemap = await reader.read(body, { group: keyId, signal });
    return { ...sitemap, isPartial: status >= 500 || status === 429 };
  } catch {
    signal.throwIfAborted();
    return { urls: [], sitemaps: [], bytes: 0, isCut: false, isPartial: true };
  }
}
