import { globSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as yieldToLoop } from "node:timers/promises";
import { closeDatabase, type Database, openDatabase } from "./database.ts";

/** Pages of the index that one step merges: it blocks the process for some tens of milliseconds. */
const pagesMerged = 200;

/**
 * Takes erased content out of the files of a data folder. SQLite overwrites what is deleted, but two places keep it for a
 * time: the index of words until its parts are merged, and the write-ahead log until it begins anew.
 */
export async function scrubFolder(dataDir: string): Promise<void> {
  for (const name of globSync("*.db", { cwd: dataDir })) {
    const path = join(dataDir, name);
    const database = openDatabase(path);
    try {
      await mergeWords(database);
      await database.kept();
      database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } finally {
      closeDatabase(path);
    }
  }
}

/** A merge of all parts drops the words of deleted texts. A step that changes fewer than two rows was the last one. */
async function mergeWords(database: Database): Promise<void> {
  const isThere = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'history_words'").get();
  if (!isThere) return;
  const merge = database.prepare("INSERT INTO history_words (history_words, rank) VALUES ('merge', ?)");
  const total = () => Number(database.prepare("SELECT total_changes() AS n").get()?.n);
  // A negative number begins with a merge of all parts, a positive one goes on with it.
  for (let pages = -pagesMerged; ; pages = pagesMerged) {
    const before = total();
    database.transaction(() => void merge.run(pages));
    if (total() - before < 2) return;
    await yieldToLoop();
  }
}
