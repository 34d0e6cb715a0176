import { setImmediate as nextTurn } from "node:timers/promises";
import { Batch } from "../queue/batch.ts";
import { closeDatabase, openDatabase } from "../store/sqlite/database.ts";
import type { Frontier } from "./frontier.ts";
import { FrontierTables } from "./frontier-tables.ts";

/** Pages that go at a time: a few milliseconds. */
const sliceSize = 500;

/** A frontier that is open; `close` ends it. */
export interface OpenFrontier extends Frontier {
  close(): Promise<void>;
}

/**
 * The frontier in the database file of the embedded mode. A loss of power may undo its latest steps, with the pages that
 * were read meanwhile: those are read again.
 */
export function openEmbeddedFrontier(path: string): OpenFrontier {
  const database = openDatabase(path);
  const tables = new FrontierTables(database);
  const batch = new Batch(database, "end of process");
  let isOpen = true;
  return {
    open: (...step) => batch.join(() => tables.open(...step)),
    offer: (...step) => batch.join(() => tables.offer(...step)),
    take: (...step) => batch.join(() => tables.take(...step)),
    postpone: (...step) => batch.join(() => tables.postpone(...step)),
    settle: (...step) => batch.join(() => tables.settle(...step)),
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
      batch.flush();
      closeDatabase(path);
    },
  };
}

/** Lets other work in between the slices; one that breaks off leaves the rest for its next call. */
async function whileTrue(slice: () => boolean): Promise<void> {
  while (slice()) await nextTurn();
}
