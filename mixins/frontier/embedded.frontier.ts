import { setImmediate as nextTurn } from "node:timers/promises";
import { closeDatabase, openDatabase } from "../store/sqlite/database.ts";
import type { Frontier } from "./frontier.ts";
import { FrontierTables } from "./frontier-tables.ts";

/** Pages that go at a time: a few milliseconds. */
const sliceSize = 500;

/** A frontier that is open; `close` ends it. */
export interface OpenFrontier extends Frontier {
  close(): Promise<void>;
}

/** The frontier in the database file of the embedded mode. */
export function openEmbeddedFrontier(path: string): OpenFrontier {
  const tables = new FrontierTables(openDatabase(path));
  let isOpen = true;
  return {
    open: async (crawlId, fence, bounds) => tables.open(crawlId, fence, bounds),
    offer: async (crawlId, fence, candidates) => tables.offer(crawlId, fence, candidates),
    take: async (crawlId, fence, count, now) => tables.take(crawlId, fence, count, now),
    postpone: async (crawlId, fence, key, until) => tables.postpone(crawlId, fence, key, until),
    settle: async (crawlId, fence, key, outcome, links) => tables.settle(crawlId, fence, key, outcome, links),
    nextDue: async crawlId => tables.nextDue(crawlId),
    finish: async (crawlId, fence, reason) => {
      await whileTrue(() => isOpen && tables.finishSlice(crawlId, fence, reason, sliceSize) > 0);
      return tables.counts(crawlId);
    },
    counts: async crawlId => tables.counts(crawlId),
    settled: async (crawlId, { after, limit, states = ["completed", "failed", "skipped"] }) =>
      tables.settled(crawlId, after, limit, states),
    drop: crawlId => whileTrue(() => isOpen && tables.dropSlice(crawlId, sliceSize) === sliceSize),
    close: async () => {
      isOpen = false;
      closeDatabase(path);
    },
  };
}

/** Lets other work in between the slices; one that breaks off leaves the rest for its next call. */
async function whileTrue(slice: () => boolean): Promise<void> {
  while (slice()) await nextTurn();
}
