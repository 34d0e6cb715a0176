import { setImmediate as nextTurn } from "node:timers/promises";
import { fail } from "../../services/contracts/errors.ts";
import type { Event, EventData } from "../../services/contracts/events.ts";
import { closeDatabase, openDatabase } from "../store/sqlite/database.ts";
import { eventId } from "./event-id.ts";
import type { EventLog, NewEvent } from "./log.ts";
import { type Entry, LogTables } from "./log-tables.ts";

const retentionMs = 72 * 3_600_000;
/** References that go at a time: a few milliseconds. */
const sliceSize = 500;

/** A log that is open: `hear` takes the hints of others, `close` ends it. */
export interface OpenLog extends EventLog {
  hear(keyIds: string[]): void;
  close(): void;
}

export interface EmbeddedLogOptions {
  /** The database file. */
  path: string;
  /** Tells everyone, this log's own listeners among them, which logs have grown. */
  hint(keyIds: string[]): void;
  now?: () => number;
}

/** The event log in the database file of the embedded mode, which it shares with the store. */
export function openEmbeddedLog({ path, hint, now = Date.now }: EmbeddedLogOptions): OpenLog {
  const tables = new LogTables(openDatabase(path));
  const listeners = new Set<(keyIds: string[]) => void>();
  let isOpen = true;
  const appendNow = (events: NewEvent[], until = Number.POSITIVE_INFINITY) => {
    const at = now();
    if (at >= until) throw fail("conflict", "The lease of this step has ended.");
    return tables.append(events, at);
  };
  const announce = (keyIds: string[]) => {
    if (keyIds.length > 0) hint(keyIds);
    return keyIds;
  };
  return {
    append: async (events, until) => announce(appendNow(events, until)),
    // The tables' own transaction is a part of the store's, as both use one file.
    tell: async (store, work, until) => {
      announce(await store.transaction(transaction => appendNow(work(transaction), until)));
    },
    read: async (keyId, after, limit) => {
      const { entries } = tables.read(keyId, after, { events: limit, bytes: Number.POSITIVE_INFINITY });
      return entries.map(entry => eventOf(keyId, entry));
    },
    readPortion: async (keyId, after, portion) => {
      const { entries, more } = tables.read(keyId, after, portion);
      return { events: entries.map(entry => eventOf(keyId, entry)), more };
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
    hear: keyIds => {
      for (const listener of listeners) listener(keyIds);
    },
    close: () => {
      isOpen = false;
      listeners.clear();
      closeDatabase(path);
    },
  };
}

function eventOf(keyId: string, { seq, bodyId, type, timestamp, data }: Entry): Event {
  const id = eventId(keyId, bodyId, timestamp);
  return { id, type, timestamp, seq, data: JSON.parse(data) as EventData };
}

/** Lets other work in between the slices; one of them may be the end, and the next start goes on. */
async function inSlices(slice: () => number): Promise<number> {
  let total = 0;
  for (;;) {
    const removed = slice();
    total += removed;
    if (removed < sliceSize) return total;
    await nextTurn();
  }
}
