import { fail } from "../../services/contracts/errors.ts";
import type { Appended, EventType } from "../../services/contracts/events.ts";
import { closeDatabase, openDatabase } from "../store/sqlite/database.ts";
import { inSlices, type NewEvent, type OpenLog, retentionMs, sliceSize } from "./event-log.ts";
import { LogTables } from "./log-tables.ts";
import { eventOf, writtenEventOf } from "./stored-event.ts";

export interface EmbeddedLogOptions {
  /** The database file. */
  path: string;
  /** Broadcasts which logs have grown, to this log's own listeners as well. */
  notify(appended: Appended): void;
  /** Called with the number of entries that an append has added for an event. */
  onEntries(type: EventType, entries: number): void;
  now?: () => number;
}

/** The event log in the database file of the embedded mode, which it shares with the store. */
export function openEmbeddedLog({ path, notify, onEntries, now = Date.now }: EmbeddedLogOptions): OpenLog {
  const database = openDatabase(path);
  const tables = new LogTables(database);
  const listeners = new Set<(keyIds: string[]) => void>();
  let isOpen = true;
  const appendNow = (events: NewEvent[], until = Number.POSITIVE_INFINITY) => {
    const at = now();
    if (at >= until) throw fail("conflict", "The lease of this step has ended.");
    return { events, ...tables.append(events, at) };
  };
  const notifyIfGrown = ({ events, keyIds, entries }: ReturnType<typeof appendNow>) => {
    for (const [n, { type }] of events.entries()) if (entries[n]) onEntries(type, entries[n]);
    if (keyIds.length > 0) notify({ keyIds });
    return keyIds;
  };
  return {
    append: async (events, until) => {
      const grown = appendNow(events, until);
      await database.kept();
      return notifyIfGrown(grown);
    },
    read: async (keyId, after, limit) => {
      const { entries } = tables.read(keyId, after, { events: limit, bytes: Number.POSITIVE_INFINITY });
      return entries.map(entry => eventOf(keyId, entry.seq, entry));
    },
    readWithin: async (keyId, after, budget) => {
      const { entries, more } = tables.read(keyId, after, budget);
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
    receive: ({ keyIds }) => {
      for (const listener of listeners) listener(keyIds);
    },
    close: async () => {
      isOpen = false;
      listeners.clear();
      closeDatabase(path);
    },
  };
}
