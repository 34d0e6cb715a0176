import { setTimeout } from "node:timers/promises";
import { openMongoStore } from "../../mixins/store/mongo/mongo-store.ts";
import type { Store } from "../../mixins/store/store.ts";
import type { OpenStore } from "../../mixins/store/store-of.ts";
import { codeOf } from "../../services/contracts/errors.ts";
import { type StoreDriver, storeSuite } from "../suites/store.suite.ts";
import { startReplicaSet, withOwnMongo } from "../support/mongo.ts";
import { until } from "../support/until.ts";

const set = await startReplicaSet();
const run = Date.now().toString(36);
let spaces = 0;
const space = () => {
  spaces += 1;
  return { mongoUrl: set.url, namespace: `t${run}-${spaces}` };
};
afterAll(() => set.stop());

withOwnMongo(set).describe("MongoDB as a replica set", () => {
  storeSuite("replica set", suiteDriver);

  test("what was acknowledged survives the death of the primary, and writes go on at the next one", async () => {
    const opened = await openMongoStore(space(), [["notes", []]]);
    const notes = opened.store as unknown as Store<{ _id: string; n: number }>;
    const acknowledged: string[] = [];
    const refused: unknown[] = [];
    let isOver = false;
    const write = async (writer: number) => {
      for (let n = 0; !isOver; n += 1) {
        const _id = `${writer}-${n}`;
        try {
          await notes.insert({ _id, n });
          acknowledged.push(_id);
        } catch (error) {
          refused.push(error);
          await setTimeout(50);
        }
      }
    };
    const writers = [1, 2, 3, 4].map(write);
    await until("writes are under way", () => acknowledged.length > 100);
    const former = await set.primary();
    await former.kill();
    const before = acknowledged.length;
    await until("writes go on", () => acknowledged.length > before + 100);
    await former.restart();
    await until("it has joined again", async () => (await set.primary()).pid !== undefined);
    isOver = true;
    await Promise.all(writers);
    const kept = new Set(await notes.find({}).then(all => all.map(({ _id }) => _id)));
    expect(acknowledged.filter(id => !kept.has(id))).toEqual([]);
    // While there is no primary a write is refused in time, in the way that requests answer with 503.
    expect(refused.map(codeOf).filter(code => code !== "overloaded")).toEqual([]);
    await opened.close();
  });
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
