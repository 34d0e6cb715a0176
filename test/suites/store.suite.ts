import type {
  FindOptions,
  Index,
  Store,
  Transaction,
  TransactionCollection,
} from "../../mixins/store/store.ts";
import { codeOf } from "../../services/contracts/errors.ts";

interface Bird {
  _id: string;
  species: string;
  ring?: string;
  color?: string | null;
  mass?: number;
  caught?: boolean;
  nest?: { site: string; eggs?: number };
}

interface Nest {
  _id: string;
  site: string;
  year: number;
}

/** What the suite wants of a driver: an empty store with these collections, and its end. */
export interface StoreDriver {
  open(collection: string, indexes: Index[], extra: Record<string, Index[]>): Promise<Store<Bird>>;
  close(): Promise<void>;
}

const birds: Bird[] = [
  { _id: "a", species: "pica", ring: "r1", mass: 210, caught: true, nest: { site: "oak", eggs: 5 } },
  { _id: "b", species: "pica", ring: "r2", mass: 190, caught: false, nest: { site: "elm" } },
  { _id: "c", species: "corvus", color: null, mass: 510 },
  { _id: "d", species: "corvus", mass: 480.5, caught: true },
];

const queries: [string, Parameters<Store<Bird>["find"]>[0], string][] = [
  ["everything", {}, "abcd"],
  ["a value", { query: { species: "pica" } }, "ab"],
  ["the identity", { query: { _id: "c" } }, "c"],
  ["a boolean", { query: { caught: true } }, "ad"],
  ["null: null or missing", { query: { color: null } }, "abcd"],
  ["a dotted path", { query: { "nest.site": "elm" } }, "b"],
  ["$eq and several fields", { query: { species: { $eq: "corvus" }, mass: 510 } }, "c"],
  ["$ne, missing counts as other", { query: { ring: { $ne: "r1" } } }, "bcd"],
  ["$in", { query: { ring: { $in: ["r1", "r2", "r9"] } } }, "ab"],
  ["$in with null", { query: { ring: { $in: ["r1", null] } } }, "acd"],
  ["$in nothing", { query: { ring: { $in: [] } } }, ""],
  ["a range", { query: { mass: { $gt: 190, $lte: 480.5 } } }, "ad"],
  ["the other range", { query: { mass: { $gte: 190, $lt: 210 } } }, "b"],
  ["a range of strings", { query: { _id: { $gt: "b" } } }, "cd"],
  ["$exists true, null counts", { query: { color: { $exists: true } } }, "c"],
  ["$exists false", { query: { caught: { $exists: false } } }, "c"],
  ["$or beside a field", { query: { species: "pica", $or: [{ mass: 190 }, { mass: 510 }] } }, "b"],
  ["descending", { sort: ["-mass"] }, "cdab"],
  ["two keys", { sort: ["species", "-_id"] }, "dcba"],
  ["a page", { sort: ["_id"], limit: 2, offset: 1 }, "bc"],
  ["an offset alone", { sort: ["_id"], offset: 3 }, "d"],
  ["a value that looks like SQL", { query: { species: "' OR 1=1 --" } }, ""],
];

/** What every driver of the store does alike. */
export function storeSuite(name: string, makeDriver: () => StoreDriver): void {
  describe(`store: ${name}`, () => {
    const driver = makeDriver();
    let store: Store<Bird>;

    beforeEach(async () => {
      const indexes = [{ fields: ["species"] }, { fields: ["ring"], unique: true, sparse: true }];
      store = await driver.open("birds", indexes, {
        nests: [{ fields: ["site", "year"], unique: true }],
      });
    });
    afterEach(() => driver.close());

    describe("find", () => {
      beforeEach(() => store.insertMany(birds));

      test.each(queries)("%s", async (_, options, expected) => {
        const found = (await store.find(options)).map(bird => bird._id);
        expect((options?.sort ? found : found.sort()).join("")).toBe(expected);
      });

      test.each(queries)("%s, of what a transaction has written", async (_, options, expected) => {
        const found = await store.transaction(transaction => {
          const steps = transaction.collection<Bird>("birds");
          for (const { _id } of birds) steps.removeById(_id);
          for (const bird of birds) steps.insert(bird);
          return steps.find(options).map(bird => bird._id);
        });
        expect((options?.sort ? found : found.sort()).join("")).toBe(expected);
      });

      test("count follows the query", async () => {
        expect([await store.count(), await store.count({ species: "pica" })]).toEqual([4, 2]);
      });

      test("documents are counted by the values of a field", async () => {
        expect(await store.countEach("species", ["corvus", "pica", "sturnus"])).toEqual(
          new Map([
            ["corvus", 2],
            ["pica", 2],
          ]),
        );
        expect(await store.countEach("species", [])).toEqual(new Map());
        expect(await store.countEach("ring", ["r2"])).toEqual(new Map([["r2", 1]]));
      });

      test("values of fields are read without the documents, null where there are none", async () => {
        const sorted = (rows: unknown[][]) => rows.map(row => JSON.stringify(row)).sort();
        expect(sorted(await store.valuesOf(["mass", "ring"], { species: "pica" }))).toEqual([
          '[190,"r2"]',
          '[210,"r1"]',
        ]);
        expect(sorted(await store.valuesOf(["ring"], { mass: { $gt: 200 } }))).toEqual([
          '["r1"]',
          "[null]",
          "[null]",
        ]);
        expect(await store.valuesOf(["ring"], { species: "sturnus" })).toEqual([]);
      });

      test("documents come back as they were stored", async () => {
        expect(await store.findById("a")).toEqual(birds[0]);
        expect(await store.findOne({ ring: "r2" })).toEqual(birds[1]);
        expect([await store.findById("z"), await store.findOne({ ring: "r9" })]).toEqual([null, null]);
      });

      test("what is no query is refused, not ignored", async () => {
        const wrong = [{ species: undefined }, { mass: { $near: 1 } }, { "x') OR (1": 1 }];
        for (const query of wrong) await expect(store.find({ query: query as never })).rejects.toThrow();
      });
    });

    describe("update", () => {
      const start: Bird = {
        _id: "a",
        species: "pica",
        ring: "r1",
        mass: 200,
        nest: { site: "oak", eggs: 4 },
      };
      beforeEach(() => store.insert(start));

      test.each<[string, Parameters<Store<Bird>["update"]>[1], Partial<Bird>]>([
        ["$set", { $set: { mass: 201 } }, { mass: 201 }],
        ["$set on a path", { $set: { "nest.site": "ash" } }, { nest: { site: "ash", eggs: 4 } }],
        ["$inc", { $inc: { mass: -1.5 } }, { mass: 198.5 }],
        ["$inc on a path", { $inc: { "nest.eggs": 1 } }, { nest: { site: "oak", eggs: 5 } }],
        ["$unset on a path", { $unset: { "nest.eggs": true } }, { nest: { site: "oak" } }],
        ["$unset on a path that leads nowhere", { $unset: { "home.eggs": true } }, {}],
        ["several", { $set: { species: "corvus" }, $inc: { mass: 1 } }, { species: "corvus", mass: 201 }],
      ])("%s", async (_, update, change) => {
        const expected = { ...start, ...change };
        expect(await store.update("a", update)).toEqual(expected);
        expect(await store.findById("a")).toEqual(expected);
      });

      test("$inc starts a missing number at 0, and none is lost between concurrent callers", async () => {
        await store.update("a", { $unset: { mass: true } });
        await Promise.all(Array.from({ length: 50 }, () => store.update("a", { $inc: { mass: 2 } })));
        expect(await store.findById("a")).toHaveProperty("mass", 100);
      });

      test("null when there is no such document, and none is made", async () => {
        expect(await store.update("z", { $set: { mass: 1 } })).toBeNull();
        expect(await store.count()).toBe(1);
      });

      test("upsert updates what is there and makes what is not, under any concurrency", async () => {
        const add = (id: string) => store.upsert(id, { $set: { species: "pica" }, $inc: { mass: 1 } });
        expect(await add("a")).toEqual({ ...start, mass: 201 });
        await Promise.all(Array.from({ length: 20 }, () => add("new")));
        expect(await store.findById("new")).toEqual({ _id: "new", species: "pica", mass: 20 });
      });

      test("updateMany tells how many", async () => {
        await store.insertMany(birds.slice(1, 3));
        expect(await store.updateMany({ species: "pica" }, { $set: { mass: 1 } })).toBe(2);
        expect(await store.count({ mass: 1 })).toBe(2);
      });
    });

    describe("unique indexes", () => {
      test.each<[string, Bird]>([
        ["an identity", { _id: "a", species: "x" }],
        ["a unique field", { _id: "z", species: "x", ring: "r1" }],
      ])("%s that is taken: conflict", async (_, second) => {
        await store.insert(birds[0] as Bird);
        const error = await store.insert(second).catch(reason => reason);
        expect(codeOf(error)).toBe("conflict");
        expect(await store.find()).toEqual([birds[0]]);
      });

      test("an update that would break one is a conflict and changes nothing", async () => {
        await store.insertMany(birds.slice(0, 2));
        const error = await store.update("b", { $set: { ring: "r1" } }).catch(reason => reason);
        expect(codeOf(error)).toBe("conflict");
        expect(await store.findById("b")).toEqual(birds[1]);
      });

      test("sparse ones let any number of documents go without", async () => {
        await store.insertMany([
          { _id: "x", species: "p" },
          { _id: "y", species: "p" },
        ]);
        expect(await store.count()).toBe(2);
      });

      test("of a race over a compound one exactly one wins", async () => {
        const nests = store.collection<Nest>("nests");
        const race = Array.from({ length: 20 }, (_, n) =>
          nests.insert({ _id: `n${n}`, site: "oak", year: 1 }),
        );
        const outcomes = await Promise.allSettled(race);
        expect(outcomes.filter(outcome => outcome.status === "fulfilled")).toHaveLength(1);
        await nests.insert({ _id: "next", site: "oak", year: 2 });
        expect(await nests.count()).toBe(2);
      });
    });

    test("remove gives what it removed, once", async () => {
      await store.insertMany(birds.slice(0, 2));
      expect(await store.remove("a")).toEqual(birds[0]);
      expect(await store.remove("a")).toBeNull();
      expect(await store.removeMany({ species: "pica" })).toBe(1);
      expect(await store.count()).toBe(0);
    });

    test("what services write in passing", async () => {
      await store.insert({ _id: "a", species: "pica", color: null });
      await store.update("a", { $set: { mass: undefined, species: "corvus" } });
      expect(await store.findById("a")).toEqual({ _id: "a", species: "corvus", color: null });
      expect(await store.upsert("b", { $set: {} })).toEqual({ _id: "b" });
      expect(await store.upsert("c", { $inc: { mass: 2 } })).toEqual({ _id: "c", mass: 2 });
      expect(await store.find({ limit: 0 })).toEqual([]);
      expect(await store.find({ query: { $or: [] } })).toEqual([]);
      const like = "0123456789abcdef01234567";
      await store.insert({ _id: like, species: "pica" });
      expect(await store.find({ query: { _id: { $in: [like] } } })).toEqual([{ _id: like, species: "pica" }]);
      expect(await store.update(like, { $set: { "nest.site": "oak" } })).toHaveProperty("nest", {
        site: "oak",
      });
    });

    test("what is null is counted up from 0, and becomes an object where a path leads into it", async () => {
      const loose = store.collection<{ _id: string; n: number | null; o: { p: number } | null }>("nests");
      await loose.insert({ _id: "a", n: null, o: null });
      const after = { _id: "a", n: 2, o: { p: 1 } };
      expect(await loose.update("a", { $inc: { n: 2 }, $set: { "o.p": 1 } })).toEqual(after);
      expect(await loose.findById("a")).toEqual(after);
      await expect(
        store.upsert("b", { $set: { species: "x" }, $inc: { species: 1 } as never }),
      ).rejects.toThrow();
    });

    test("of several documents that are inserted all are there or none", async () => {
      await store.insert({ _id: "b", species: "pica", ring: "r1" });
      const error = await store
        .insertMany([
          { _id: "a", species: "pica" },
          { _id: "c", species: "pica", ring: "r1" },
        ])
        .catch(reason => reason);
      expect(codeOf(error)).toBe("conflict");
      expect(await store.count()).toBe(1);
      await store.insertMany([
        { _id: "a", species: "pica" },
        { _id: "c", species: "pica", ring: "r2" },
      ]);
      expect(await store.count()).toBe(3);
    });

    describe("transactions", () => {
      const flock = (transaction: Transaction) => transaction.collection<Bird>("birds");

      test("steps see those before them, in what queries find too", async () => {
        await store.insertMany(birds);
        const seen = await store.transaction(transaction => {
          const steps = flock(transaction);
          const find = (options: FindOptions<Bird>) =>
            steps
              .find(options)
              .map(({ _id }) => _id)
              .join("");
          const before = find({ sort: ["-mass"], limit: 2 });
          steps.updateById("a", { $inc: { mass: 1000 } });
          steps.removeById("c");
          steps.insert({ _id: "e", species: "pica", mass: 500 });
          steps.upsertById("f", { $set: { species: "corvus" } });
          steps.upsertById("f", { $set: { species: "corax", mass: 1 } });
          steps.put({ _id: "f", species: "pica" });
          steps.put({ _id: "b", species: "corvus", mass: 190 });
          const after = [
            find({ sort: ["-mass"], limit: 2 }),
            find({ sort: ["-mass"], limit: 2, offset: 1 }),
            find({ query: { species: "pica" }, sort: ["_id"] }),
            find({ query: { $or: [{ species: "corvus" }, { mass: { $gte: 1000 } }] }, sort: ["_id"] }),
            find({ query: { mass: { $exists: false } } }),
          ];
          return [before, ...after, steps.findById("c"), steps.updateById("c", { $set: { mass: 1 } })];
        });
        expect(seen).toEqual(["cd", "ae", "ed", "aef", "abd", "f", null, null]);
        expect((await store.find({ sort: ["_id"] })).map(({ _id }) => _id).join("")).toBe("abdef");
        expect(await store.findById("a")).toEqual({ ...birds[0], mass: 1210 });
      });

      test.each<[string, (steps: TransactionCollection<Bird>) => unknown, string]>([
        [
          "its work throws",
          () => {
            throw new Error("no more");
          },
          "no more",
        ],
        ["its work is not synchronous", async () => undefined, "synchronous"],
        ["an identity is taken", steps => steps.insert({ _id: "b", species: "x" }), "exists already"],
        [
          "a unique value is taken",
          steps => steps.insert({ _id: "z", species: "x", ring: "r2" }),
          "exists already",
        ],
      ])("nothing is written when %s", async (_, last, sentence) => {
        await store.insertMany(birds.slice(0, 2));
        const failing = store.transaction(transaction => {
          const steps = flock(transaction);
          steps.updateById("a", { $set: { mass: 1 } });
          steps.insert({ _id: "new", species: "pica", ring: "r9" });
          return last(steps);
        });
        await expect(failing).rejects.toThrow(sentence);
        expect(await store.find({ sort: ["_id"] })).toEqual(birds.slice(0, 2));
        await store.insert({ _id: "new", species: "pica", ring: "r9" });
      });

      test("a unique value goes from one document to another", async () => {
        await store.insertMany(birds.slice(0, 2));
        await store.transaction(transaction => {
          const [old] = flock(transaction).find({ query: { ring: "r1" }, limit: 1 });
          if (old) flock(transaction).removeById(old._id);
          flock(transaction).insert({ _id: "z", species: "pica", ring: "r1" });
          flock(transaction).insert({ _id: "y", species: "pica" });
        });
        expect(await store.findOne({ ring: "r1" })).toEqual({ _id: "z", species: "pica", ring: "r1" });
        expect(await store.count()).toBe(3);
      });

      test("one document may be removed and made again", async () => {
        await store.insertMany(birds.slice(0, 2));
        await store.transaction(transaction => {
          flock(transaction).removeById("a");
          flock(transaction).insert({ _id: "a", species: "corvus" });
          flock(transaction).insert({ _id: "x", species: "corvus" });
          flock(transaction).removeById("x");
        });
        expect(await store.find({ sort: ["_id"] })).toEqual([{ _id: "a", species: "corvus" }, birds[1]]);
      });

      test("what goes from one document to another is neither lost nor made while others write", async () => {
        const ids = ["a", "b", "c", "d"];
        await store.insertMany(ids.map(_id => ({ _id, species: "pica", mass: 100 })));
        const move = (n: number) =>
          store.transaction(transaction => {
            const [from = "", to = ""] = [ids[n % 4], ids[(n + 1 + (n % 3)) % 4]];
            const mass = flock(transaction).findById(from)?.mass ?? 0;
            flock(transaction).updateById(from, { $set: { mass: mass - n } });
            flock(transaction).updateById(to, { $inc: { mass: n } });
          });
        const count = (n: number) => store.update(ids[n % 4] ?? "", { $inc: { "nest.eggs": 1 } });
        const look = () =>
          store.transaction(transaction =>
            ids.reduce((sum, id) => sum + (flock(transaction).findById(id)?.mass ?? 0), 0),
          );
        const rounds = Array.from({ length: 24 }, (_, n) => n);
        const sums = await Promise.all(rounds.flatMap(n => [move(n), count(n), n % 4 === 0 ? look() : 400]));
        expect(sums.filter(sum => typeof sum === "number").every(sum => sum === 400)).toBe(true);
        const end = await store.find({});
        expect(end.reduce((sum, { mass = 0 }) => sum + mass, 0)).toBe(400);
        expect(end.reduce((sum, { nest }) => sum + (nest?.eggs ?? 0), 0)).toBe(24);
      });

      test("the last to leave takes the nest along, and nobody is left without one", async () => {
        const nests = store.collection<Nest>("nests");
        const come = (id: string) =>
          store.transaction(transaction => {
            transaction.collection<Nest>("nests").upsertById("oak", { $set: { site: "oak", year: 1 } });
            flock(transaction).insert({ _id: id, species: "oak" });
          });
        const leave = (id: string) =>
          store.transaction(transaction => {
            flock(transaction).removeById(id);
            if (flock(transaction).find({ query: { species: "oak" }, limit: 1 }).length === 0)
              transaction.collection("nests").removeById("oak");
          });
        for (let round = 0; round < 5; round += 1) {
          const ids = Array.from({ length: 4 }, (_, n) => `${round}-${n}`);
          await Promise.all(
            ids.map(async (id, n) => {
              await come(id);
              if (round < 4 || n > 0) await leave(id);
            }),
          );
          expect(await nests.count()).toBe(Math.min(1, await store.count({ species: "oak" })));
        }
        expect(await nests.count()).toBe(1);
      });

      test("two that would each spoil what the other has seen do not both happen", async () => {
        for (let round = 0; round < 5; round += 1) {
          const pair = [`${round}-one`, `${round}-other`];
          await store.insertMany(pair.map(_id => ({ _id, species: `on duty ${round}` })));
          const goOff = (id: string) =>
            store.transaction(transaction => {
              const query = { species: `on duty ${round}` };
              const others = flock(transaction)
                .find({ query })
                .filter(({ _id }) => _id !== id);
              if (others.length > 0) flock(transaction).updateById(id, { $set: { species: "off" } });
            });
          const goOn = (id: string) =>
            store.transaction(transaction => {
              const query = { species: `on ${round}` };
              if (flock(transaction).find({ query }).length === 0)
                flock(transaction).updateById(id, { $set: { species: `on ${round}` } });
            });
          await Promise.all(pair.map(goOff));
          expect(await store.count({ species: `on duty ${round}` })).toBe(1);
          await Promise.all(pair.map(goOn));
          expect(await store.count({ species: `on ${round}` })).toBe(1);
        }
      });
    });

    test("a collection that the service did not declare is refused", () => {
      expect(() => store.collection("others")).toThrow("others");
    });
  });
}
