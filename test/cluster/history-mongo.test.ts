import { createHash, randomUUID } from "node:crypto";
import { ulid } from "ulid";
import { closeMongo, type Mongo, openMongo } from "../../mixins/cluster/mongo.ts";
import type { NewVersion } from "../../mixins/history/history.ts";
import { mongoHistory } from "../../mixins/history/mongo.history.ts";
import { graceMs } from "../../mixins/history/mongo-contents.ts";
import { gridfsBlobs } from "../../mixins/store/blobs/gridfs.blobs.ts";
import { historySuite } from "../suites/history.suite.ts";
import { startMongo, withMongo } from "../support/mongo.ts";

const mongod = await startMongo();
afterAll(() => mongod.stop());

withMongo(mongod).describe("MongoDB", () => {
  historySuite("mongodb", async () => {
    const place = { mongoUrl: mongod.url, namespace: `h${randomUUID().slice(0, 8)}` };
    const mongo = await openMongo(place);
    const blobs = await gridfsBlobs(mongo);
    let ahead = 0;
    const opened = async () => ({
      ...(await mongoHistory(mongo, blobs, { graceMs: () => graceMs - ahead })),
      close: async () => undefined,
    });
    return {
      history: await opened(),
      other: await opened(),
      advance: ms => {
        ahead += ms;
      },
      close: async () => {
        await mongo.db.dropDatabase();
        await closeMongo(place);
      },
    };
  });

  describe("what dead, slow and damaged nodes leave", () => {
    const place = { mongoUrl: mongod.url, namespace: `h${randomUUID().slice(0, 8)}` };
    /** The grace is over at once. */
    const atOnce = { graceMs: () => -24 * 3_600_000 };
    let mongo: Mongo;
    let n = 0;
    beforeEach(async () => {
      mongo = await openMongo(place);
    });
    afterEach(async () => {
      await mongo.db.dropDatabase();
      await closeMongo(place);
    });
    const contents = () => mongo.db.collection<{ _id: string }>(mongo.name("history_contents"));
    const opened = async (options = {}, on = mongo) => mongoHistory(on, await gridfsBlobs(mongo), options);
    const versionOf = (sourceId: string, text: string): NewVersion => {
      n += 1;
      const at = 1_700_000_000_000 + n;
      const [hash, content] = [createHash("sha256").update(text).digest("hex"), Buffer.from(text)];
      const said = { outcome: "changed", reason: "", title: "", words: "" } as const;
      return { id: ulid(at), sourceId, at, hash, content, ...said };
    };
    /** A connection that waits once before it calls a method of a collection; `upsert` is an update that may insert. */
    const pausing = (collection: string, method: string, wait: () => Promise<unknown>): Mongo => {
      let isDone = false;
      const paused = (target: object): object =>
        new Proxy(target, {
          get(of, key) {
            const value: unknown = Reflect.get(of, key, of);
            if (typeof value !== "function") return value;
            return (...args: unknown[]) => {
              const isUpsert = key === "updateOne" && (args[2] as { upsert?: boolean })?.upsert === true;
              if (isDone || !(key === method || (method === "upsert" && isUpsert)))
                return Reflect.apply(value, of, args);
              isDone = true;
              return wait().then(() => Reflect.apply(value, of, args));
            };
          },
        });
      const db = new Proxy(mongo.db, {
        get: (of, key) =>
          key === "collection"
            ? (name: string) =>
                name === mongo.name(collection) ? paused(of.collection(name)) : of.collection(name)
            : (Reflect.get(of, key, of) as unknown),
      });
      return { ...mongo, db };
    };
    const long = (line: string) =>
      `${Array.from({ length: 300 }, (_, each) => createHash("md5").update(`${each}`).digest("hex")).join("\n")}${line}`;

    test("a sweep looks at everything that is old, also where most of it is needed", async () => {
      const history = await opened(atOnce);
      const all = Array.from({ length: 450 }, (_, each) => versionOf(`s${each % 9}`, `page ${each}`));
      await history.add(all);
      const erased = versionOf("victim", "private");
      await history.add([erased]);
      await history.erase("victim");
      expect(await history.sweep()).toBe(1);
      expect(await history.content(erased.hash)).toBeNull();
      expect(await contents().countDocuments({ doubtedAt: { $exists: true } })).toBe(0);
    });

    test("a content that has lost its base stops neither new versions nor what removes old ones", async () => {
      const unreadable: string[] = [];
      const history = await opened({ ...atOnce, onUnreadable: (hash: string) => unreadable.push(hash) });
      const [first, second, third, other] = [
        ...["1", "2", "3"].map(each => versionOf("s", long(each))),
        versionOf("other", "something else"),
      ] as [NewVersion, NewVersion, NewVersion, NewVersion];
      await history.add([first, second, other]);
      await contents().deleteOne({ _id: first.hash });
      await history.add([third]);
      expect((await history.content(third.hash))?.toString()).toBe(long("3"));
      expect(await history.content(second.hash)).toBeNull();
      expect(unreadable).toContain(second.hash);
      await history.prune("s", { before: 1e15, versions: 1, bytes: 1, eventsFrom: 1e15 });
      await history.erase("other");
      await history.sweep();
      expect(await history.content(other.hash)).toBeNull();
      expect((await history.content(third.hash))?.toString()).toBe(long("3"));
    });

    test("a version that is written late has its content, and what that is packed against", async () => {
      const other = await opened(atOnce);
      const text = long("late");
      // The node is suspended right before it writes the version.
      const slow = await opened(
        {},
        pausing("history_versions", "replaceOne", () => other.sweep()),
      );
      const late = versionOf("s", text);
      await slow.add([late]);
      await other.sweep();
      expect((await other.content(late.hash))?.toString()).toBe(text);
      // And right before it stores a content that is packed against another one.
      const forgets = async () => {
        await other.erase("s");
        await other.sweep();
      };
      const slower = await opened({}, pausing("history_contents", "upsert", forgets));
      const later = versionOf("s", `${text} and more`);
      await slower.add([later]);
      expect((await other.content(later.hash))?.toString()).toBe(`${text} and more`);
    });
  });
});
