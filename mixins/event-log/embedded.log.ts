import { join } from "node:path";
import { fail } from "../../services/contracts/errors.ts";
import type { Appended, Event, EventType } from "../../services/contracts/events.ts";
import { closeDatabase, openDatabase } from "../store/sqlite/database.ts";
import { DurableGate } from "./durable-gate.ts";
import { eraseInParts } from "./erasing.ts";
import { hotMs, inSlices, type NewEvent, type OpenLog, sliceSize } from "./event-log.ts";
import { hotTables } from "./hot-tables.ts";
import { LogTables } from "./log-tables.ts";
import { NotYetDurable } from "./not-yet-durable.ts";
import { type Keeping, SealedLog } from "./sealed/sealed-log.ts";
import { sqliteIndex } from "./sealed/sqlite.index.ts";
import { writtenEventOf } from "./stored-event.ts";

export interface EmbeddedLogOptions {
  /** The database file. */
  path: string;
  /** Broadcasts which logs have grown, to this log's own listeners as well. */
  notify(appended: Appended): void;
  /** Called with the number of entries that an append has added for an event. */
  onEntries(type: EventType, entries: number): void;
  /** Has readers forget the events that they keep in memory. */
  onErased?(): unknown;
  /** Where sealed segments are; without it nothing is sealed, and events are kept while they are hot. */
  keeping?: Keeping;
  /** In a thread that reads what another one appends: the gate of that one's log, from `gateOf`. */
  gate?: SharedArrayBuffer;
  now?: () => number;
}

/** Bodies that are looked at together: some milliseconds of work. */
const erasedTogether = 200;

/** The database file of the embedded log. */
export function logPath(dataDir: string): string {
  return join(dataDir, "magpie.db");
}

/** What a thread needs to read no entry of this log too early. The database file must be shared with it. */
export function gateOf(path: string): SharedArrayBuffer {
  const { gate } = NotYetDurable.of(openDatabase(path));
  closeDatabase(path);
  return gate.memory;
}

/** The event log in the database file of the embedded mode, which it shares with the store. */
export function openEmbeddedLog(options: EmbeddedLogOptions): OpenLog {
  const { path, notify, onEntries, onErased, keeping, gate, now = Date.now } = options;
  const database = openDatabase(path);
  const tables = new LogTables(database, gate && new DurableGate(gate));
  const listeners = new Set<(keyIds: string[]) => void>();
  let isOpen = true;
  const hot = hotReads(tables);
  const parts = { index: sqliteIndex(database), reads: hot, hot: hotTables(tables), isOpen: () => isOpen };
  const sealed = keeping && new SealedLog(keeping, parts);
  const reads = sealed?.reads ?? hot;
  const retentionMs = keeping?.retentionMs ?? hotMs;
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
    holders: async (bodyIds, keyIds) => {
      const wanted = new Set(keyIds);
      return bodyIds.map(bodyId => tables.holders(bodyId).filter(keyId => wanted.has(keyId)));
    },
    read: async (keyId, after, limit) => {
      const budget = { events: limit, bytes: Number.POSITIVE_INFINITY };
      const { events } = await reads.readWithin(keyId, after, budget);
      return events.map(({ json }) => JSON.parse(json) as Event);
    },
    readWithin: (keyId, after, budget) => reads.readWithin(keyId, after, budget),
    bounds: keyId => reads.bounds(keyId),
    positionAt: (keyId, since) => reads.positionAt(keyId, since),
    grownLast: async limit => tables.grownLast(limit),
    onAppended: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    prune: async (at, signal) => {
      const before = at.getTime() - retentionMs;
      const positions = sealed ? await sealed.prune(at.getTime()) : 0;
      const removed = await inSlices(() => (isOpen ? tables.pruneSlice(before, sliceSize) : 0));
      await sealed?.seal(at.getTime(), signal);
      return positions + removed;
    },
    drop: async keyId => {
      await inSlices(() => (isOpen ? tables.dropSlice(keyId, sliceSize) : 0));
      await sealed?.drop(keyId);
    },
    erase: async (wanted, erasing) => {
      const hot = async (after: string) => {
        const { found, last } = tables.eraseSlice(wanted, Number(after), erasedTogether, erasing.dry);
        return { found, last: last === null ? null : String(last) };
      };
      const erased = await eraseInParts(hot, sealed, wanted, erasing);
      await database.kept();
      await onErased?.();
      return erased;
    },
    // A rewritten segment has another name, and bodies are read from the file.
    forgetCached: () => undefined,
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

type Reads = Pick<OpenLog, "readWithin" | "bounds" | "positionAt">;

function hotReads(tables: LogTables): Reads {
  return {
    readWithin: async (keyId, after, budget) => {
      const { entries, more } = tables.read(keyId, after, budget);
      return { events: entries.map(entry => writtenEventOf(keyId, entry.seq, entry)), more };
    },
    bounds: async keyId => tables.bounds(keyId),
    positionAt: async (keyId, since) => tables.positionAt(keyId, since.getTime()),
  };
}
