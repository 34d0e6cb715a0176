import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { readSitemap } from "../domain/crawl/read-sitemap.ts";
import type { Get } from "./robots-book.ts";

/** The bound of sitemaps.org for one sitemap, here for all of them together. */
const maxUrls = 50_000;
const maxFiles = 200;
const maxBytes = 50 * 1024 * 1024;

/**
 * The pages that sitemaps name, one sitemap's at a time, an index's one after another. What cannot be had or read is
 * passed over: a sitemap is a hint.
 */
export async function* sitemapPages(
  sitemaps: string[],
  get: Get,
  signal: AbortSignal,
): AsyncGenerator<string[]> {
  const known = new Set(sitemaps.slice(0, maxFiles));
  let left = maxUrls;
  for (const url of known) {
    const found = await read(url, get, signal);
    for (const each of found.sitemaps) if (known.size < maxFiles) known.add(each);
    if (found.urls.length > 0) yield found.urls.slice(0, left);
    left -= found.urls.length;
    if (left <= 0) return;
  }
}

async function read(url: string, get: Get, signal: AbortSignal): ReturnType<typeof unpack> {
  try {
    const { body } = await get(url);
    return await unpack(body);
  } catch {
    signal.throwIfAborted();
    return { urls: [], sitemaps: [] };
  }
}

/** Sitemaps are packed as files, beside what HTTP may do with them on the way. */
async function unpack(body: Buffer): Promise<ReturnType<typeof readSitemap>> {
  const isPacked = body[0] === 0x1f && body[1] === 0x8b;
  return readSitemap(isPacked ? await promisify(gunzip)(body, { maxOutputLength: maxBytes }) : body);
}
