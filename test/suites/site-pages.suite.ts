import type {
  FoundPage,
  OpenSitePages,
  SettledPage,
  SitePage,
  SitePageState,
} from "../../mixins/site-pages/site-pages.ts";
import { never } from "../../mixins/site-pages/site-pages.ts";
import { codeOf } from "../../services/contracts/errors.ts";
import { type Random, seeded } from "../faults/random.ts";
import { ModelSitePages } from "./site-pages-model.ts";

/** Pages of sites that know no site. */
export interface SitePagesDriver {
  pages: OpenSitePages;
  close(): Promise<void>;
}

const root = "https://site.example/";
const hash = (letter: string) => letter.repeat(64);

/** A page whose URL is its key. */
function found(path: string, change: Partial<FoundPage> = {}): FoundPage {
  const key = `${root}${path}`;
  return { key, url: key, depth: 1, from: null, dueAt: 10, foundAt: 5, ...change };
}

function settled(path: string, change: Partial<SettledPage> = {}): SettledPage {
  return { ...found(path), state: "there", title: `Page ${path}`, visitedAt: 20, dueAt: 1000, ...change };
}

/** What every driver of the pages of sites does alike. */
export function sitePagesSuite(name: string, open: () => Promise<SitePagesDriver>): void {
  describe(`site pages: ${name}`, () => {
    let driver: SitePagesDriver;
    let pages: OpenSitePages;
    beforeAll(async () => {
      driver = await open();
      pages = driver.pages;
    });
    afterAll(() => driver.close());

    let sites = 0;
    let id = "";
    beforeEach(async () => {
      sites += 1;
      id = `site-${sites}`;
      expect(await pages.open(id, 1)).toEqual({ memory: null });
    });

    const offer = (...some: FoundPage[]) => pages.offer(id, 1, some, 1000);
    const settle = (...some: SettledPage[]) => pages.settle(id, 1, some);
    const paths = (some: { key: string }[]) => some.map(({ key }) => key.slice(root.length));
    const due = async (now = 100, count = 9) => paths(await pages.due(id, now, count));
    const get = async (path: string) => plain((await pages.get(id, [`${root}${path}`]))[0]);
    const counted = async () => plainCounts((await pages.counts(id)).states);
    const refused = async (step: Promise<unknown>) => codeOf(await step.catch((error: unknown) => error));

    test("a page comes back as it was offered, once", async () => {
      const page = found("a/%C3%BC?x=%20", {
        url: `${root}a/%C3%BC/?x=%20`,
        depth: 3,
        from: root,
        listed: { lastmod: 7 },
      });
      expect(await offer(page, page)).toBe(1);
      expect(
        await offer({ ...page, depth: 1 }, found("b", { listed: { lastmod: null }, dueAt: never })),
      ).toBe(1);
      expect(await get("a/%C3%BC?x=%20")).toEqual({ ...page, state: "new", title: "" });
      expect(await get("b")).toEqual({
        ...found("b", { listed: { lastmod: null }, dueAt: never }),
        state: "new",
        title: "",
      });
      expect(await counted()).toEqual({ new: 2 });
    });

    test("a page comes back as it was settled, with its memory and news", async () => {
      await offer(found("a", { listed: { lastmod: 7 } }));
      const page = settled("a", {
        title: "Über uns",
        content: hash("a"),
        changedAt: 21,
        movedTo: `${root}b`,
        memory: Buffer.from("what it said"),
      });
      await settle({ ...page, news: ["one", "two"] });
      const news = [
        { seq: 1, post: "one" },
        { seq: 2, post: "two" },
      ];
      expect(await get("a")).toEqual({ ...page, memory: "what it said", news });
      // What is left out is gone; news are added to those that wait.
      await settle(settled("a", { news: ["three"] }));
      expect(await get("a")).toEqual({ ...settled("a"), news: [...news, { seq: 3, post: "three" }] });
    });

    test("a page that nobody offered can be settled", async () => {
      await settle(
        settled("a", { news: ["came"] }),
        settled("b", { state: "alias", movedTo: `${root}a`, dueAt: never }),
      );
      expect(await get("a")).toEqual({ ...settled("a"), news: [{ seq: 1, post: "came" }] });
      expect(await counted()).toEqual({ there: 1, alias: 1 });
    });

    test("pages are due by their time, unless their news wait", async () => {
      await offer(
        found("c", { dueAt: 30 }),
        found("a", { dueAt: 20 }),
        found("b", { dueAt: 10 }),
        found("d", { dueAt: 90 }),
        found("e", { dueAt: never }),
      );
      expect(await due(30)).toEqual(["b", "a", "c"]);
      expect(await due(30, 2)).toEqual(["b", "a"]);
      expect([await due(9), await pages.nextDue(id)]).toEqual([[], 10]);
      await settle(settled("b", { dueAt: 15, news: ["b"] }));
      expect([await due(30), await pages.nextDue(id)]).toEqual([["a", "c"], 20]);
      await pages.acknowledge(id, 1, 1);
      expect([await due(30), await pages.nextDue(id)]).toEqual([["b", "a", "c"], 15]);
      for (const path of ["a", "b", "c", "d"]) await settle(settled(path, { dueAt: never }));
      expect([await due(never - 1), await pages.nextDue(id)]).toEqual([[], null]);
    });

    test("the limit is exact: pages that were removed or are another's give their place back", async () => {
      const many = Array.from({ length: 1300 }, (_, n) => found(`p${n}`));
      expect(await pages.offer(id, 1, many, 700)).toBe(700);
      expect(await pages.offer(id, 1, many, 700)).toBe(0);
      await settle(
        settled("p0", { state: "missing" }),
        settled("p1", { state: "removed" }),
        settled("p2", { state: "moved" }),
        settled("p3", { state: "refused" }),
        settled("p4", { state: "alias" }),
        settled("p5"),
      );
      expect((await pages.counts(id)).pages).toBe(696);
      expect(await pages.offer(id, 1, many, 700)).toBe(4);
      expect(await pages.offer(id, 1, [found("other")], 5)).toBe(0);
      expect(await counted()).toEqual({
        ...{ new: 698, there: 1, missing: 1, removed: 1, moved: 1, refused: 1, alias: 1 },
      });
    });

    test("news are told in the order of their settling, from any place, and forgotten when they were told", async () => {
      await settle(settled("a", { news: ["a1"] }), settled("b"), settled("c", { news: ["c1", "c2"] }));
      await settle(settled("a", { news: ["a2"] }));
      await settle(settled("b", { news: ["b1"] }));
      const told = async (after: number, limit = 9) =>
        (await pages.news(id, after, limit)).map(
          ({ seq, key, post }) => `${seq} ${paths([{ key }])} ${post}`,
        );
      expect(await told(0)).toEqual(["1 a a1", "2 c c1", "3 c c2", "4 a a2", "5 b b1"]);
      expect(await told(1)).toEqual(["2 c c1", "3 c c2", "4 a a2", "5 b b1"]);
      expect(await told(2, 2)).toEqual(["3 c c2", "4 a a2"]);
      await pages.acknowledge(id, 1, 2);
      expect(await told(0)).toEqual(["3 c c2", "4 a a2", "5 b b1"]);
      expect((await get("a"))?.news).toEqual([{ seq: 4, post: "a2" }]);
      await pages.acknowledge(id, 1, 5);
      await pages.acknowledge(id, 1, 5);
      expect([await told(0), (await get("a"))?.news]).toEqual([[], undefined]);
      await settle(settled("a", { news: ["a3"] }));
      expect(await told(0)).toEqual(["6 a a3"]);
    });

    test("many pages with news are acknowledged whole", async () => {
      const many = Array.from({ length: 700 }, (_, n) => settled(`p${n}`, { news: [`n${n}`] }));
      await settle(...many);
      expect((await pages.news(id, 0, 9999)).map(({ post }) => post)).toEqual(
        many.map(({ news }) => news?.[0]),
      );
      await pages.acknowledge(id, 1, 690);
      expect((await pages.news(id, 0, 9999)).map(({ seq }) => seq)).toEqual([
        691, 692, 693, 694, 695, 696, 697, 698, 699, 700,
      ]);
      await pages.acknowledge(id, 1, 700);
      expect(await due(2000, 9999)).toHaveLength(700);
    });

    test("marks bring a page forward and say what sitemaps say", async () => {
      await offer(
        found("a", { dueAt: 50 }),
        found("b", { dueAt: never, listed: { lastmod: 1 } }),
        found("c"),
      );
      await pages.mark(id, 1, [
        { key: `${root}a`, dueBy: 30, listed: { lastmod: 5 } },
        { key: `${root}b`, dueBy: 40, listed: null },
        { key: `${root}c`, listed: { lastmod: null } },
        { key: `${root}nobody`, dueBy: 1, listed: null },
        { key: `${root}c` },
      ]);
      expect(await pages.listed(id, "", 9)).toEqual([
        { key: `${root}a`, listed: { lastmod: 5 }, state: "new" },
        { key: `${root}b`, state: "new" },
        { key: `${root}c`, listed: { lastmod: null }, state: "new" },
      ]);
      expect(await due()).toEqual(["c", "a", "b"]);
      await pages.mark(id, 1, [{ key: `${root}a`, dueBy: 60 }]);
      expect((await get("a"))?.dueAt).toBe(30);
      const many = Array.from({ length: 1300 }, (_, n) => found(`p${n}`, { dueAt: 500 + n }));
      await pages.offer(id, 1, many, 5000);
      await pages.mark(
        id,
        1,
        many.map(({ key }, n) => ({ key, dueBy: 99 + (n % 2) })),
      );
      expect((await due(100, 9999)).length).toBe(1303);
    });

    test("the same content is found where it is or was", async () => {
      await settle(
        settled("a", { content: hash("a") }),
        settled("b", { content: hash("a"), state: "missing", memory: Buffer.from("b") }),
        settled("c", { content: hash("a"), state: "removed" }),
        settled("d", { content: `${hash("a").slice(0, 63)}b` }),
        settled("e"),
      );
      const alike = await pages.withContent(id, hash("a"));
      expect(paths(alike).sort()).toEqual(["a", "b"]);
      expect(alike.map(plain)).toContainEqual({
        ...settled("b", { content: hash("a"), state: "missing" }),
        memory: "b",
      });
      expect(await pages.withContent(id, hash("f"))).toEqual([]);
      await settle(...Array.from({ length: 12 }, (_, n) => settled(`g${n}`, { content: hash("e") })));
      expect(await pages.withContent(id, hash("e"))).toHaveLength(10);
    });

    test("neighbours come from both sides, the nearest first", async () => {
      await settle(
        ...["a", "b", "d", "f", "g", "h"].map(path => settled(path, { memory: Buffer.from(path) })),
      );
      await offer(found("c"), found("e"));
      const near = async (path: string, count: number) =>
        paths(await pages.near(id, `${root}${path}`, count));
      expect(await near("d", 3)).toEqual(["f", "b", "g"]);
      expect(await near("d", 9)).toEqual(["f", "b", "g", "a", "h"]);
      expect(await near("a", 2)).toEqual(["b", "d"]);
      expect(await near("zz", 2)).toEqual(["h", "g"]);
      expect(plain((await pages.near(id, `${root}d`, 1))[0])?.memory).toBe("f");
    });

    test("lists are in the order of keys, of a folder, of some states, of what changed lately", async () => {
      await settle(
        settled("a/1", { changedAt: 50, memory: Buffer.from("m"), news: ["n"] }),
        settled("a/2", { state: "removed", changedAt: 60 }),
        settled("a-b", { state: "missing" }),
        settled("b/1", { changedAt: 40 }),
        settled("b/1/x", { state: "removed" }),
      );
      await offer(found("a/"));
      const list = async (range: Partial<Parameters<OpenSitePages["list"]>[1]> = {}) =>
        paths(await pages.list(id, { limit: 9, ...range }));
      expect(await list()).toEqual(["a-b", "a/", "a/1", "a/2", "b/1", "b/1/x"]);
      expect(await list({ limit: 2, after: `${root}a/` })).toEqual(["a/1", "a/2"]);
      expect(await list({ prefix: `${root}a/` })).toEqual(["a/", "a/1", "a/2"]);
      expect(await list({ prefix: `${root}a/`, after: `${root}a/1` })).toEqual(["a/2"]);
      expect(await list({ prefix: `${root}b/1` })).toEqual(["b/1", "b/1/x"]);
      expect(await list({ states: ["removed", "missing"] })).toEqual(["a-b", "a/2", "b/1/x"]);
      expect(await list({ states: ["removed", "missing"], limit: 2 })).toEqual(["a-b", "a/2"]);
      expect(await list({ states: ["there", "new"], after: `${root}a/` })).toEqual(["a/1", "b/1"]);
      expect(await list({ states: [] })).toEqual([]);
      expect(await list({ changedSince: 50 })).toEqual(["a/1", "a/2"]);
      expect(await list({ changedSince: 40, states: ["there"], prefix: `${root}b` })).toEqual(["b/1"]);
      const [first] = await pages.list(id, { limit: 1, prefix: `${root}a/1` });
      expect(first).toEqual(settled("a/1", { changedAt: 50 }));
      expect(paths(await pages.listed(id, `${root}a/`, 2))).toEqual(["a/1", "a/2"]);
    });

    test("a site's memory is what was settled last", async () => {
      await pages.settle(id, 1, [settled("a")], JSON.stringify({ n: 1 }));
      await settle(settled("b"));
      expect(await pages.open(id, 1)).toEqual({ memory: '{"n":1}' });
      await pages.settle(id, 1, [], "x".repeat(500_000));
      expect((await pages.open(id, 2)).memory).toHaveLength(500_000);
    });

    test("steps of an earlier driver, and of a site that is not open, are refused and change nothing", async () => {
      await settle(settled("a", { news: ["n"] }));
      await pages.open(id, 7);
      const before = [await get("a"), await pages.counts(id)];
      const stepsOf = (site: string, fence: number) => [
        pages.offer(site, fence, [found("b")], 9),
        pages.offer(site, fence, [found("a")], 9),
        pages.offer(site, fence, [], 9),
        pages.settle(site, fence, [settled("a", { title: "late" }), settled("b")], "late"),
        pages.settle(site, fence, []),
        pages.mark(site, fence, [{ key: `${root}a`, dueBy: 1 }]),
        pages.acknowledge(site, fence, 1),
      ];
      const late = [...stepsOf(id, 6), pages.open(id, 6)];
      expect(await Promise.all(late.map(refused))).toEqual(late.map(() => "conflict"));
      const nobody = stepsOf("nobody", 1);
      expect(await Promise.all(nobody.map(refused))).toEqual(nobody.map(() => "conflict"));
      expect([await get("a"), await pages.counts(id)]).toEqual(before);
      expect(await pages.open(id, 7)).toEqual({ memory: null });
      expect(await pages.offer(id, 8, [found("b")], 9)).toBe(1);
    });

    test("many steps of a site at once: each is done, and no place of news is given twice", async () => {
      const many = Array.from({ length: 60 }, (_, n) => n);
      const added = await Promise.all(
        many.map(n => pages.offer(id, 1, [found(`p${n}`), found(`p${n + 1}`)], 40)),
      );
      expect(added.reduce((sum, each) => sum + each, 0)).toBe(40);
      await Promise.all(many.map(n => settle(settled(`q${n}`, { news: [`n${n}`, "and"] }))));
      const seqs = (await pages.news(id, 0, 999)).map(({ seq }) => seq);
      expect(seqs).toEqual(Array.from({ length: 120 }, (_, n) => n + 1));
      expect(await counted()).toEqual({ new: 40, there: 60 });
    });

    test("sites do not meet, and a dropped one is gone, which its driver learns", async () => {
      await pages.offer(
        id,
        1,
        Array.from({ length: 1200 }, (_, n) => found(`p${n}`)),
        9999,
      );
      await pages.settle(id, 1, [settled("p0", { news: ["n"], content: hash("a"), changedAt: 1 })], "memory");
      // One of them begins like the other.
      const other = `${id}0`;
      await pages.open(other, 1);
      await pages.offer(other, 1, [found("a")], 9);
      expect(await pages.list(other, { limit: 9 })).toHaveLength(1);
      await pages.drop(id);
      await pages.drop(id);
      expect(await refused(settle(settled("p0")))).toBe("conflict");
      expect([
        await pages.list(id, { limit: 9 }),
        await pages.nextDue(id),
        await pages.news(id, 0, 9),
      ]).toEqual([[], null, []]);
      expect([await due(), await pages.withContent(id, hash("a")), await counted()]).toEqual([[], [], {}]);
      expect((await pages.counts(other)).pages).toBe(1);
      expect(await pages.open(id, 1)).toEqual({ memory: null });
      expect(await offer(found("p0"))).toBe(1);
    });

    test("an unknown site has nothing", async () => {
      expect([
        await pages.due("nobody", 99, 9),
        await pages.nextDue("nobody"),
        await pages.get("nobody", [root]),
        await pages.near("nobody", root, 3),
        await pages.news("nobody", 0, 9),
        await pages.list("nobody", { limit: 9 }),
        await pages.listed("nobody", "", 9),
        (await pages.counts("nobody")).pages,
      ]).toEqual([[], null, [], [], [], [], [], 0]);
      await pages.drop("nobody");
    });

    test.each(Array.from({ length: 20 }, (_, n) => n + 1))(
      "does what the model does (seed %d)",
      async seed => {
        const [model, random] = [new ModelSitePages(), seeded(seed)];
        await model.open(id, 1);
        for (const step of randomSteps(random, 60)) {
          const [real, wanted] = [await outcomeOf(step, pages, id), await outcomeOf(step, model, id)];
          expect([step.name, real]).toEqual([step.name, wanted]);
          expect(await pages.counts(id)).toEqual(await model.counts());
        }
        expect((await pages.list(id, { limit: 999 })).map(plain)).toEqual(
          (await model.list(id, { limit: 999 })).map(plain),
        );
        expect(await pages.news(id, 0, 999)).toEqual(await model.news(id, 0, 999));
      },
    );
  });
}

/** Drivers have other kinds of byte arrays. */
function plain<Page extends Partial<SitePage>>(page: Page | undefined) {
  if (!page?.memory) return page;
  return { ...page, memory: Buffer.from(page.memory).toString() };
}

/** Those that are not zero. */
function plainCounts(states: Record<SitePageState, number>): Partial<Record<SitePageState, number>> {
  return Object.fromEntries(Object.entries(states).filter(([, count]) => count > 0));
}

interface Step {
  name: string;
  run(pages: Omit<OpenSitePages, "close" | "drop">, id: string): Promise<unknown>;
}

async function outcomeOf(
  step: Step,
  pages: Omit<OpenSitePages, "close" | "drop">,
  id: string,
): Promise<unknown> {
  try {
    const result = await step.run(pages, id);
    return Array.isArray(result) ? result.map(plain) : result;
  } catch (error) {
    return codeOf(error) ?? error;
  }
}

const allStates: SitePageState[] = ["new", "there", "missing", "removed", "moved", "refused", "alias"];

/** Steps of a driver that is replaced now and then, on few enough keys that they meet again. */
function randomSteps(random: Random, length: number): Step[] {
  const below = (n: number) => Math.floor(random() * n);
  const one = <Item>(of: readonly Item[]) => of[below(of.length)] as Item;
  const path = () => `${one(["", "a/", "b/"])}${below(12)}`;
  const key = () => `${root}${path()}`;
  const some = <Item>(of: () => Item, most: number) => Array.from({ length: below(most + 1) }, of);
  const listed = () => one([{}, { listed: { lastmod: below(50) } }, { listed: { lastmod: null } }]);
  // Two pages are never due at the same time: nobody says which of them comes first.
  let ticks = 0;
  const at = () => (random() < 0.1 ? never : below(200) * 1000 + ticks++);
  const page = () => found(path(), { dueAt: at(), foundAt: below(50), depth: below(4), ...listed() });
  const visited = (): SettledPage => ({
    ...page(),
    state: one(allStates),
    title: one(["", "Title"]),
    ...(random() < 0.7 && { content: hash(one(["a", "b", "c"])) }),
    ...(random() < 0.7 && { visitedAt: below(99) }),
    ...(random() < 0.5 && { changedAt: below(99) }),
    ...(random() < 0.2 && { movedTo: key() }),
    ...(random() < 0.7 && { memory: Buffer.from(`memory ${below(99)}`) }),
    ...(random() < 0.4 && { news: some(() => `post ${below(99)}`, 2) }),
  });
  const steps: Step[] = [];
  let fence = 1;
  const add = (name: string, run: Step["run"]) => steps.push({ name, run });
  while (steps.length < length) {
    const held = random() < 0.05 ? fence - 1 : fence;
    const [choice, count, place, wanted] = [random(), 1 + below(4), below(12), key()];
    if (choice < 0.05) {
      fence += 1;
      const to = fence;
      add("open", (pages, id) => pages.open(id, to));
    } else if (choice < 0.25) {
      const offered = some(page, 6);
      add("offer", (pages, id) => pages.offer(id, held, offered, 14));
    } else if (choice < 0.5) {
      const byKey = new Map(some(visited, 4).map(each => [each.key, each]));
      const memory = random() < 0.3 ? `site ${below(99)}` : undefined;
      add("settle", (pages, id) => pages.settle(id, held, [...byKey.values()], memory));
    } else if (choice < 0.6) {
      const marks = some(
        () => ({
          key: key(),
          ...(random() < 0.7 && { dueBy: below(200) * 1000 + ticks++ }),
          ...one([{}, { listed: null }, listed()]),
        }),
        4,
      );
      add("mark", (pages, id) => pages.mark(id, held, marks));
    } else if (choice < 0.68) add("due", (pages, id) => pages.due(id, place * 20_000, count));
    else if (choice < 0.72) add("nextDue", (pages, id) => pages.nextDue(id));
    else if (choice < 0.77) add("near", (pages, id) => pages.near(id, wanted, count));
    else if (choice < 0.8)
      add("withContent", async (pages, id) =>
        (await pages.withContent(id, hash("a"))).sort((a, b) => (a.key < b.key ? -1 : 1)),
      );
    else if (choice < 0.85) add("news", (pages, id) => pages.news(id, place, count));
    else if (choice < 0.9) add("acknowledge", (pages, id) => pages.acknowledge(id, held, place));
    else if (choice < 0.95) {
      const range = {
        limit: count,
        ...(random() < 0.5 && { prefix: `${root}${one(["a/", "b/"])}` }),
        ...(random() < 0.5 && { states: some(() => one(allStates), 4) }),
        ...(random() < 0.3 && { changedSince: below(99) }),
        ...(random() < 0.3 && { after: wanted }),
      };
      add("list", (pages, id) =>
        pages.list(id, { ...range, ...(range.states && { states: [...new Set(range.states)] }) }),
      );
    } else add("listed", (pages, id) => pages.listed(id, wanted, count));
  }
  return steps;
}
