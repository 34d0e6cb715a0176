/** Runs in worker threads: everything whose time a page decides, so that a hostile page can be stopped and costs no other. */
import { serveTasks } from "../../../mixins/threads/serve-tasks.ts";
import { condensePage, extractJson } from "../json/extract-in-page.ts";
import { readFetched } from "./read-fetched.ts";
import { readRendered } from "./read-rendered.ts";

const tasks = {
  readFetched,
  readRendered,
  extractJson: (args: Parameters<typeof extractJson>) => extractJson(...args),
  condensePage: (args: Parameters<typeof condensePage>) => condensePage(...args),
};

export type ExtractionTasks = typeof tasks;

export default serveTasks(tasks);
