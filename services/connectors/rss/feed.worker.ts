/** Runs in worker threads: a large feed would hold up everything else while it is read. */
import { serveTasks } from "../../../mixins/threads/serve-tasks.ts";
import { digestFeed } from "../../domain/feed/digest-feed.ts";

const tasks = { digestFeed };

export type FeedTasks = typeof tasks;

export default serveTasks(tasks);
