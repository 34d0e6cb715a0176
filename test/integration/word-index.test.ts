import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqliteWords } from "../../mixins/history/sqlite-words.ts";
import { closeDatabase, openDatabase } from "../../mixins/store/sqlite/database.ts";
import { wordIndexSuite } from "../suites/word-index.suite.ts";
import { removeFolder } from "../support/folders.ts";

wordIndexSuite("SQLite", async () => {
  const folder = await mkdtemp(join(tmpdir(), "magpie-words-"));
  const path = join(folder, "magpie.db");
  return {
    index: new SqliteWords(openDatabase(path)),
    close: async () => {
      closeDatabase(path);
      await removeFolder(folder);
    },
  };
});
