import { fail } from "../../services/contracts/errors.ts";
import type { Appended } from "../../services/contracts/events.ts";
import { closeDatabase, openDatabase } from "../store/sqlite/database.ts";
import { eventOf, writtenEventOf } from "./event-of.ts";
import { inSlices, sliceSize } from "./in-slices.ts";
import { type NewEvent, type OpenLog, retentionMs } from "./log.ts";
import { LogTables } from "./log-tables.ts";

export interface EmbeddedLogOptions {
  /** The database file. */
  path: string;
  /** Tells everyone, this log's own listeners among them, which logs have grown. */
  hint(appended: Appended): void;
  now?: () => number;
}

/** The event log in the database file of the embedded mode, which it shares with the store. */
export function openEmbeddedLog({ path, hint, now = Date.now }: EmbeddedLogOptions): OpenLog {
  const database = openDatabase(path);
  const tables = new LogTables(database);
  const listeners = new Set<(keyIds: string[]) => void>();
  let isOpen = true;
  const appendNow = (events: NewEvent[], until = Number.POSITIVE_INFINITY) => {
    const at = now();
    if (at >= until) throw fail("conflict", "The lease of this step has ended.");
    return tables.append(events, at);
  };
  const announce = (keyIds: string[]) => {
    if (keyIds.length > 0) hint({ keyIds });
    return keyIds;
  };
  return {
    append: async (events, until) => {
      const grown = appendNow(events, until);
      await database.kept();
      return announce(grown);
    },
    // The tables' own transaction is a part of the store's, as both use one file.
    tell: async (store, work, until) => {
      announce(await store.transaction(transaction => appendNow(work(transaction), until)));
    },
    read: async (keyId, after, limit) => {
      const { entries } = tables.read(keyId, after, { events: limit, bytes: Number.POSITIVE_INFINITY });
      return entries.map(entry => eventOf(keyId, entry.seq, entry));
    },
    readPortion: async (keyId, after, portion) => {
      const { entries, more } = tables.read(keyId, after, portion);
      return { events: entries.map(entry => writtenEventOf(keyId, entry.seq, entry)), more };
    },
    bounds: async keyId => tables.bounds(keyId),
    positionAt: async (keyId, since) => tables.positionAt(keyId, since.getTime()),
    onAppended: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    prune: at => inSlices(() => (isOpen ? tables.pruneSlice(at.getTime() - retentionMs, sliceSize) : 0)),
    drop: async keyId => {
      await inSlices(() => (isOpen ? tables.dropSlice(keyId, sliceSize) : 0));
    },
    hear: ({ keyIds }) => {
      for (const listener of listeners) listener(keyIds);
    },
    close: async () => {
      isOpen = false;
      listeners.clear();
      closeDatabase(path);
    },
  };
}
