import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { jest } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { closeMongo, type Mongo, openMongo } from "../../mixins/cluster/mongo.ts";
import { openCollections, openMongoStore } from "../../mixins/store/mongo/mongo-store.ts";
import { DocumentLocks } from "../../mixins/store/mongo/transactions/document-locks.ts";
import { storeMixin, type WithStore } from "../../mixins/store/store.mixin.ts";
import type { Store, Transaction } from "../../mixins/store/store.ts";
import type { OpenStore } from "../../mixins/store/store-of.ts";
import { codeOf } from "../../services/contracts/errors.ts";
import { listsSuite } from "../suites/lists.suite.ts";
import { type StoreDriver, storeSuite } from "../suites/store.suite.ts";
import { freeze } from "../support/freeze.ts";
import { type Gate, gatedMongo } from "../support/gated-mongo.ts";
import { startMongo } from "../support/mongo.ts";
import { until } from "../support/until.ts";

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
    const join = async (gate?: Gate) => {
      const opened = await openCollections(gate ? gatedMongo(mongo, gate) : mongo, declared, () => undefined);
      closing.push(opened.close);
      return opened.store as unknown as Store<Note>;
    };
    return { mongo, join };
  }

  test("two processes and the namespaces of two clusters", async () => {
    const { mongo, join } = await processes();
    const [one, other] = [await join(), await join()];
    const elsewhere = await openMongoStore(space(), declared, unheard);
    closing.push(elsewhere.close);
    await one.insert({ _id: "a", n: 1 });
    expect([await other.findById("a"), await elsewhere.store.findById("a")]).toEqual([
      { _id: "a", n: 1 },
      null,
    ]);
    const add = (store: Store<Note>) =>
      store.transaction(transaction => {
        transaction.collection<Note>("notes").updateById("a", { $inc: { n: 1 } });
        transaction.collection<Note>("tags").upsertById("a", { $inc: { n: 1 } });
      });
    await Promise.all(Array.from({ length: 16 }, (_, n) => add(n % 2 ? one : other)));
    expect(await one.findById("a")).toEqual({ _id: "a", n: 17 });
    expect(await one.collection<Note>("tags").findById("a")).toEqual({ _id: "a", n: 16 });
    expect(await leftovers(mongo)).toEqual([]);
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

  test("`before` comes between the work and its writes, and its failure leaves everything as it was", async () => {
    const { join } = await processes();
    const store = await join();
    await store.insert({ _id: "a", n: 1 });
    const add = (transaction: Transaction) =>
      transaction.collection<Note>("notes").updateById("a", { $inc: { n: 1 } });
    const seen: unknown[] = [];
    const result = await store.transaction(add, undefined, async told =>
      seen.push(told, await store.findById("a")),
    );
    expect([...seen, result]).toEqual([
      { _id: "a", n: 2 },
      { _id: "a", n: 1 },
      { _id: "a", n: 2 },
    ]);
    const failing = store.transaction(add, undefined, () => Promise.reject(new Error("not told")));
    await expect(failing).rejects.toThrow("not told");
    expect(await store.update("a", { $inc: { n: 10 } })).toEqual({ _id: "a", n: 12 });
  });

  test("a writer that waits before its commit sends heartbeats, and is not taken for dead", async () => {
    const { mongo, join } = await processes();
    const store = await join();
    const other = new DocumentLocks(mongo, unheard);
    closing.push(() => other.close());
    let aheadMs = 0;
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, "now").mockImplementation(() => now() + aheadMs);
    closing.push(async () => clock.mockRestore());
    await store.insert({ _id: "a", n: 1 });
    await other.records.insertOne({ _id: "dead", state: "pending", writes: [], signs: 9 });
    await other.resolveOverdue();
    let runs = 0;
    const add = (transaction: Transaction) =>
      transaction.collection<Note>("notes").updateById("a", { $inc: { n: 1 } });
    await store.transaction(add, undefined, async () => {
      runs += 1;
      const living = async () => (await other.records.find({ _id: { $ne: "dead" } }).toArray())[0];
      const txid = (await living())?._id ?? "";
      await other.resolveOverdue();
      for (const look of [() => other.resolveOverdue(), () => other.wait(txid, performance.now())]) {
        const { signs = 0 } = (await living()) ?? {};
        await until("it gives a sign", async () => ((await living())?.signs ?? 0) > signs);
        aheadMs += 2100;
        await look();
      }
    });
    expect([runs, await store.findById("a"), await leftovers(mongo)]).toEqual([1, { _id: "a", n: 2 }, []]);
  });

  describe("a process that comes to a stop within a transaction", () => {
    const read = { _id: "read", tag: "r" };
    const before = [{ _id: "a", n: 1 }, { _id: "b", n: 1 }, { _id: "c" }];
    const after = [
      { _id: "a", n: 2 },
      { _id: "b", n: 0 },
    ];
    const work = (transaction: Transaction) => {
      const [notes, tags] = [transaction.collection<Note>("notes"), transaction.collection<Note>("tags")];
      notes.updateById("a", { $set: { n: (notes.findById("a")?.n ?? 0) + 1 } });
      notes.updateById("b", { $inc: { n: -1 } });
      notes.removeById("c");
      tags.findById("read");
      if (tags.find({ query: { tag: "x" } }).length === 0) tags.insert({ _id: "new", tag: "x" });
    };

    /** Stops before its write number `steps` from zero, until it goes on or is buried; `ended` when it does not get there. */
    async function stopAt(steps: number) {
      const { mongo, join } = await processes();
      const stop = Promise.withResolvers<void>();
      stop.promise.catch(() => "nobody waits for one that had ended before");
      let left = Number.POSITIVE_INFINITY;
      let isStopped = false;
      const stopping = await join(async kind => {
        if (kind === "read") return;
        left -= 1;
        if (left < 0) isStopped = true;
        if (isStopped) await stop.promise;
      });
      await stopping.insertMany(before);
      await stopping.collection<Note>("tags").insert(read);
      left = steps;
      let outcome: unknown;
      const transaction = stopping.transaction(work).then(
        () => "done",
        error => error,
      );
      void transaction.then(settled => {
        outcome = settled;
      });
      await until("it has ended or stopped", () => outcome !== undefined || isStopped);
      const goOn = async () => {
        isStopped = false;
        left = Number.POSITIVE_INFINITY;
        stop.resolve();
        return transaction;
      };
      const bury = () => stop.reject(new Error("this process is dead"));
      return { mongo, heir: await join(), ended: outcome === "done", goOn, bury };
    }

    async function dieAt(steps: number): Promise<string> {
      const { mongo, heir, ended, bury } = await stopAt(steps);
      // The next writer of what the dead one holds finishes its work first.
      await Promise.all(["a", "b", "c"].map(id => heir.update(id, { $set: { tag: "seen" } })));
      await until("nothing is left over", async () => (await leftovers(mongo)).length === 0);
      const notes = (await heir.find({ sort: ["_id"] })).map(({ tag, ...note }) => note);
      const tags = heir.collection<Note>("tags");
      const happened = (await tags.findById("new")) !== null;
      expect(notes).toEqual(happened ? after : before);
      if (!happened) await tags.insert({ _id: "other", tag: "x" });
      bury();
      return ended ? "ended" : happened ? "all" : "nothing";
    }

    async function wakeAt(steps: number): Promise<string> {
      const { mongo, heir, ended, goOn } = await stopAt(steps);
      const seen = await heir.transaction(transaction => {
        const notes = transaction.collection<Note>("notes");
        const n = notes.findById("a")?.n;
        notes.updateById("a", { $set: { n: 100 } });
        notes.updateById("b", { $inc: { n: 10 } });
        return n;
      });
      expect(await goOn()).toBe("done");
      await until("nothing is left over", async () => (await leftovers(mongo)).length === 0);
      const happened = seen === 2;
      const notes = await heir.find({ sort: ["_id"] });
      expect(notes).toEqual([
        { _id: "a", n: happened ? 100 : 101 },
        { _id: "b", n: 10 },
      ]);
      expect(await heir.collection("tags").count()).toBe(2);
      return ended ? "ended" : happened ? "all" : "nothing";
    }

    test.each([
      ["dies leaves all or nothing", dieAt],
      ["wakes after others took it for dead does nothing twice and nothing over what they wrote", wakeAt],
    ])("and %s, whichever the step", async (_, stop) => {
      const steps = Array.from({ length: 12 }, (_, n) => n);
      const outcomes = (await Promise.all(steps.map(stop))).join(" ");
      expect(outcomes).toMatch(/^(nothing ){4,}(all ){3,}ended/);
    });
  });

  test("of two that look for each other only one goes, whichever the moment", async () => {
    const moments = await Promise.all([0, 1, 2, 3].map(whileOtherLooks));
    expect(moments).toEqual(moments.map(() => 1));
  });

  /** How many have gone when one commits while the other, past so many of its looks, is about to. */
  async function whileOtherLooks(looks: number): Promise<number> {
    const { mongo, join } = await processes();
    const [one, other] = [pausing(), pausing()];
    const stores = [await join(one.gate), await join(other.gate)];
    await stores[0]?.insertMany([
      { _id: "one", n: 1 },
      { _id: "other", n: 1 },
    ]);
    const go = (id: string) => (transaction: Transaction) => {
      const notes = transaction.collection<Note>("notes");
      if (notes.find({ query: { n: 2 } }).length === 0) notes.updateById(id, { $set: { n: 2 } });
    };
    const looked = one.pauseAt("write", 0);
    const first = stores[0]?.transaction(go("one"));
    await looked;
    // The record, the lock, the decision.
    const ready = other.pauseAt("write", 2);
    const second = stores[1]?.transaction(go("other"));
    await ready;
    const looking = one.pauseAt("read", looks);
    one.goOn();
    await Promise.race([looking, first]);
    other.goOn();
    await second;
    one.goOn();
    await first;
    expect(await leftovers(mongo)).toEqual([]);
    return (await join()).count({ n: 2 });
  }

  const isOwn = server?.kind !== "given";
  (isOwn ? test : test.skip).each<[string, () => unknown, () => unknown]>([
    ["away", () => server?.kill(), () => server?.restart()],
    ["silent", () => freeze(Number(server?.pid)), () => process.kill(Number(server?.pid), "SIGCONT")],
  ])("a server that is %s is told, and its return is noticed", async (_, go, comeBack) => {
    const { join } = await processes();
    const store = await join();
    await store.insertMany([
      { _id: "a", n: 1 },
      { _id: "b", n: 0 },
    ]);
    const writeBoth = (transaction: Transaction) => {
      const notes = transaction.collection<Note>("notes");
      notes.updateById("a", { $inc: { n: 1 } });
      notes.updateById("b", { $inc: { n: 1 } });
    };
    await go();
    const asked = [store.findById("a"), store.update("a", { $inc: { n: 1 } }), store.transaction(writeBoth)];
    const answers = await Promise.all(asked.map(answer => answer.catch(codeOf)));
    await comeBack();
    expect(answers).toEqual(["overloaded", "overloaded", "overloaded"]);
    await until("it answers", async () => (await store.count().catch(() => 0)) === 2);
    await store.transaction(writeBoth);
    // What had reached the server before it fell silent it may do later.
    const [a, b] = await store.find({ sort: ["_id"] });
    expect([1, 2]).toContain(b?.n);
    expect([1, 2]).toContain((a?.n ?? 0) - (b?.n ?? 0));
  });
}

/** What transactions have left behind: records, locks and placeholders. */
async function leftovers({ db, name }: Mongo): Promise<unknown[]> {
  const held = { _lock: { $exists: true } };
  const found = [
    db.collection(name("transactions")).find({}),
    db.collection(name("notes")).find(held),
    db.collection(name("tags")).find(held),
  ];
  return (await Promise.all(found.map(cursor => cursor.toArray()))).flat();
}

/** A gate at which a process pauses before its step number `after`, from now and from zero, of one kind. */
function pausing() {
  let wanted: { kind: string; left: number; reached: () => void } | undefined;
  let resume = () => "was not paused";
  const gate: Gate = async kind => {
    if (kind !== wanted?.kind) return;
    wanted.left -= 1;
    if (wanted.left >= 0) return;
    const { reached } = wanted;
    wanted = undefined;
    await new Promise<void>(resolve => {
      resume = () => {
        resolve();
        return "paused";
      };
      reached();
    });
  };
  const pauseAt = (kind: "read" | "write", after: number) =>
    new Promise<void>(reached => {
      wanted = { kind, left: after, reached };
    });
  return { gate, pauseAt, goOn: () => resume() };
}
