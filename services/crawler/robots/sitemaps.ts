import type { Sitemap } from "../../domain/crawl/read-sitemap.ts";
import type { CrawlRun } from "../crawl-run.ts";
import type { Get } from "./robots-cache.ts";
import type { SitemapReader } from "./sitemap-reader.ts";

/** Pages that are added in one step. */
const slice = 500;

/** Adds the pages of the site's sitemaps: those that its robots.txt names, otherwise `/sitemap.xml`. */
export async function offerSitemaps(run: CrawlRun): Promise<void> {
  const { context, crawl, fence, robots, get, stopSignal, rules } = run;
  if (!crawl.entry || !rules) return;
  run.isSeeded = true;
  const host = await robots.rulesFor(crawl.entry.url);
  const named = "rules" in host ? host.rules.sitemaps : [];
  const usual = new URL("/sitemap.xml", crawl.entry.url).href;
  const tools = { get, reader: context.sitemaps, keyId: crawl.keyId };
  for await (const urls of sitemapPages(named.length > 0 ? named : [usual], tools, stopSignal))
    for (let at = 0; at < urls.length; at += slice) {
      const pages = rules.listed(urls.slice(at, at + slice));
      if (pages.length > 0) await context.frontier.offer(crawl._id, fence, pages);
      run.wakeSignal.notify();
    }
  await context.crawls.update(crawl._id, { $set: { sitemapsRead: true } });
}

/** The limit of sitemaps.org for one sitemap, applied to all of them together. */
const maxUrls = 50_000;
const maxFiles = 200;

/** What sitemaps are fetched and read with. */
interface SitemapTools {
  get: Get;
  reader: Pick<SitemapReader, "read">;
  /** The key of the crawl. */
  keyId: string;
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
  const known = new Set(sitemaps.slice(0, maxFiles));
  let left = maxUrls;
  for (const url of known) {
    const found = await readOne(url, tools, signal);
    for (const each of found.sitemaps) if (known.size < maxFiles) known.add(each);
    if (found.urls.length > 0) yield found.urls.slice(0, left);
    left -= found.urls.length;
    if (left <= 0) return;
  }
}

async function readOne(
  url: string,
  { get, reader, keyId }: SitemapTools,
  signal: AbortSignal,
): Promise<Sitemap> {
  try {
    const { body } = await get(url);
    return await reader.read(body, { group: keyId, signal });
  } catch {
    signal.throwIfAborted();
    return { urls: [], sitemaps: [] };
  }
}
