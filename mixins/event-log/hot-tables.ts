import { setImmediate as yieldToLoop } from "node:timers/promises";
import { inSlices, sliceSize } from "./event-log.ts";
import type { LogTables } from "./log-tables.ts";
import type { HotPart } from "./sealed/sealing.ts";

const keysTogether = 200;

/** The embedded log's entries, as they are sealed. */
export function hotTables(tables: LogTables): HotPart {
  return {
    keysBefore: () => allKeys(tables),
    first: async keyId => tables.first(keyId),
    positionAt: async (keyId, before) => tables.positionAt(keyId, before),
    entries: async (keyId, to, { events, bytes }) => {
      const after = (tables.first(keyId)?.seq ?? to + 1) - 1;
      const { entries } = tables.read(keyId, after, { events: Math.min(events, to - after), bytes });
      const { seq: last, at: lastAt } = entries.at(-1) ?? { seq: after, at: 0 };
      return { entries, last, lastAt };
    },
    cut: async (keyId, to, at) => void (await inSlices(() => tables.cutSlice(keyId, to, at, sliceSize))),
  };
}

/** Whether a key has old entries is one look into an index, so all keys are given. */
async function* allKeys(tables: LogTables): AsyncGenerator<string[]> {
  for (let after = ""; ; ) {
    const keyIds = tables.keyIds(after, keysTogether);
    if (keyIds.length > 0) yield keyIds;
    if (keyIds.length < keysTogether) return;
    after = keyIds.at(-1) ?? "";
    await yieldToLoop();
  }
}
