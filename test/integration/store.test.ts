import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { jest } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { ensureIndexes } from "../../mixins/store/sqlite/collection.ts";
import { closeDatabase, Database, openDatabase } from "../../mixins/store/sqlite/database.ts";
import { SqliteAdapter } from "../../mixins/store/sqlite/sqlite.adapter.ts";
import { type Adapters, adapterStore } from "../../mixins/store/sqlite/sqlite-store.ts";
import { where } from "../../mixins/store/sqlite/where-clause.ts";
import { type StoreOptions, storeMixin, type WithStore } from "../../mixins/store/store.mixin.ts";
import { attemptsSuite } from "../suites/attempts.suite.ts";
import { listsSuite } from "../suites/lists.suite.ts";
import { siteSessionsSuite } from "../suites/site-sessions.suite.ts";
import { type StoreDriver, storeSuite } from "../suites/store.suite.ts";
import { removeFolder } from "../support/folders.ts";
import { until } from "../support/until.ts";

interface Note {
  _id: string;
  n?: number;
}

async function serve(dataDir: string, options: StoreOptions) {
  const broker = new ServiceBroker({ logger: false });
  const service = broker.createService({ name: "notes", mixins: [storeMixin({ dataDir }, options)] });
  await broker.start();
  return { broker, service, store: (service as unknown as WithStore<Note>).store };
}

const folders: string[] = [];
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), "magpie-store-"));
  folders.push(path);
  return path;
};
afterAll(async () => {
  for (const path of folders) await removeFolder(path);
});

storeSuite("sqlite", sqliteDriver);
listsSuite("sqlite", sqliteDriver);
attemptsSuite("sqlite", sqliteDriver);
siteSessionsSuite("sqlite", sqliteDriver);

function sqliteDriver(): StoreDriver {
  let adapters: Adapters;
  return {
    async open(collection, indexes, extra) {
      const path = join(folder(), "magpie.db");
      const declared = Object.entries({ [collection]: indexes, ...extra });
      adapters = new Map(declared.map(([name, of]) => [name, new SqliteAdapter(path, name, of)]));
      for (const adapter of adapters.values()) await adapter.connect();
      return adapterStore(adapters, collection);
    },
    async close() {
      for (const adapter of adapters.values()) await adapter.disconnect();
    },
  };
}

describe("the embedded store", () => {
  test("publishes no action and shows nothing in its settings", async () => {
    const dataDir = folder();
    const { broker, service } = await serve(dataDir, { collection: "notes" });
    expect(Object.keys(service.actions)).toEqual([]);
    expect(JSON.stringify(service.settings)).not.toContain(dataDir);
    await broker.stop();
  });

  test("moleculer-db's own methods work on it, for code of its service", async () => {
    const { broker, service } = await serve(folder(), { collection: "notes" });
    const db = service as unknown as Record<string, (context: unknown, params: object) => Promise<unknown>>;
    await db._insert?.(null, {
      entities: [
        { _id: "a", n: 1 },
        { _id: "b", n: 2 },
        { _id: "c", n: 2 },
      ],
    });
    await db._update?.(null, { _id: "a", n: 3 });
    await db._remove?.(null, { id: "c" });
    expect(await db._get?.(null, { id: ["a", "b"] })).toEqual([
      { _id: "a", n: 3 },
      { _id: "b", n: 2 },
    ]);
    expect(await db._find?.(null, { query: { n: { $gt: 2 } } })).toEqual([{ _id: "a", n: 3 }]);
    expect(await db._list?.(null, { page: 1, pageSize: 1, sort: ["-n"] })).toMatchObject({
      rows: [{ _id: "a" }],
      total: 2,
    });
    await expect(db._get?.(null, { id: "z" })).rejects.toThrow("Entity not found");
    await broker.stop();
  });

  test("two services share one file, and what was written is there after a restart", async () => {
    const dataDir = folder();
    const first = await serve(dataDir, { collection: "notes" });
    const second = await serve(dataDir, { collection: "others" });
    await first.store.insert({ _id: "a" });
    await second.store.insert({ _id: "b" });
    await first.broker.stop();
    await second.store.insert({ _id: "c" });
    await second.broker.stop();
    const again = await serve(dataDir, { collection: "notes", extraCollections: { others: [] } });
    expect([await again.store.count(), await again.store.collection("others").count()]).toEqual([1, 2]);
    await again.broker.stop();
  });

  test("a write waits for the disk, unless a loss of power may undo it", async () => {
    const dataDir = folder();
    const { broker, store } = await serve(dataDir, { collection: "posts" });
    const database = openDatabase(join(dataDir, "magpie.db"));
    const kept = jest.spyOn(database, "kept");
    const waits = async (write: () => Promise<unknown>) => {
      kept.mockClear();
      await write();
      return kept.mock.calls.length;
    };
    const change = { $set: { n: 1 } };
    expect(await waits(() => store.insert({ _id: "a" }))).toBe(1);
    expect(await waits(() => store.insertMany([{ _id: "b" }, { _id: "c" }]))).toBe(1);
    expect(await waits(() => store.update("a", change))).toBe(1);
    expect(await waits(() => store.upsert("d", change))).toBe(1);
    expect(await waits(() => store.updateMany({}, change))).toBe(1);
    expect(await waits(() => store.remove("a"))).toBe(1);
    expect(await waits(() => store.removeMany({ n: 1 }))).toBe(1);
    expect(await waits(() => store.change("a", () => ({ _id: "a" })))).toBe(1);
    expect(await waits(() => store.change("a", () => null, "end of process"))).toBe(0);
    expect(await waits(() => store.find())).toBe(0);
    closeDatabase(join(dataDir, "magpie.db"));
    await broker.stop();
  });

  test("a wait for the disk begins after the commits that it is for, and is shared", async () => {
    const waits: { done: () => void; broken: (error: Error) => void }[] = [];
    const database = new Database(
      join(folder(), "magpie.db"),
      () => new Promise((done, broken) => waits.push({ done, broken })),
    );
    const settled: string[] = [];
    const ask = (name: string) =>
      database.kept().then(
        () => settled.push(name),
        () => settled.push(`${name} broken`),
      );
    const first = ask("first");
    await until("the disk is asked", () => waits.length === 1);
    const others = Promise.all([ask("second"), ask("third")]);
    waits[0]?.broken(new Error("no space"));
    await first;
    await until("the disk is asked anew", () => waits.length === 2);
    expect(settled).toEqual(["first broken"]);
    waits[1]?.done();
    await others;
    expect([settled, waits.length]).toEqual([["first broken", "second", "third"], 2]);
    database.close();
    await database.kept();
  });

  test("what nobody waits for goes to the disk all the same, together", async () => {
    let syncs = 0;
    const database = new Database(join(folder(), "magpie.db"), async () => {
      syncs += 1;
    });
    const write = (n: number) => database.transaction(() => database.exec(`PRAGMA user_version = ${n}`));
    for (const n of [1, 2, 3]) write(n);
    await until("the disk is asked", () => syncs > 0);
    write(4);
    // Whoever asks takes along what would be brought there unasked.
    await database.kept();
    await delay(300);
    expect(syncs).toBe(2);
    database.close();
  });

  test("a connection that closes brings to the disk what waits for it", async () => {
    const path = join(folder(), "magpie.db");
    let syncs = 0;
    const close = async (prepare: (database: Database) => Promise<void> | undefined) => {
      syncs = 0;
      const now = () => {
        syncs += 1;
      };
      const database = new Database(path, async () => undefined, now);
      database.transaction(() => database.exec("PRAGMA user_version = 1"));
      const prepared = prepare(database);
      // Not awaited otherwise: a sync that is due would begin.
      if (prepared) await prepared;
      database.close();
      return syncs;
    };
    expect(await close(() => undefined)).toBe(1);
    expect(await close(database => void database.kept() as undefined)).toBe(1);
    expect(await close(database => database.kept())).toBe(0);
  });

  test("queries use the declared indexes, and an index that is declared no longer goes", () => {
    const path = join(folder(), "magpie.db");
    const database = openDatabase(path);
    database.exec("CREATE TABLE t (_id TEXT PRIMARY KEY NOT NULL, doc TEXT NOT NULL) STRICT");
    const plan = (query: object) => {
      const { sql, values } = where(query as Record<string, unknown>);
      const text = `EXPLAIN QUERY PLAN SELECT doc FROM t WHERE ${sql} ORDER BY _id DESC`;
      return database
        .prepare(text)
        .all(...values)
        .map(row => row.detail);
    };
    ensureIndexes(database, "t", [{ fields: ["a", "b"], unique: true }]);
    expect(plan({ a: "x" })[0]).toContain("USING INDEX t:a:b:unique");
    ensureIndexes(database, "t", [{ fields: ["a", "b", "_id"], sparse: true }]);
    expect(plan({ a: "x", b: "y", _id: { $lt: "z" } })).toEqual([
      expect.stringContaining("USING INDEX t:a:b:_id:sparse"),
    ]);
    ensureIndexes(database, "t", []);
    expect(plan({ a: "x" })[0]).toContain("SCAN");
    closeDatabase(path);
  });
});

test("a file that is no database is named", () => {
  const path = join(folder(), "magpie.db");
  writeFileSync(path, "no database, ".repeat(100));
  expect(() => openDatabase(path)).toThrow(`DATA_DIR: ${path} cannot be opened (file is not a database)`);
});

test("a database that another program has locked is in use, though nobody has the folder's lock", () => {
  const path = join(folder(), "magpie.db");
  const other = new DatabaseSync(path);
  other.exec("PRAGMA journal_mode = WAL; PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT;");
  expect(() => openDatabase(path)).toThrow("is in use by another process");
  other.close();
  expect(() => openDatabase(path)).not.toThrow();
  closeDatabase(path);
});

describe("two processes", () => {
  const holder = `
    import { openDatabase } from "./mixins/store/sqlite/database.ts";
    import { SqliteCollection } from "./mixins/store/sqlite/collection.ts";
    const notes = new SqliteCollection(openDatabase(process.argv[1]), "notes", []);
    for (let n = 0; ; n++) { notes.insert({ _id: String(n) }); await new Promise(done => process.stdout.write(n + "\\n", done)); }`;
  const hold = (dataDir: string): ChildProcess =>
    spawn(process.execPath, ["--input-type=module", "-e", holder, join(dataDir, "magpie.db")], {
      stdio: ["ignore", "pipe", "inherit"],
    });

  test("while threads of the first share a file the second is refused; a kill -9 loses no write of any", async () => {
    const dataDir = folder();
    const program = join(import.meta.dirname, "shared-store.process.ts");
    const first = spawn(process.execPath, ["--no-warnings", program, join(dataDir, "magpie.db")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    first.stdout?.setEncoding("utf8").on("data", chunk => {
      printed += chunk;
    });
    await until("both threads write", () => printed.includes("main-20") && printed.includes("thread-20"));
    const refused = await serve(dataDir, { collection: "notes" }).catch((error: Error) => error.message);
    expect(refused).toContain("is in use by another process");
    first.kill("SIGKILL");
    await once(first, "close");
    const { broker, store } = await serve(dataDir, { collection: "notes" });
    const acknowledged = new Set(printed.split("\n").slice(0, -1));
    const stored = new Set((await store.find()).map(({ _id }) => _id));
    expect([...acknowledged].filter(id => !stored.has(id))).toEqual([]);
    await broker.stop();
  });

  test("the second is refused; after a kill -9 of the first it starts and finds every acknowledged write", async () => {
    const dataDir = folder();
    const first = hold(dataDir);
    let printed = "";
    first.stdout?.on("data", chunk => {
      printed += chunk;
    });
    await once(first.stdout as NodeJS.ReadableStream, "data");
    const refused = await serve(dataDir, { collection: "notes" }).catch((error: Error) => error.message);
    expect(refused).toContain("is in use by another process");
    first.kill("SIGKILL");
    await once(first, "close");
    const { broker, store } = await serve(dataDir, { collection: "notes" });
    const acknowledged = printed.trim().split("\n");
    expect(await store.count({ _id: { $in: acknowledged } })).toBe(acknowledged.length);
    await broker.stop();
  });
});
