import type { Index, Store } from "../../mixins/store/store.ts";
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

      test("count follows the query", async () => {
        expect([await store.count(), await store.count({ species: "pica" })]).toEqual([4, 2]);
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
        const nests = store.collection<{ _id: string; site: string; year: number }>("nests");
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

    test("a collection that the room did not declare is refused", () => {
      expect(() => store.collection("others")).toThrow("others");
    });
  });
}
