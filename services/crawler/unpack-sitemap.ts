import { gunzipSync } from "node:zlib";
import { readSitemap, type Sitemap } from "../domain/crawl/read-sitemap.ts";

const maxBytes = 50 * 1024 * 1024;

/** Reads a sitemap that may be packed as a file, beside what HTTP may do with it on the way. */
export function unpackSitemap(bytes: Uint8Array): Sitemap {
  return readSitemap(isPacked(bytes) ? gunzipSync(bytes, { maxOutputLength: maxBytes }) : bytes);
}

export function isPacked([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}
