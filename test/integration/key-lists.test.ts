import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openSqliteStore } from "../../mixins/store/sqlite/sqlite-store.ts";
import type { Store } from "../../mixins/store/store.ts";
import type { OpenStore } from "../../mixins/store/store-of.ts";
import { createKey, updateKey } from "../../services/keys/api-keys.ts";
import { type KeysContext, type StoredKey, storeOptions } from "../../services/keys/context.ts";
import { listKeys } from "../../services/keys/key-lists.ts";
import { listOwners } from "../../services/keys/owners.ts";
import { removeFolder } from "../support/folders.ts";
import { keysContext } from "../support/keys-context.ts";

const owners = ["Heron", "heron two", "stork", "Über", "HERON three"];
const names = ["stork key", "plain", "Heron key"];
const secret = "a master secret of more than 32 characters";
let dataDir: string;
let opened: OpenStore;
let context: KeysContext;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "magpie-key-lists-"));
  const { collection, indexes = [], extraCollections = {} } = storeOptions;
  opened = await openSqliteStore(
    join(dataDir, "magpie.db"),
    Object.entries({ [collection]: indexes, ...extraCollections }),
  );
  context = keysContext(opened.store as unknown as Store<StoredKey>, secret);
  for (const name of names) for (const owner of owners) await createKey(context, { owner, name });
});
afterAll(async () => {
  await opened?.close();
  await removeFolder(dataDir);
});

/** All rows of a list, `limit` at a time. */
async function all(
  wanted: { owner?: string; query?: string },
  limit: number,
  of = context,
): Promise<string[]> {
  const rows: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listKeys(of, { ...wanted, limit, cursor });
    expect(page.data.length).toBeLessThanOrEqual(limit);
    rows.push(...page.data.map(({ owner, name }) => `${owner}/${name}`));
    if (page.next_cursor === null) return rows;
    expect(page.data).toHaveLength(limit);
    cursor = page.next_cursor;
  }
}

const herons = ["Heron", "HERON three", "heron two"].flatMap(owner => names.map(name => `${owner}/${name}`));
const made = names.flatMap(name => owners.map(owner => `${owner}/${name}`));

test.each([1, 2, 3, 7, 100])(
  "%i at a time every list is whole, in its order, and nothing comes twice",
  async limit => {
    expect(await all({}, limit)).toEqual(made.toReversed());
    expect(await all({ owner: "stork" }, limit)).toEqual(names.map(name => `stork/${name}`).toReversed());
    expect(await all({ query: "heRON" }, limit)).toEqual([...herons, "stork/Heron key", "Über/Heron key"]);
    expect(await all({ query: "stork" }, limit)).toEqual([
      ...names.map(name => `stork/${name}`),
      ...["Heron", "heron two", "Über", "HERON three"].map(owner => `${owner}/stork key`),
    ]);
    expect(await all({ query: "ü" }, limit)).toEqual(names.map(name => `Über/${name}`));
    expect(await all({ query: "heron", owner: "stork" }, limit)).toEqual(["stork/Heron key"]);
    expect(await all({ query: "nobody" }, limit)).toEqual([]);
  },
);

test("keys are listed by their ids, and those that are gone are left out", async () => {
  const { data } = await listKeys(context, { limit: 100 });
  const [, second, , fourth] = data;
  const ids = [String(fourth?.id), "nobody", String(second?.id)];
  expect(await listKeys(context, { ids, query: "nobody", limit: 1 })).toMatchObject({
    data: [second, fourth],
    next_cursor: null,
  });
});

test("a renamed key is found by its new name only", async () => {
  const { data } = await createKey(context, { owner: "renamer", name: "before" });
  await updateKey(context, { id: data.id, name: "Afterwards" });
  expect(await all({ query: "after" }, 10)).toEqual(["renamer/Afterwards"]);
  expect(await all({ query: "before" }, 10)).toEqual([]);
});

test("every query of the lists follows an index, and none sorts", async () => {
  const path = join(mkdtempSync(join(dataDir, "probe-")), "magpie.db");
  const asked: string[] = [];
  const prepare = DatabaseSync.prototype.prepare;
  DatabaseSync.prototype.prepare = function (sql) {
    asked.push(sql);
    return prepare.call(this, sql);
  };
  const probe = await openSqliteStore(
    path,
    Object.entries({
      [storeOptions.collection]: storeOptions.indexes ?? [],
      ...storeOptions.extraCollections,
    }),
  );
  try {
    const fresh = keysContext(probe.store as unknown as Store<StoredKey>, secret);
    for (const owner of owners) await createKey(fresh, { owner, name: "heron" });
    asked.length = 0;
    for (const wanted of [{}, { owner: "stork" }, { query: "h" }, { query: "h", owner: "stork" }])
      await all(wanted, 1, fresh);
    const { next_cursor } = await listOwners(fresh, { limit: 1 });
    await listOwners(fresh, { limit: 1, cursor: next_cursor ?? "" });
  } finally {
    DatabaseSync.prototype.prepare = prepare;
    await probe.close();
  }
  const database = new DatabaseSync(path, { readOnly: true });
  const selects = [...new Set(asked)].filter(sql => sql.startsWith("SELECT"));
  expect(selects.length).toBeGreaterThan(5);
  for (const sql of selects) {
    const count = sql.split("?").length - 1;
    const plan = database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...Array.from({ length: count }, () => "1"))
      .map(row => String(row.detail))
      .join("; ");
    expect({ sql, plan }).toEqual({
      sql,
      plan: expect.stringMatching(/USING (COVERING )?(INTEGER PRIMARY KEY|INDEX)/),
    });
    expect({ sql, plan }).toEqual({ sql, plan: expect.not.stringContaining("TEMP B-TREE FOR ORDER BY") });
  }
  database.close();
});
