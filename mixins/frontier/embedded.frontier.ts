import { setImmediate as yieldToLoop } from "node:timers/promises";
import { closeDatabase, openDatabase } from "../store/sqlite/database.ts";
import { GroupCommit } from "../store/sqlite/group-commit.ts";
import type { Frontier } from "./frontier.ts";
import { FrontierTables } from "./frontier-tables.ts";

/** Pages in one slice of a long step: a few milliseconds. */
const sliceSize = 500;

/** An open frontier; `close` ends it. */
export interface OpenFrontier extends Frontier {
  close(): Promise<void>;
}

/**
 * The frontier in the database file of the embedded mode. A loss of power may undo its latest steps; the crawler then
 * reads those pages again.
 */
export function openEmbeddedFrontier(path: string): OpenFrontier {
  const database = openDatabase(path);
  const tables = new FrontierTables(database);
  const groupCommit = new GroupCommit(database, "end of process");
  let isOpen = true;
  return {
    open: (...step) => groupCommit.join(() => tables.open(...step)),
    offer: async (crawlId, fence, candidates) =>
      candidates.length === 0
        ? tables.offer(crawlId, fence, candidates)
        : await groupCommit.join(() => tables.offer(crawlId, fence, candidates)),
    take: (...step) => groupCommit.join(() => tables.take(...step)),
    postpone: (...step) => groupCommit.join(() => tables.postpone(...step)),
    settle: (...step) => groupCommit.join(() => tables.settle(...step)),
    nextDue: async crawlId => tables.nextDue(crawlId),
    finish: async (crawlId, fence, reason) => {
      await inSlices(() => isOpen && tables.finishSlice(crawlId, fence, reason, sliceSize) > 0);
      return tables.counts(crawlId);
    },
    counts: async crawlId => tables.counts(crawlId),
    settled: async (crawlId, { after, limit, states = ["completed", "failed", "skipped"] }) =>
      tables.settled(crawlId, after, limit, states),
    drop: crawlId => inSlices(() => isOpen && tables.dropSlice(crawlId, sliceSize) === sliceSize),
    close: async () => {
      isOpen = false;
      groupCommit.flush();
      closeDatabase(path);
    },
  };
}

/** Lets other work run between the slices; when it breaks off, the next call does the rest. */
async function inSlices(slice: () => boolean): Promise<void> {
  while (slice()) await yieldToLoop();
}
