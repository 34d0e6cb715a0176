import type { Sitemap } from "../domain/crawl/read-sitemap.ts";
import type { Get } from "./robots-book.ts";
import type { SitemapReader } from "./sitemap-reader.ts";

/** The bound of sitemaps.org for one sitemap, here for all of them together. */
const maxUrls = 50_000;
const maxFiles = 200;

/** How sitemaps are had. */
export interface SitemapTools {
  get: Get;
  reader: Pick<SitemapReader, "read">;
}

/**
 * The pages that sitemaps name, one sitemap's at a time, an index's one after another. What cannot be had or read is
 * passed over: a sitemap is a hint.
 */
export async function* sitemapPages(
  sitemaps: string[],
  tools: SitemapTools,
  signal: AbortSignal,
): AsyncGenerator<string[]> {
  const known = new Set(sitemaps.slice(0, maxFiles));
  let left = maxUrls;
  for (const url of known) {
    const found = await read(url, tools, signal);
    for (const each of found.sitemaps) if (known.size < maxFiles) known.add(each);
    if (found.urls.length > 0) yield found.urls.slice(0, left);
    left -= found.urls.length;
    if (left <= 0) return;
  }
}

async function read(url: string, { get, reader }: SitemapTools, signal: AbortSignal): Promise<Sitemap> {
  try {
    const { body } = await get(url);
    return await reader.read(body, signal);
  } catch {
    signal.throwIfAborted();
    return { urls: [], sitemaps: [] };
  }
}
