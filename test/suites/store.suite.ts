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

      test("names that the query language has a meaning for are names like others within a value", async () => {
        const odd = [
          { "a.b": 1, $set: 2, "": 3, "$.x": { "c.$d": [{ $price: 4 }] } },
          { $ref: "x", $id: 5 },
          { _bsontype: "ObjectId", "id=a\0b": 6, '\ue000"a"': 7 },
        ];
        const nest = { site: "oak", odd };
        expect(await store.insert({ _id: "odd", species: "x", nest })).toEqual(await store.findById("odd"));
        expect(await store.findById("odd")).toEqual({ _id: "odd", species: "x", nest });
        expect(await store.update("a", { $set: { nest } })).toEqual({ ...start, nest });
        await store.change("a", doc => doc && { ...doc, mass: 7 });
        expect(await store.findById("a")).toEqual({ ...start, mass: 7, nest });
        expect(await store.upsert("up", { $set: { species: "x", nest } })).toHaveProperty("nest", nest);
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

      const ways: [string, (id: string, ring: string) => Promise<unknown>][] = [
        ["update", (id, ring) => store.update(id, { $set: { ring } })],
        ["upsert", (id, ring) => store.upsert(id, { $set: { ring } })],
        ["change", (id, ring) => store.change(id, doc => doc && { ...doc, ring })],
        ["updateMany", (id, ring) => store.updateMany({ _id: id }, { $set: { ring } })],
      ];

      test.each(ways)("%s to a free value takes it and frees the former one", async (_, rering) => {
        await store.insertMany(birds.slice(0, 2));
        await rering("a", "free");
        expect(await store.findById("a")).toEqual({ ...birds[0], ring: "free" });
        await rering("a", "free");
        const late = { _id: "late", species: "x", ring: "free" };
        expect(codeOf(await store.insert(late).catch(reason => reason))).toBe("conflict");
        await store.insert({ ...late, ring: "r1" });
        await store.update("a", { $unset: { ring: true } });
        await rering("b", "free");
        expect((await store.find({ sort: ["_id"] })).map(({ ring }) => ring)).toEqual([
          undefined,
          "free",
          "r1",
        ]);
      });

      test.each(ways)("%s to a value that is taken is a conflict and changes nothing", async (_, rering) => {
        await store.insertMany(birds.slice(0, 2));
        expect(codeOf(await rering("b", "r1").catch(reason => reason))).toBe("conflict");
        expect(await store.find({ sort: ["_id"] })).toEqual(birds.slice(0, 2));
      });

      test("a part of a compound one that changes", async () => {
        const nests = store.collection<Nest>("nests");
        await nests.insertMany([1, 2].map(year => ({ _id: `n${year}`, site: "oak", year })));
        const taken = await nests.update("n1", { $inc: { year: 1 } }).catch(reason => reason);
        expect(codeOf(taken)).toBe("conflict");
        expect(await nests.update("n1", { $inc: { year: 2 } })).toMatchObject({ year: 3 });
        await nests.insert({ _id: "n4", site: "oak", year: 1 });
        expect(await nests.count()).toBe(3);
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

    describe("change", () => {
      beforeEach(() => store.insertMany(birds));

      test("makes, changes, leaves and removes one document", async () => {
        const made = { _id: "e", species: "pica", mass: 1 };
        expect(await store.change("e", doc => (doc ? undefined : made))).toEqual(made);
        const heavier = await store.change("e", doc => doc && { ...doc, mass: 2, ring: undefined });
        expect(heavier).toEqual({ ...made, mass: 2 });
        expect(await store.change("e", () => undefined)).toEqual({ ...made, mass: 2 });
        expect(await store.findById("e")).toEqual({ ...made, mass: 2 });
        expect(await store.change("e", () => null)).toBeNull();
        expect(await store.change("e", () => null)).toBeNull();
        expect(await store.change("e", () => undefined)).toBeNull();
        expect(await store.find({ sort: ["_id"] })).toEqual(birds);
      });

      test("loses no other change, of whatever kind", async () => {
        const rounds = Array.from({ length: 24 }, (_, n) => n);
        await Promise.all(
          rounds.flatMap(n => [
            store.change("c", doc => doc && { ...doc, mass: (doc.mass ?? 0) + 1 }),
            n % 3 === 0 && store.update("c", { $inc: { "nest.eggs": 1 } }),
            n % 3 === 1 && store.upsert("c", { $inc: { "nest.eggs": 1 } }),
          ]),
        );
        expect(await store.findById("c")).toEqual({ ...birds[2], mass: 534, nest: { eggs: 16 } });
      });

      test("of a race to make a document one wins, and the others see it", async () => {
        const race = Array.from({ length: 8 }, (_, n) =>
          store.change("e", doc => (doc ? undefined : { _id: "e", species: String(n) })),
        );
        const outcomes = await Promise.all(race);
        expect(new Set(outcomes.map(doc => doc?.species)).size).toBe(1);
        expect(await store.findById("e")).toEqual(outcomes[0]);
      });

      test.each<[string, Parameters<Store<Bird>["change"]>[1], string]>([
        [
          "work that throws",
          () => {
            throw new Error("no more");
          },
          "no more",
        ],
        ["another identity", doc => doc && { ...doc, _id: "z" }, "never changes"],
        ["a unique value that is taken", doc => doc && { ...doc, ring: "r2" }, "exists already"],
      ])("%s changes nothing and fails alone", async (_, work, sentence) => {
        const [failed, other] = await Promise.allSettled([
          store.change("a", work),
          store.change("d", doc => doc && { ...doc, caught: false }),
        ]);
        expect(failed).toMatchObject({ reason: { message: expect.stringContaining(sentence) } });
        expect(other.status).toBe("fulfilled");
        expect(await store.findById("a")).toEqual(birds[0]);
        expect(await store.findById("d")).toEqual({ ...birds[3], caught: false });
      });
    });

    test("a collection that the service did not declare is refused", () => {
      expect(() => store.collection("others")).toThrow("others");
    });
  });
}
