import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { Database } from "../store/sqlite/database.ts";
import { nothing } from "./cost.ts";
import type { Keep } from "./history.ts";
import type { RunTables } from "./run-tables.ts";
import type { SqliteWords } from "./sqlite-words.ts";
import type { VersionTables } from "./version-tables.ts";
import { type AgedSource, removeBeyond, removeOver } from "./what-goes.ts";

/** Versions, or texts, that one transaction removes: it blocks the process for some milliseconds. */
const slice = 50;
/** Runs that one transaction removes. */
const sliceOfRuns = 500;
/** Versions, and runs of each kind, that one erasure removes. */
const erasedAtOnce = 1000;
const runsErasedAtOnce = 10_000;

/** The parts of the embedded history. */
export interface Inside {
  database: Database;
  versions: VersionTables;
  runs: RunTables;
  words: SqliteWords;
  /** A content, by its hash, cannot be read. */
  onUnreadable(hash: string, error: unknown): void;
}

export async function prune(inside: Inside, sourceId: string, keep: Keep): Promise<number> {
  const removed = await removeBeyond(agedSource(inside, sourceId), keep);
  await inside.database.kept();
  return removed;
}

export async function erase(inside: Inside, sourceId: string, until?: number): Promise<boolean> {
  const { database } = inside;
  let isDone = true;
  if (until === undefined) isDone = await eraseSome(inside, sourceId);
  else {
    const source = agedSource(inside, sourceId);
    const removed = await removeOver(source, until, erasedAtOnce);
    await source.removeRuns(until);
    isDone = removed < erasedAtOnce;
  }
  await database.kept();
  return isDone;
}

async function eraseSome(inside: Inside, sourceId: string): Promise<boolean> {
  const { versions, words } = inside;
  await words.written();
  const ids = versions.newestIds(sourceId, erasedAtOnce);
  await removeVersions(inside, sourceId, ids);
  const texts = await inSlices(limit => words.removeSome(sourceId, limit), erasedAtOnce);
  const ofSource = (limit: number) => {
    const source = versions.sourceOf(sourceId);
    return source === null ? 0 : inside.runs.removeOver(source, Number.MAX_SAFE_INTEGER, limit);
  };
  const runs = await inSlices(async limit => ofSource(limit), runsErasedAtOnce, sliceOfRuns);
  const isDone = ids.length < erasedAtOnce && texts < erasedAtOnce && runs < runsErasedAtOnce;
  if (isDone) forgetEmpty(inside, sourceId);
  return isDone;
}

function agedSource(inside: Inside, sourceId: string): AgedSource {
  const { database, versions, runs, words } = inside;
  /** The source may be gone meanwhile. */
  const of = <Result>(work: (source: number) => Result, other: Result): Result => {
    const source = versions.sourceOf(sourceId);
    return source === null ? other : work(source);
  };
  const removeOld = (kind: "checks" | "values", limit: number) =>
    of(source => runs.removeOldest(kind, source, limit), 0);
  return {
    newestId: async () => versions.newestIds(sourceId, 1)[0] ?? null,
    after: async (id, limit) => of(source => versions.aged(source, id, limit), []),
    firstAfter: async (id, items) => of(source => versions.agedAfterOf(source, id, items), new Map()),
    comparedFrom: async eventsFrom => of(source => versions.comparedFrom(source, eventsFrom), new Set()),
    remove: ids => removeVersions(inside, sourceId, ids),
    held: async () => versions.heldOf([sourceId]).get(sourceId) ?? nothing,
    removeWords: async bytes => {
      let removed = 0;
      while (removed < bytes) {
        const some = of(source => versions.withWords(source, slice), []);
        if (some.length === 0) break;
        const ids = some.map(({ id }) => id);
        database.transaction(() => {
          words.removeNow(sourceId, ids);
          of(source => versions.forgetWords(source, ids), undefined);
        });
        removed += some.reduce((sum, each) => sum + each.bytes, 0);
        await yieldToLoop();
      }
      return removed;
    },
    removeRuns: async until => {
      const over = async (limit: number) => of(source => runs.removeOver(source, until, limit), 0);
      await inSlices(over, Infinity, sliceOfRuns);
    },
    removeOldest: async (kind, count) => {
      await inSlices(async limit => removeOld(kind, limit), count, sliceOfRuns);
    },
  };
}

/** Newest first, so that what is packed against a removed one goes with it. */
async function removeVersions(
  { database, versions, words }: Inside,
  sourceId: string,
  ids: string[],
): Promise<void> {
  for (let at = 0; at < ids.length; at += slice) {
    if (at > 0) await yieldToLoop();
    const source = versions.sourceOf(sourceId);
    if (source === null) continue;
    const some = ids.slice(at, at + slice);
    database.transaction(() => {
      versions.remove(source, some);
      words.removeNow(sourceId, some);
    });
  }
}

/** Removes some at a time until there are no more, or about `most` went; answers how many. */
export async function inSlices(
  removeSome: (limit: number) => Promise<number>,
  most = Infinity,
  size = slice,
): Promise<number> {
  for (let total = 0; total < most; await yieldToLoop()) {
    const removed = await removeSome(Math.min(size, most - total));
    total += removed;
    if (removed === 0 || total >= most) return total;
  }
  return 0;
}

/** A source of which nothing is left. What a poll has added meanwhile stays for the next erasure. */
function forgetEmpty({ database, versions, runs }: Inside, sourceId: string): void {
  database.transaction(() => {
    const source = versions.sourceOf(sourceId);
    if (source !== null && versions.newestIds(sourceId, 1).length === 0 && runs.isEmpty(source))
      versions.removeSource(source);
  });
}
