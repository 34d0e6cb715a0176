import { gunzipSync } from "node:zlib";
import { isCompressed, type ListedUrls, readListed } from "../../domain/crawl/read-sitemap.ts";

/** The limit of sitemaps.org, not compressed. */
const maxBytes = 50 * 1024 * 1024;

/** The pages and sitemaps that a sitemap lists, compressed or not. Runs in a thread. */
export function listSitemap(body: Uint8Array): ListedUrls {
  return readListed(isCompressed(body) ? gunzipSync(body, { maxOutputLength: maxBytes }) : body);
}
