/** Runs in a worker thread: a large sitemap takes seconds, and would hold up everything else. */
import { gunzipSync } from "node:zlib";
import { serveTasks } from "../../../mixins/runtime/thread-worker.ts";
import { boundedSitemap, isCompressed, type SitemapRead } from "../../domain/crawl/read-sitemap.ts";

const maxBytes = 50 * 1024 * 1024;

const tasks = { unpackSitemap };

export type SitemapTasks = typeof tasks;

export default serveTasks(tasks);

function unpackSitemap(bytes: Uint8Array): SitemapRead {
  return boundedSitemap(isCompressed(bytes) ? gunzipSync(bytes, { maxOutputLength: maxBytes }) : bytes);
}
