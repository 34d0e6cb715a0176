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
import { attemptsSuite } from "../suites/attempts.suite.ts";
import { listsSuite } from "../suites/lists.suite.ts";
import { siteSessionsSuite } from "../suites/site-sessions.suite.ts";
import { type StoreDriver, storeSuite } from "../suites/store.suite.ts";
import { startMongo, withMongo } from "../support/mongo.ts";

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
  return { mongoUrl: server.url, namespace: `t${run}-${spaces}` };
};
afterAll(() => server.stop());

withMongo(server).describe("MongoDB", () => {
  storeSuite("mongo", suiteDriver);
  listsSuite("mongo", suiteDriver);
  attemptsSuite("mongo", suiteDriver);
  siteSessionsSuite("mongo", suiteDriver);
  describe("the store on MongoDB", onMongo);
});

function suiteDriver(): StoreDriver {
  let opened: OpenStore;
  return {
    async open(collection, indexes, extra) {
      opened = await openMongoStore(space(), Object.entries({ [collection]: indexes, ...extra }));
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
      const { store } = await openCollections(mongo, declared);
      return store as unknown as Store<Note>;
    };
    return { mongo, join };
  }

  test("two processes and the namespaces of two clusters", async () => {
    const { join } = await processes();
    const [one, other] = [await join(), await join()];
    const elsewhere = await openMongoStore(space(), declared);
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
    // moleculer-db's own methods work on it, for code of its service.
    const db = service as unknown as Record<string, (context: unknown, params: object) => Promise<unknown>>;
    await db._insert?.(null, { entity: { _id: "a", n: 1 } });
    expect(await db._update?.(null, { _id: "a", n: 2 })).toEqual({ _id: "a", n: 2 });
    expect(await db._get?.(null, { id: "a" })).toEqual({ _id: "a", n: 2 });
    expect(await db._list?.(null, { page: 1, pageSize: 5, sort: ["-n"] })).toMatchObject({ total: 1 });
    expect(await db._remove?.(null, { id: "a" })).toEqual({ _id: "a", n: 2 });
    expect(await store.collection<Note>("tags").upsert("a", { $inc: { n: 1 } })).toEqual({ _id: "a", n: 1 });
    await broker.stop();
    expect(existsSync(dataDir)).toBe(false);
  });

  test("a write ends whose connection ended just before it was sent", async () => {
    const sockets: Socket[] = [];
    const note = (message: unknown) => sockets.push((message as { socket: Socket }).socket);
    subscribe("net.client.socket", note);
    const client = new MongoClient(server.url, { monitorCommands: true, retryWrites: false });
    closing.push(() => client.close());
    const { namespace } = space();
    const mongo = { db: client.db(namespace), name: (collection: string) => collection };
    const { store } = await openCollections(mongo, declared);
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
    await openCollections(mongo, [["tags", [{ fields: ["n"] }]]]);
    expect(await names()).toEqual(["_id_", "n"]);
  });
}
