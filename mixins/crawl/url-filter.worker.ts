/** Runs in a worker thread: what a crawl's patterns cost is its user's to choose, and a URL may take half a second. */

import { urlPatterns } from "../../services/domain/crawl/url-patterns.ts";
import { serveTasks } from "../runtime/thread-worker.ts";

const tasks = { filterUrls };

export type FilterTasks = typeof tasks;

export default serveTasks(tasks);

const maxKept = 20;
const kept = new Map<string, ReturnType<typeof urlPatterns>>();

interface Input {
  include: string[];
  exclude: string[];
  urls: string[];
}

/** Which of the URLs the patterns take. */
function filterUrls({ include, exclude, urls }: Input): boolean[] {
  return urls.map(matcherOf(include, exclude));
}

/** Compiled patterns are kept: a crawl asks with the same for each of its pages. */
function matcherOf(include: string[], exclude: string[]): (url: string) => boolean {
  const named = JSON.stringify([include, exclude]);
  const matcher = kept.get(named) ?? urlPatterns(include, exclude);
  if (kept.size >= maxKept) kept.clear();
  kept.set(named, matcher);
  return matcher;
}
