import { mkdtemp, readFile } from "node:fs/promises";
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

test("what other sources say does not fill the bound of a search", async () => {
  const folder = await mkdtemp(join(tmpdir(), "magpie-words-"));
  const path = join(folder, "magpie.db");
  const index = new SqliteWords(openDatabase(path));
  const of = (sourceId: string, n: number) => ({
    ...{ id: `${n}`, kind: "version" as const, sourceId, at: n, title: "Title", text: "price" },
  });
  index.putNow([of("mine", 1)]);
  index.putNow(Array.from({ length: 50_001 }, (_, n) => of("other", n + 2)));
  const query = { wanted: [{ words: ["price"], isPrefix: true }], unwanted: [], sources: [], tags: [] };
  expect(await index.find(query, [{ sourceId: "mine", from: 0 }], { limit: 9 })).toHaveLength(1);
  closeDatabase(path);
  await removeFolder(folder);
});

test("what was removed is not in the file any more", async () => {
  const folder = await mkdtemp(join(tmpdir(), "magpie-words-"));
  const path = join(folder, "magpie.db");
  const index = new SqliteWords(openDatabase(path));
  const text = (sourceId: string) => ({
    ...{ id: "1", kind: "version" as const, sourceId, at: 1, title: "Title" },
    text: `salary zebrafish ${"and more ".repeat(1500)}`,
  });
  index.putNow(Array.from({ length: 20 }, (_, n) => text(`s${n}`)));
  for (let n = 0; n < 20; n += 1) await index.removeSome(`s${n}`, 9);
  closeDatabase(path);
  expect((await readFile(path)).includes("salary zebrafish")).toBe(false);
  await removeFolder(folder);
});
