import { randomUUID } from "node:crypto";
import { closeMongo, type Mongo, openMongo } from "../../mixins/cluster/mongo.ts";
import { mongoSitePages, openMongoSitePages } from "../../mixins/site-pages/mongo.site-pages.ts";
import type { SettledPage, SitePages } from "../../mixins/site-pages/site-pages.ts";
import { codeOf } from "../../services/contracts/errors.ts";
import { sitePagesSuite } from "../suites/site-pages.suite.ts";
import { startMongo, withMongo, withOwnMongo } from "../support/mongo.ts";
import { Life } from "../support/mortal.ts";

const mongod = await startMongo();
afterAll(() => mongod.stop());

const place = () => ({ mongoUrl: mongod.url, namespace: `s${randomUUID().slice(0, 8)}` });
const root = "https://site.example/";
const id = "site";

const page = (path: string, change: Partial<SettledPage> = {}): SettledPage => {
  const key = `${root}${path}`;
  const plain = { key, url: key, depth: 1, from: null, dueAt: 5, foundAt: 5, title: "before" };
  return { ...plain, state: "there", ...change };
};

withMongo(mongod).describe("MongoDB", () => {
  sitePagesSuite("mongodb", async () => {
    const pages = await openMongoSitePages(place());
    return { pages, close: () => pages.close() };
  });

  describe.each([
    ["dies", "death"],
    ["sleeps", "sleep"],
    ["does not hear of one", "lost answer"],
  ] as const)("a driver %s between two writes", (_, end) => {
    let mongo: Mongo;
    let at: ReturnType<typeof place>;
    beforeEach(async () => {
      at = place();
      mongo = await openMongo(at);
    });
    afterEach(async () => {
      await mongo.db.dropDatabase();
      await closeMongo(at);
    });

    const operations: Record<string, (pages: SitePages) => Promise<unknown>> = {
      settle: pages =>
        pages.settle(
          id,
          1,
          [
            page("a", { title: "after", news: ["after a"] }),
            page("b", { title: "after", state: "removed", news: ["after b", "more of b"] }),
            page("unknown", { title: "after", news: ["after unknown"] }),
            page("other", { title: "after", state: "alias", news: ["after other"] }),
          ],
          "remembered",
        ),
      offer: pages => pages.offer(id, 1, [page("a"), page("unknown"), page("other")], 99),
      acknowledge: pages => pages.acknowledge(id, 1, 2),
      mark: pages => pages.mark(id, 1, [{ key: `${root}a`, dueBy: 1, listed: { lastmod: 2 } }]),
      open: pages => pages.open(id, 1),
    };

    test.each(Object.entries(operations))("in %s", async (name, operation) => {
      for (let last = 0, isWhole = false; !isWhole; last += 1) {
        const life = new Life(last, end);
        isWhole = await dieAndLookAfter(mongo, life, operation);
        await mongo.db.dropDatabase();
        expect([name, last < 20]).toEqual([name, true]);
      }
    });
  });
});

/** Answers whether the operation had no write left at which it could die. */
async function dieAndLookAfter(
  mongo: Mongo,
  life: Life,
  operation: (pages: SitePages) => Promise<unknown>,
): Promise<boolean> {
  const alive = await mongoSitePages(mongo);
  const dying = await mongoSitePages(mortal(mongo, life));
  await alive.open(id, 1);
  await alive.offer(id, 1, [page("a"), page("b"), page("c")], 99);
  await alive.settle(id, 1, [page("b", { news: ["b 1", "b 2"] }), page("c", { news: ["c 1"] })]);
  const heard = new Reader(alive);
  await heard.read(2);
  const outcome = operation(dying).then(
    () => "done",
    error => String(codeOf(error) ?? error.message),
  );
  const first = await Promise.race([outcome, life.asleep.then(() => "asleep")]);
  // Another one takes the site over, and tells all that it finds.
  await alive.open(id, 2);
  await alive.settle(id, 2, [page("c", { title: "new driver", news: ["c 2"] })]);
  await heard.read(99);
  await alive.acknowledge(id, 2, heard.told);
  life.wake();
  const late = await outcome;
  expect(["done", "conflict", "overloaded", "The process is dead"]).toContain(late);
  const { memory } = await alive.open(id, 3);
  await heard.read(99);
  await check(alive, heard);
  // A step is done whole or not at all.
  const titles = (await alive.list(id, { limit: 99 })).filter(({ title }) => title === "after");
  expect([titles.length, memory]).toEqual(memory === null ? [0, null] : [4, "remembered"]);
  if (late === "done")
    for (const { key, title } of await alive.list(id, { limit: 99 }))
      if (title === "after") expect(heard.posts).toContain(`after ${key.slice(root.length)}`);
  return first === "done";
}

/** Hears all news in their order, as the tracker does: it asks only for what comes after what it has heard. */
class Reader {
  readonly posts: string[] = [];
  told = 0;
  readonly #pages: SitePages;

  constructor(pages: SitePages) {
    this.#pages = pages;
  }

  async read(limit: number): Promise<void> {
    for (const { seq, post } of await this.#pages.news(id, this.told, limit)) {
      expect(seq).toBeGreaterThan(this.told);
      this.told = seq;
      this.posts.push(post);
    }
  }
}

async function check(pages: SitePages, { posts }: Reader): Promise<void> {
  const all = await pages.list(id, { limit: 99 });
  const { states } = await pages.counts(id);
  for (const [state, count] of Object.entries(states))
    expect([state, count]).toEqual([state, all.filter(each => each.state === state).length]);
  expect(new Set(posts).size).toBe(posts.length);
  expect(posts).toEqual(expect.arrayContaining(["b 1", "b 2", "c 1", "c 2"]));
  // A page that was written has its news, and none is told of one that was not.
  for (const { key, title } of all) {
    const path = key.slice(root.length);
    expect([path, posts.includes(`after ${path}`)]).toEqual([path, title === "after"]);
  }
}

const writes = ["findOneAndUpdate", "updateOne", "updateMany", "insertMany", "bulkWrite", "replaceOne"];

/** The database as a process sees it that has this life. */
function mortal(mongo: Mongo, life: Life): Mongo {
  const collection = (of: object): object =>
    new Proxy(of, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function" || !writes.includes(String(name))) return value;
        return life.step(value.bind(target) as (...args: unknown[]) => Promise<unknown>);
      },
    });
  const db = new Proxy(mongo.db, {
    get: (of, name) =>
      name === "collection"
        ? (called: string) => collection(of.collection(called))
        : (Reflect.get(of, name, of) as unknown),
  });
  return { ...mongo, db };
}

withOwnMongo(mongod).test("what was acknowledged is there after a kill of MongoDB", async () => {
  const pages = await openMongoSitePages(place());
  await pages.open(id, 1);
  await pages.offer(id, 1, [page("a"), page("b")], 99);
  await pages.settle(id, 1, [page("a", { title: "after", news: ["one"] })], "memory");
  await pages.mark(id, 1, [{ key: `${root}b`, dueBy: 1 }]);
  await mongod.kill();
  const broken = pages.settle(id, 1, [page("b", { news: ["two"] })]);
  expect(await broken.catch(codeOf)).toBe("overloaded");
  await mongod.restart();
  expect(await pages.open(id, 2)).toEqual({ memory: "memory" });
  expect(await pages.list(id, { limit: 9 })).toMatchObject([
    { title: "after", state: "there" },
    { state: "new", dueAt: 1 },
  ]);
  expect(await pages.news(id, 0, 9)).toEqual([{ key: `${root}a`, seq: 1, post: "one" }]);
  expect((await pages.counts(id)).states).toMatchObject({ there: 1, new: 1 });
  await pages.close();
});
