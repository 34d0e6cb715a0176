import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { ServiceBroker } from "moleculer";
import { MongoClient } from "mongodb";
import { closeMongo, openMongo } from "../../mixins/cluster/mongo.ts";
import { openCollections, openMongoStore } from "../../mixins/store/mongo/mongo-store.ts";
import { storeMixin, type WithStore } from "../../mixins/store/store.mixin.ts";
import type { Store } from "../../mixins/store/store.ts";
import type { OpenStore } from "../../mixins/store/store-of.ts";
import { codeOf } from "../../services/contracts/errors.ts";
import { listsSuite } from "../suites/lists.suite.ts";
import { type StoreDriver, storeSuite } from "../suites/store.suite.ts";
import { startMongo } from "../support/mongo.ts";

interface Note {
  _id: string;
  n?: number;
  tag?: string;
}

const server = await startMongo();
const run = Date.now().toString(36);
let spaces = 0;
const space = () => {
  spaces += 1;
  return { mongoUrl: server?.url ?? "", namespace: `t${run}-${spaces}` };
};
const unheard = (error: unknown) => {
  throw error;
};
afterAll(() => server?.stop());

if (!server) test.skip("there is no server for the store on MongoDB", () => undefined);
else {
  storeSuite("mongo", suiteDriver);
  listsSuite("mongo", suiteDriver);
  describe("the store on MongoDB", onMongo);
}

function suiteDriver(): StoreDriver {
  let opened: OpenStore;
  return {
    async open(collection, indexes, extra) {
      opened = await openMongoStore(space(), Object.entries({ [collection]: indexes, ...extra }), unheard);
      return opened.store as Store<never>;
    },
    close: () => opened.close(),
  };
}

function onMongo(): void {
  const declared: Parameters<typeof openCollections>[1] = [
    ["notes", []],
    ["tags", [{ fields: ["tag"], unique: true }]],
  ];
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  /** A cluster, which processes join. */
  async function processes() {
    const place = space();
    const mongo = await openMongo(place);
    closing.push(() => closeMongo(place));
    const join = async () => {
      const opened = await openCollections(mongo, declared, () => undefined);
      closing.push(opened.close);
      return opened.store as unknown as Store<Note>;
    };
    return { mongo, join };
  }

  test("two processes and the namespaces of two clusters", async () => {
    const { join } = await processes();
    const [one, other] = [await join(), await join()];
    const elsewhere = await openMongoStore(space(), declared, unheard);
    closing.push(elsewhere.close);
    await one.insert({ _id: "a", n: 1 });
    expect([await other.findById("a"), await elsewhere.store.findById("a")]).toEqual([
      { _id: "a", n: 1 },
      null,
    ]);
    const add = (store: Store<Note>) => store.change("a", note => note && { ...note, n: (note.n ?? 0) + 1 });
    await Promise.all(Array.from({ length: 16 }, (_, n) => add(n % 2 ? one : other)));
    expect(await one.findById("a")).toEqual({ _id: "a", n: 17 });
  });

  test("a service of a cluster keeps its documents there, and leaves no file behind", async () => {
    const dataDir = join(tmpdir(), `magpie-store-${run}`);
    const cluster = { ...space(), natsUrl: "", redisUrl: "" };
    const mixin = storeMixin({ dataDir, cluster }, { collection: "notes", extraCollections: { tags: [] } });
    const broker = new ServiceBroker({ logger: false });
    const service = broker.createService({ name: "notes", mixins: [mixin] });
    await broker.start();
    const { store } = service as unknown as WithStore<Note>;
    expect(Object.keys(service.actions)).toEqual([]);
    expect(store.isShared).toBe(true);
    expect(await store.collection<Note>("tags").upsert("a", { $inc: { n: 1 } })).toEqual({ _id: "a", n: 1 });
    await broker.stop();
    expect(existsSync(dataDir)).toBe(false);
  });

  test("a write ends whose connection ended just before it was sent", async () => {
    const sockets: Socket[] = [];
    const note = (message: unknown) => sockets.push((message as { socket: Socket }).socket);
    subscribe("net.client.socket", note);
    const client = new MongoClient(server?.url ?? "", { monitorCommands: true, retryWrites: false });
    closing.push(() => client.close());
    const { namespace } = space();
    const mongo = { db: client.db(namespace), name: (collection: string) => collection };
    const { store, close } = await openCollections(mongo, declared, () => undefined);
    closing.push(close);
    const notes = store as unknown as Store<Note>;
    await notes.insert({ _id: "a", n: 1 });
    const toTwo = () => notes.change("a", found => found && { ...found, n: 2 });
    const end = ({ commandName }: { commandName: string }) => {
      if (commandName === "update") for (const socket of sockets) socket.destroy();
    };
    client.on("commandStarted", end);
    expect(codeOf(await toTwo().catch(error => error))).toBe("overloaded");
    client.off("commandStarted", end);
    unsubscribe("net.client.socket", note);
    expect(await toTwo()).toEqual({ _id: "a", n: 2 });
  }, 60_000);

  test("what a conflict tells the log quotes no document", async () => {
    const { join } = await processes();
    const tags = (await join()).collection<Note>("tags");
    await tags.insert({ _id: "a", tag: "secret" });
    const error = await tags.insert({ _id: "b", tag: "secret" }).catch(reason => reason);
    expect(codeOf(error)).toBe("conflict");
    expect(inspect(error)).toContain("E11000");
    expect(inspect(error)).not.toContain("secret");
  });

  test("indexes that are declared no longer go", async () => {
    const { mongo, join } = await processes();
    await join();
    const names = async () =>
      (await mongo.db.collection(mongo.name("tags")).indexes()).map(({ name }) => name);
    expect(await names()).toEqual(["_id_", "tag:unique"]);
    const later = await openCollections(mongo, [["tags", [{ fields: ["n"] }]]], () => undefined);
    closing.push(later.close);
    expect(await names()).toEqual(["_id_", "n"]);
  });

  test("what transactions of a former version left behind: what they had decided is done, all else undone", async () => {
    const { mongo, join } = await processes();
    const [notes, records] = ["notes", "transactions"].map(name =>
      mongo.db.collection<{ _id: string } & Record<string, unknown>>(mongo.name(name)),
    );
    if (!notes || !records) throw new Error("There are no collections");
    await notes.insertMany([
      { _id: "a", n: 1, _v: "1", _lock: "done" },
      { _id: "b", _v: "1", _lock: "done" },
      { _id: "c", _v: "done", _lock: "done", _new: true },
      { _id: "d", n: 1, _v: "1", _lock: "open" },
      { _id: "e", _v: "open", _lock: "open", _new: true },
      { _id: "f", n: 1, _v: "1", _lock: "unknown" },
    ]);
    const collection = mongo.name("notes");
    await records.insertMany([
      {
        _id: "done",
        state: "committed",
        writes: [
          { collection, id: "a", kind: "change", doc: { _id: "a", n: 2 } },
          { collection, id: "b", kind: "remove" },
          { collection, id: "c", kind: "insert", doc: { _id: "c", n: 2 } },
        ],
      },
      {
        _id: "open",
        state: "pending",
        writes: [
          { collection, id: "d", kind: "change", doc: { _id: "d", n: 2 } },
          { collection, id: "e", kind: "insert", doc: { _id: "e" } },
        ],
      },
    ]);
    const store = await join();
    expect((await store.find({ sort: ["_id"] })).map(({ _id }) => _id)).toEqual(["a", "b", "d", "f"]);
    const more = (id: string) => store.change(id, note => note && { ...note, n: (note.n ?? 0) + 10 });
    expect(await Promise.all([more("a"), more("d"), more("f")])).toEqual([
      { _id: "a", n: 12 },
      { _id: "d", n: 11 },
      { _id: "f", n: 11 },
    ]);
    expect(await store.find({ sort: ["_id"] })).toEqual([
      { _id: "a", n: 12 },
      { _id: "c", n: 2 },
      { _id: "d", n: 11 },
      { _id: "f", n: 11 },
    ]);
    expect(await notes.countDocuments({ _lock: { $exists: true } })).toBe(0);
    expect(await records.countDocuments()).toBe(0);
  });
}
