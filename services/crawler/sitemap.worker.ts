/** Runs in a worker thread: a large sitemap would hold up everything else while it is read. */
import { serveTasks } from "../../mixins/threads/serve-tasks.ts";
import { unpackSitemap } from "./unpack-sitemap.ts";

const tasks = { unpackSitemap };

export type SitemapTasks = typeof tasks;

export default serveTasks(tasks);
