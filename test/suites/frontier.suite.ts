import type { Candidate, Counts, Frontier, Outcome, Settled } from "../../mixins/frontier/frontier.ts";
import { codeOf } from "../../services/contracts/errors.ts";
import { type Random, seeded } from "../faults/random.ts";
import { ModelFrontier } from "./frontier-model.ts";

/** A frontier that knows no crawl. */
export interface FrontierDriver {
  frontier: Frontier;
  close(): Promise<void>;
}

const bounds = { limit: 100, maxDiscovered: 1000 };
const done: Outcome = { state: "completed" };

/** A page whose key is its name. */
function page(key: string, depth = 1, change: Partial<Candidate> = {}): Candidate {
  return { key, url: `https://site.example/${key}`, depth, hops: 0, from: null, external: false, ...change };
}

/** What every driver of the frontier does alike. */
export function frontierSuite(name: string, open: () => Promise<FrontierDriver>): void {
  describe(`frontier: ${name}`, () => {
    let driver: FrontierDriver;
    let frontier: Frontier;
    beforeAll(async () => {
      driver = await open();
      frontier = driver.frontier;
    });
    afterAll(() => driver.close());

    let crawls = 0;
    let id = "";
    beforeEach(() => {
      crawls += 1;
      id = `crawl-${crawls}`;
    });

    const begin = (change: Partial<typeof bounds> = {}, fence = 1) =>
      frontier.open(id, fence, { ...bounds, ...change });
    const offer = (...pages: Candidate[]) => frontier.offer(id, 1, pages);
    const take = (count: number, now = 0) => frontier.take(id, 1, count, now);
    const keys = async (count: number, now = 0) => (await take(count, now)).map(({ key }) => key);
    const settle = (key: string, outcome = done, links: Candidate[] = []) =>
      frontier.settle(id, 1, key, outcome, links);
    const refused = async (step: Promise<unknown>) => codeOf(await step.catch((error: unknown) => error));

    test("a page comes back as it was offered, once", async () => {
      expect(await begin()).toEqual(counts({}));
      const candidate = page("a/ü?x=%20", 3, { hops: 2, from: "https://site.example/", external: true });
      expect(await offer(candidate, candidate)).toBe(1);
      expect(await offer(candidate)).toBe(0);
      expect(await take(10)).toEqual([{ ...candidate, tries: 0 }]);
      expect(await take(10)).toEqual([]);
      expect(await offer(candidate)).toBe(0);
      expect(await frontier.counts(id)).toEqual(counts({ running: 1 }));
    });

    test("pages go by depth and then by age", async () => {
      await begin();
      await offer(page("c", 2), page("a", 1), page("d", 2), page("z", 0));
      await offer(page("b", 1));
      expect(await keys(2)).toEqual(["z", "a"]);
      await settle("z", done, [page("y", 1), page("x", 0)]);
      expect(await keys(9)).toEqual(["x", "b", "y", "c", "d"]);
    });

    test("a page that is offered nearer to the entry moves forward while it waits", async () => {
      await begin();
      await offer(page("a", 2), page("b", 2), page("c", 2), page("d", 3));
      await take(1);
      expect(await offer(page("c", 1, { from: "near", hops: 1 }), page("a", 0), page("b", 3))).toBe(0);
      expect((await take(9)).map(({ key, depth, from, hops }) => [key, depth, from, hops])).toEqual([
        ["c", 1, "near", 1],
        ["b", 2, null, 0],
        ["d", 3, null, 0],
      ]);
    });

    test("the counts follow each step", async () => {
      await begin();
      await offer(page("a"), page("b"), page("c"), page("d"));
      expect(await frontier.counts(id)).toEqual(counts({ queued: 4 }));
      await take(3);
      expect(await frontier.counts(id)).toEqual(counts({ queued: 1, running: 3 }));
      expect(await settle("a", done, [page("e"), page("b")])).toEqual(
        counts({ queued: 2, running: 2, completed: 1 }),
      );
      expect(await settle("b", { state: "failed", reason: "upstream_error" })).toEqual(
        counts({ queued: 2, running: 1, completed: 1, failed: 1 }),
      );
      await frontier.postpone(id, 1, "c", 5);
      expect(await frontier.counts(id)).toEqual(counts({ queued: 3, completed: 1, failed: 1 }));
      expect(await frontier.finish(id, 1, "limit")).toEqual(counts({ completed: 1, failed: 1, skipped: 3 }));
    });

    test("a page ends once, and only when it is being fetched", async () => {
      await begin();
      await offer(page("a"), page("b"));
      await take(1);
      const after = await settle("a", done, [page("c")]);
      for (const key of ["a", "b", "nobody"])
        expect(await settle(key, { state: "failed", aliases: ["b", "x"] }, [page("d")])).toEqual(after);
      expect(await frontier.settled(id, { after: 0, limit: 9 })).toHaveLength(1);
      expect(await offer(page("x"), page("d"))).toBe(2);
    });

    test("the limit is exact: pages in flight count, skipped ones give their place back", async () => {
      await begin({ limit: 3 });
      await offer(...["a", "b", "c", "d", "e", "f"].map(key => page(key)));
      expect(await keys(9)).toEqual(["a", "b", "c"]);
      expect(await keys(9)).toEqual([]);
      await settle("a");
      await settle("b", { state: "failed", reason: "tls_error" });
      expect(await keys(9)).toEqual([]);
      await settle("c", { state: "skipped", reason: "robots" });
      expect(await keys(9)).toEqual(["d"]);
      await frontier.postpone(id, 1, "d", 0);
      expect(await keys(9)).toEqual(["d"]);
      await settle("d");
      expect(await keys(9)).toEqual([]);
      expect(await frontier.counts(id)).toEqual(counts({ queued: 2, completed: 2, failed: 1, skipped: 1 }));
    });

    test("what is offered beyond the bound of discovery is forgotten", async () => {
      await begin({ maxDiscovered: 3 });
      expect(await offer(page("a"), page("b"))).toBe(2);
      expect(await offer(page("a"), page("c"), page("d"))).toBe(1);
      await take(1);
      expect(await settle("a", done, [page("e")])).toMatchObject({ discovered: 3 });
      expect(await keys(9)).toEqual(["b", "c"]);
    });

    test("an alias is not fetched: unknown ones never, waiting ones are skipped, others stay as they are", async () => {
      await begin();
      await offer(page("a"), page("b"), page("waits"), page("late"));
      await take(2);
      await frontier.postpone(id, 1, "b", 50);
      expect(
        await settle("a", { state: "completed", aliases: ["a", "waits", "b", "new"] }, [page("new")]),
      ).toEqual(counts({ queued: 1, completed: 1, skipped: 2 }));
      expect(await offer(page("new"), page("waits"))).toBe(0);
      expect(await keys(9, 99)).toEqual(["late"]);
      await settle("late", { state: "completed", aliases: ["a", "late"] });
      expect(
        (await frontier.settled(id, { after: 0, limit: 9 })).map(({ key, state, reason }) => [
          key,
          state,
          reason,
        ]),
      ).toEqual([
        ["a", "completed", null],
        ["waits", "skipped", "duplicate"],
        ["b", "skipped", "duplicate"],
        ["late", "completed", null],
      ]);
    });

    test("a page that is an alias of one that is being fetched ends by itself", async () => {
      await begin();
      await offer(page("a"), page("b"));
      await take(2);
      await settle("a", { state: "completed", aliases: ["b"] });
      expect(await settle("b")).toEqual(counts({ completed: 2 }));
    });

    test("a postponed page waits for its time, and knows its tries", async () => {
      await begin();
      await offer(page("a", 0), page("b", 1));
      expect(await frontier.nextDue(id)).toBe(0);
      await take(2, 1000);
      expect(await frontier.nextDue(id)).toBeNull();
      await frontier.postpone(id, 1, "a", 1500);
      await frontier.postpone(id, 1, "b", 1200);
      await frontier.postpone(id, 1, "b", 1300);
      expect(await frontier.nextDue(id)).toBe(1200);
      expect(await keys(9, 1199)).toEqual([]);
      expect(await take(9, 1200)).toEqual([{ ...page("b", 1), tries: 1 }]);
      expect(await frontier.nextDue(id)).toBe(1500);
      await frontier.postpone(id, 1, "b", 1400);
      expect((await take(9, 2000)).map(({ key, tries }) => [key, tries])).toEqual([
        ["a", 1],
        ["b", 2],
      ]);
      await frontier.postpone(id, 1, "b", 2000, false);
      expect(await take(9, 2000)).toEqual([{ ...page("b", 1), tries: 2 }]);
    });

    test("a new driver begins with what the earlier one had not ended", async () => {
      await begin({ limit: 2 });
      await offer(page("a", 0), page("b", 5), page("c", 1), page("d", 5));
      await take(1);
      await settle("a");
      await take(1);
      expect(await begin({ limit: 3 }, 2)).toEqual(counts({ queued: 3, completed: 1 }));
      await frontier.offer(id, 2, [page("near", 0)]);
      expect((await frontier.take(id, 2, 9, 0)).map(({ key }) => key)).toEqual(["c", "near"]);
      // Its place before all others lasts until it is fetched.
      await frontier.postpone(id, 2, "c", 0);
      await frontier.postpone(id, 2, "near", 0);
      expect((await frontier.take(id, 2, 9, 0)).map(({ key }) => key)).toEqual(["near", "c"]);
    });

    test("opening again with the same fence changes nothing", async () => {
      await begin();
      await offer(page("a"), page("b"));
      await take(1);
      expect(await begin({ limit: 1 })).toEqual(counts({ queued: 1, running: 1 }));
      expect(await keys(9)).toEqual(["b"]);
    });

    test("steps of an earlier driver, and of one that has not opened, are refused and change nothing", async () => {
      expect(await refused(offer(page("a")))).toBe("conflict");
      await begin({}, 1);
      await offer(page("a"), page("b"));
      await take(1);
      await begin({}, 7);
      const before = await frontier.counts(id);
      const late = [
        frontier.open(id, 6, bounds),
        offer(page("c")),
        take(1),
        frontier.postpone(id, 6, "a", 0),
        settle("a"),
        frontier.finish(id, 6, "cancelled"),
      ];
      expect(await Promise.all(late.map(refused))).toEqual(late.map(() => "conflict"));
      expect(await frontier.counts(id)).toEqual(before);
      expect((await frontier.take(id, 7, 9, 0)).map(({ key }) => key)).toEqual(["a", "b"]);
    });

    test("finish skips what is left; nothing is offered, taken or settled afterwards", async () => {
      await begin();
      await offer(page("a"), page("b"), page("c", 2), page("d", 1));
      await take(2);
      await frontier.postpone(id, 1, "a", 5);
      const end = counts({ skipped: 4 });
      expect(await frontier.finish(id, 1, "cancelled")).toEqual(end);
      expect(await settle("b", done, [page("e")])).toEqual(end);
      expect(await offer(page("f"))).toBe(0);
      expect([await take(9, 99), await frontier.nextDue(id)]).toEqual([[], null]);
      expect(await frontier.finish(id, 1, "limit")).toEqual(end);
      expect(await begin({}, 2)).toEqual(end);
      expect(await frontier.offer(id, 2, [page("g")])).toBe(0);
      expect(
        (await frontier.settled(id, { after: 0, limit: 9 })).map(({ key, reason }) => [key, reason]),
      ).toEqual([
        ["b", "cancelled"],
        ["d", "cancelled"],
        ["c", "cancelled"],
        ["a", "cancelled"],
      ]);
    });

    test("the settled are read on from any place, of all states or of some", async () => {
      await begin();
      await offer(...Array.from({ length: 9 }, (_, n) => page(`p${n}`)));
      const states = ["completed", "failed", "skipped"] as const;
      for (const [n, { key }] of (await take(9)).entries())
        await settle(key, { state: states[n % 3] ?? "completed", ...(n % 3 > 0 && { reason: `r${n}` }) });
      const read = async (after: number, limit: number, ...only: Outcome["state"][]) =>
        (await frontier.settled(id, { after, limit, ...(only.length > 0 && { states: only }) })).map(
          ({ seq }) => seq,
        );
      expect(await read(0, 4)).toEqual([1, 2, 3, 4]);
      expect(await read(4, 9)).toEqual([5, 6, 7, 8, 9]);
      expect(await read(9, 9)).toEqual([]);
      expect(await read(0, 2, "completed")).toEqual([1, 4]);
      expect(await read(4, 9, "completed")).toEqual([7]);
      expect(await read(1, 4, "failed", "skipped")).toEqual([2, 3, 5, 6]);
      expect(await frontier.settled(id, { after: 4, limit: 1 })).toEqual([
        { seq: 5, key: "p4", url: page("p4").url, state: "failed", reason: "r4" },
      ]);
    });

    test("a dropped crawl is gone, and its driver learns it; others stay", async () => {
      await begin();
      await offer(...Array.from({ length: 1200 }, (_, n) => page(`p${n}`)));
      await take(1);
      const [first, other] = [id, `${id}-other`];
      await frontier.open(other, 1, bounds);
      await frontier.offer(other, 1, [page("a")]);
      await frontier.drop(first);
      await frontier.drop(first);
      expect(await refused(settle("p0"))).toBe("conflict");
      expect([await frontier.counts(first), await frontier.nextDue(first)]).toEqual([counts({}), null]);
      expect(await frontier.settled(first, { after: 0, limit: 9 })).toEqual([]);
      expect(await frontier.counts(other)).toEqual(counts({ queued: 1 }));
      expect(await begin()).toEqual(counts({}));
      expect(await offer(page("p0"))).toBe(1);
    });

    test("a large crawl is finished whole, in order", async () => {
      await begin({ maxDiscovered: 5000 });
      await offer(...Array.from({ length: 1700 }, (_, n) => page(`p${n}`, 1 + (n % 2))));
      await take(10);
      expect(await frontier.finish(id, 1, "limit")).toEqual(counts({ skipped: 1700 }));
      const ended = await frontier.settled(id, { after: 0, limit: 9999 });
      expect(ended.map(({ seq }) => seq)).toEqual(ended.map((_, n) => n + 1));
      expect(new Set(ended.map(({ key }) => key)).size).toBe(1700);
      expect(ended.slice(10, 12).map(({ key }) => key)).toEqual(["p20", "p22"]);
    });

    test("many takers at once: each page goes to one, and no more of them than the limit", async () => {
      await begin({ limit: 150 });
      await offer(...Array.from({ length: 400 }, (_, n) => page(`p${n}`)));
      const taken = (await Promise.all(Array.from({ length: 32 }, () => keys(7)))).flat();
      expect([taken.length, new Set(taken).size]).toEqual([150, 150]);
      await Promise.all(taken.map(key => settle(key, done, [page(`${key}-link`), page("common")])));
      expect(await frontier.counts(id)).toEqual(counts({ queued: 401, completed: 150 }));
      expect(await take(9)).toEqual([]);
    });

    test.each(Array.from({ length: 30 }, (_, n) => n + 1))(
      "does what the model does (seed %d)",
      async seed => {
        const random = seeded(seed);
        const model = new ModelFrontier();
        const steps = randomSteps(random, 120);
        let before = counts({});
        for (const step of steps) {
          const [real, wanted] = [await outcomeOf(step, frontier, id), await outcomeOf(step, model, id)];
          expect([step.name, real]).toEqual([step.name, wanted]);
          const now = await frontier.counts(id);
          expect(now).toEqual(await model.counts());
          expect(now.discovered).toBe(now.queued + now.running + now.completed + now.failed + now.skipped);
          for (const name of ["discovered", "completed", "failed", "skipped"] as const)
            expect(now[name]).toBeGreaterThanOrEqual(before[name]);
          expect(now.completed + now.failed + now.running).toBeLessThanOrEqual(modelLimit);
          before = now;
        }
        const all = await frontier.settled(id, { after: 0, limit: 9999 });
        expect(all.map(({ seq }) => seq)).toEqual(all.map((_, n) => n + 1));
        expect(inOrder(all)).toEqual(inOrder(await model.settled()));
      },
    );
  });
}

const modelLimit = 12;

/** In which order a finish skips pages is nobody's matter. */
function inOrder(ended: Settled[]): string[] {
  const told = ended.map(({ key, url, state, reason }) => [key, url, state, reason].join(" "));
  const end = ended.findIndex(({ reason }) => reason === "limit");
  return end < 0 ? told : [...told.slice(0, end), ...told.slice(end).sort()];
}

function counts(change: Partial<Counts>): Counts {
  const parts = { queued: 0, running: 0, completed: 0, failed: 0, skipped: 0, ...change };
  const discovered = parts.queued + parts.running + parts.completed + parts.failed + parts.skipped;
  return { discovered, ...parts };
}

interface Step {
  name: string;
  run(frontier: Frontier, id: string): Promise<unknown>;
}

async function outcomeOf(step: Step, frontier: Frontier, id: string): Promise<unknown> {
  try {
    return await step.run(frontier, id);
  } catch (error) {
    return codeOf(error) ?? error;
  }
}

/** Steps of a driver that is replaced now and then, on few enough keys that they meet again. */
function randomSteps(random: Random, length: number): Step[] {
  const below = (n: number) => Math.floor(random() * n);
  const key = () => `k${below(30)}`;
  const some = <Item>(of: () => Item, most: number) => Array.from({ length: below(most + 1) }, of);
  const candidate = () => page(key(), below(4), { hops: below(3) });
  const outcome = (): Outcome => ({
    state: (["completed", "failed", "skipped"] as const)[below(3)] ?? "completed",
    ...(random() < 0.5 && { reason: "r" }),
    ...(random() < 0.2 && { aliases: some(key, 2) }),
  });
  const steps: Step[] = [];
  let [fence, now] = [1, 0];
  const add = (name: string, run: Step["run"]) => steps.push({ name, run });
  const reopen = (to: number) =>
    add(`open ${to}`, (frontier, id) => frontier.open(id, to, { limit: modelLimit, maxDiscovered: 25 }));
  reopen(fence);
  while (steps.length < length) {
    const held = random() < 0.05 ? fence - 1 : fence;
    const choice = random();
    if (choice < 0.02) reopen(++fence);
    else if (choice < 0.04) reopen(held);
    else if (choice < 0.2) {
      const pages = some(candidate, 5);
      add("offer", (frontier, id) => frontier.offer(id, held, pages));
    } else if (choice < 0.45) {
      const [count, at] = [below(4), now];
      add("take", (frontier, id) => frontier.take(id, held, count, at));
    } else if (choice < 0.6) {
      const [name, until, isTry] = [key(), now + below(20), below(2) === 0];
      add("postpone", (frontier, id) => frontier.postpone(id, held, name, until, isTry));
    } else if (choice < 0.95) {
      const [name, end, links] = [key(), outcome(), some(candidate, 4)];
      add("settle", (frontier, id) => frontier.settle(id, held, name, end, links));
    } else if (choice < 0.995) add("nextDue", (frontier, id) => frontier.nextDue(id));
    else add("finish", (frontier, id) => frontier.finish(id, held, "limit"));
    now += below(6);
  }
  return steps;
}
