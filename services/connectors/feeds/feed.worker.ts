/** Runs in worker threads: reading a large feed would block everything else. */
import { serveTasks } from "../../../mixins/runtime/thread-worker.ts";
import { digestFeed } from "../../domain/feed/digest-feed.ts";
import { digestSitemap } from "../../domain/feed/digest-sitemap.ts";

const tasks = { digestFeed, digestSitemap };

export type FeedTasks = typeof tasks;

export default serveTasks(tasks);
