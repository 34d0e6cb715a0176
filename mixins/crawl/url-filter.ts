import { isQuick, urlPatterns } from "../../services/domain/crawl/url-patterns.ts";
import { TimeSlices } from "../async/time-slices.ts";
import { openThreads, type TaskOptions } from "../runtime/threads.ts";
import type { FilterTasks } from "./url-filter.worker.ts";

/** The patterns of a crawl, by their names in the request. */
export interface Patterns {
  include: string[];
  exclude: string[];
}

/** Says which URLs a crawl's patterns take: a few globs at once, all else in a thread. */
export interface UrlFilter {
  /** Whether the patterns take each URL, in their order. Rejects with the signal's reason. The group is the key of the crawl. */
  takes(patterns: Patterns, urls: string[], task: Pick<TaskOptions, "group" | "signal">): Promise<boolean[]>;
  close(): Promise<void>;
}

/** URLs of one task: at their limits, patterns take half a second for one. */
const slice = 50;
/** The URLs of a task that takes longer than this are left out. */
const maxMs = 60_000;

export function openUrlFilter(): UrlFilter {
  const threads = openThreads<FilterTasks>({
    program: new URL("./url-filter.worker.ts", import.meta.url),
    maxThreads: 2,
    maxPerGroup: 1,
    maxWaiting: 10_000,
    memoryMb: 256,
    messages: {
      tooLarge: "The patterns of this crawl need too much memory.",
      busy: "Too many links are being sorted. Try again soon.",
    },
  });
  const quick = new WeakMap<Patterns, ReturnType<typeof urlPatterns>>();
  return {
    takes: async (patterns, urls, task) => {
      const { include, exclude } = patterns;
      if (isQuick(include, exclude)) {
        const matcher = quick.get(patterns) ?? urlPatterns(include, exclude);
        quick.set(patterns, matcher);
        return await inSlices(urls, matcher, task.signal);
      }
      const found: boolean[] = [];
      for (let at = 0; at < urls.length; at += slice) {
        const some = urls.slice(at, at + slice);
        const input = { include, exclude, urls: some };
        const taken = threads.run("filterUrls", input, { ...task, maxMs }).catch(error => {
          if ((Object(error) as { name?: unknown }).name !== "TimeoutError") throw error;
          return some.map(() => false);
        });
        found.push(...(await taken));
      }
      return found;
    },
    close: () => threads.close(),
  };
}

async function inSlices(
  urls: readonly string[],
  takes: (url: string) => boolean,
  signal: AbortSignal,
): Promise<boolean[]> {
  const slices = new TimeSlices(signal);
  const taken: boolean[] = [];
  for (const url of urls) {
    taken.push(takes(url));
    if (!(await slices.next())) signal.throwIfAborted();
  }
  return taken;
}
