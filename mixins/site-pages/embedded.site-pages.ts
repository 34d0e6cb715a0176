import { setImmediate as yieldToLoop } from "node:timers/promises";
import { closeDatabase, openDatabase } from "../store/sqlite/database.ts";
import { GroupCommit } from "../store/sqlite/group-commit.ts";
import { slicesOf } from "./page-states.ts";
import type { OpenSitePages } from "./site-pages.ts";
import { SiteTables } from "./site-tables.ts";
import { SiteViews } from "./site-views.ts";

/** Pages in one slice of a long step: some 10 ms. */
const sliceSize = 200;

/**
 * The pages of sites in the database file of the embedded mode. A loss of power may undo its latest steps; their pages are
 * then visited again.
 */
export function openEmbeddedSitePages(path: string): OpenSitePages {
  const database = openDatabase(path);
  const [tables, views] = [new SiteTables(database), new SiteViews(database)];
  const groupCommit = new GroupCommit(database, "end of process");
  let isOpen = true;
  return {
    open: async (siteId, fence) => ({ memory: await groupCommit.join(() => tables.open(siteId, fence)) }),
    offer: async (siteId, fence, found, limit) => {
      let added = 0;
      for (const some of slicesOf(found, sliceSize))
        added += await groupCommit.join(() => tables.offer(siteId, fence, some, limit));
      return added;
    },
    due: async (siteId, now, count) => views.due(siteId, now, count),
    nextDue: async siteId => views.nextDue(siteId),
    get: async (siteId, keys) => views.get(siteId, keys),
    withContent: async (siteId, content) => views.withContent(siteId, content),
    near: async (siteId, key, count) => views.near(siteId, key, count),
    settle: async (siteId, fence, pages, memory) => {
      const slices = slicesOf(pages, sliceSize);
      for (const [at, some] of slices.entries()) {
        const kept = at === slices.length - 1 ? memory : undefined;
        await groupCommit.join(() => tables.settle(siteId, fence, some, kept));
      }
    },
    mark: async (siteId, fence, marks) => {
      for (const some of slicesOf(marks, sliceSize))
        await groupCommit.join(() => tables.mark(siteId, fence, some));
    },
    news: async (siteId, after, limit) => views.news(siteId, after, limit),
    acknowledge: (siteId, fence, seq) => groupCommit.join(() => tables.acknowledge(siteId, fence, seq)),
    counts: async siteId => views.counts(siteId),
    list: async (siteId, range) => views.list(siteId, range),
    listed: async (siteId, after, limit) => views.listed(siteId, after, limit),
    drop: async siteId => {
      while (isOpen && tables.dropSlice(siteId, sliceSize) === sliceSize) await yieldToLoop();
    },
    close: async () => {
      isOpen = false;
      groupCommit.flush();
      closeDatabase(path);
    },
  };
}
