/** Runs in worker threads: reading a large feed would block everything else. */
import { serveTasks } from "../../../mixins/runtime/thread-worker.ts";
import { digestFeed } from "../../domain/feed/digest-feed.ts";

const tasks = { digestFeed };

export type FeedTasks = typeof tasks;

export default serveTasks(tasks);
