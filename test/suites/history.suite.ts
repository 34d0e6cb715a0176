import { createHash } from "node:crypto";
import { ulid } from "ulid";
import type { CheckRun, Keep, NewVersion, OpenHistory, Version } from "../../mixins/history/history.ts";
import { simulateYear } from "../support/simulated-year.ts";

/** An empty history. */
export interface HistoryDriver {
  history: OpenHistory;
  /** A second one on the same store, as another node has it. */
  other: OpenHistory;
  /** Moves the clock by which the driver tells what dead processes have left. */
  advance(ms: number): void;
  close(): Promise<void>;
}

const start = Date.parse("2026-01-01T00:00:00.000Z");
const hour = 3_600_000;
const forEver: Keep = { before: 0, versions: 1e6, bytes: 1e9, eventsFrom: Number.MAX_SAFE_INTEGER };
const lists = Array.from(
  { length: 400 },
  (_, n) => `<li>The article ${createHash("md5").update(`${n}`).digest("hex")}</li>`,
);

/** A page of some 20 KB, whose line `n` is of its own. */
const page = (n: number) => `<ul>${lists.with(n % 400, `<li>News ${n}</li>`).join("\n")}</ul>`;

/** What every driver of the history does alike. */
export function historySuite(name: string, open: () => Promise<HistoryDriver>): void {
  describe(`history: ${name}`, () => {
    let driver: HistoryDriver;
    let history: OpenHistory;
    beforeEach(async () => {
      driver = await open();
      history = driver.history;
    });
    afterEach(() => driver.close());

    const version = (
      sourceId: string,
      n: number,
      text: string,
      change: Partial<NewVersion> = {},
    ): NewVersion => ({
      id: ulid(start + n * hour),
      sourceId,
      at: start + n * hour,
      hash: createHash("sha256").update(text).digest("hex"),
      title: `Title ${n}`,
      outcome: "changed",
      reason: "Lines were added.",
      content: Buffer.from(text),
      words: "",
      ...change,
    });
    const kept = ({ content: _, words: __, ...rest }: NewVersion): Version => ({
      ...rest,
      bytes: expect.any(Number) as never,
    });
    const contentOf = async (hash: string) => (await history.content(hash))?.toString() ?? null;
    const idsOf = async (sourceId: string) =>
      (await history.versions(sourceId, { limit: 1000 })).map(({ id }) => id);
    const run = (sourceId: string, n: number, change: Partial<CheckRun> = {}): CheckRun => ({
      sourceId,
      first: start + n * hour,
      last: start + n * hour + 1000,
      count: 2,
      outcome: "same",
      reason: "Nothing differs.",
      tookMs: 12,
      ...change,
    });

    test("versions come back as they were, newest first, each with its content", async () => {
      const first = version("s", 1, page(1), { outcome: "first" });
      const second = version("s", 2, page(2), {
        eventId: "e2",
        eventAt: 7,
        picture: "p",
        added: 2,
        removed: 1,
      });
      expect(await history.add([first, second])).toEqual([{ id: first.id }, { id: second.id, eventAt: 7 }]);
      await history.add([version("other", 3, page(3))]);
      expect(await history.versions("s", { limit: 9 })).toEqual([kept(second), kept(first)]);
      expect(await history.version("s", second.id)).toEqual(kept(second));
      expect(await history.version("other", second.id)).toBeNull();
      expect([await contentOf(first.hash), await contentOf(second.hash)]).toEqual([page(1), page(2)]);
      expect(await history.content("0".repeat(64))).toBeNull();
      expect(await history.versions("nobody", { limit: 9 })).toEqual([]);
    });

    test("lists by ids, items, outcomes and limits", async () => {
      const all = [0, 1, 2, 3, 4].map(n =>
        version("s", n, page(n), { item: n % 2 ? "odd" : "even", outcome: n === 2 ? "held" : "changed" }),
      );
      await history.add(all);
      const [a, b, c, d, e] = all.map(({ id }) => id);
      const list = async (wanted: object) =>
        (await history.versions("s", { limit: 9, ...wanted })).map(({ id }) => id);
      expect(await list({ before: d })).toEqual([c, b, a]);
      expect(await list({ after: b })).toEqual([e, d, c]);
      expect(await list({ after: a, before: d })).toEqual([c, b]);
      expect(await list({ item: "odd" })).toEqual([d, b]);
      expect(await list({ outcomes: ["held"] })).toEqual([c]);
      expect(await list({ limit: 2 })).toEqual([e, d]);
      expect(await list({ after: a, limit: 2, oldestFirst: true })).toEqual([b, c]);
    });

    test("a hundred versions of a page take little, and each can be read", async () => {
      const all = Array.from({ length: 100 }, (_, n) => version("s", n, page(n)));
      await history.add(all);
      for (const { hash, content } of all) expect((await history.content(hash))?.equals(content)).toBe(true);
      const { versions, bytes } = await history.size("s");
      expect(versions).toBe(100);
      expect([...(await history.bytesOf(["s", "nobody"]))]).toEqual([["s", bytes]]);
      expect(bytes).toBeLessThan(100 * 900);
    });

    test("what was there at a time is the newest version that is not younger", async () => {
      const all = [1, 2, 3].map(n => version("s", n, page(n)));
      const item = version("s", 2.5, "item", { item: "i" });
      await history.add([...all, item]);
      const at = async (n: number, of?: string) =>
        (await history.versionAt("s", start + n * hour, of))?.id ?? null;
      expect(await at(0.999)).toBeNull();
      expect(await at(1)).toBe(all[0]?.id);
      expect(await at(1.999)).toBe(all[0]?.id);
      expect(await at(2)).toBe(all[1]?.id);
      expect(await at(2.9)).toBe(item.id);
      expect(await at(99)).toBe(all[2]?.id);
      expect([await at(2, "i"), await at(3, "i")]).toEqual([null, item.id]);
      expect(await history.versionAt("nobody", start)).toBeNull();
    });

    test("a repeated version adds nothing, also under another id; what is said of it is replaced", async () => {
      const [first, second] = [
        version("s", 1, page(1)),
        version("s", 2, page(2), { eventId: "e", eventAt: 7 }),
      ];
      await history.add([first, second]);
      await history.add([second]);
      const again = version("s", 3, page(2), { eventId: "e", eventAt: 8, reason: "Told again." });
      expect(await history.add([again])).toEqual([{ id: second.id, eventAt: 7 }]);
      expect(await history.versions("s", { limit: 9 })).toEqual([
        kept({ ...second, title: "Title 3", reason: "Told again." }),
        kept(first),
      ]);
      await history.add([version("s", 4, page(2), { outcome: "same", reason: "Nothing." })]);
      expect((await history.version("s", second.id))?.eventId).toBe("e");
      const back = version("s", 5, page(1));
      expect(await history.add([back])).toEqual([{ id: back.id }]);
      expect(await idsOf("s")).toEqual([back.id, second.id, first.id]);
    });

    test("a later check may decide anew about a version; its event keeps its time", async () => {
      const [first, held] = [version("s", 1, page(1)), version("s", 2, page(2), { outcome: "held" })];
      await history.add([first, held]);
      const said = {
        outcome: "changed" as const,
        reason: "1 line added.",
        eventId: "e",
        eventAt: 5,
        added: 1,
      };
      expect(await history.restate("s", held.id, said)).toEqual({ id: held.id, eventAt: 5 });
      expect(await history.restate("s", held.id, { ...said, eventAt: 6 })).toEqual({
        id: held.id,
        eventAt: 5,
      });
      expect(await history.version("s", held.id)).toEqual(kept({ ...held, ...said }));
      expect(await history.restate("s", first.id, { outcome: "muted", reason: "Noise." })).toEqual({
        id: first.id,
      });
      expect(await history.version("s", first.id)).toEqual(
        kept({ ...first, outcome: "muted", reason: "Noise." }),
      );
      expect((await history.versions("s", { hash: first.hash, limit: 9 })).map(({ id }) => id)).toEqual([
        first.id,
      ]);
    });

    test("two nodes that write the same content at once keep it once, and both can read it", async () => {
      const pairs = Array.from(
        { length: 20 },
        (_, n) => [version("a", n, page(n)), version("b", n, page(n))] as const,
      );
      await Promise.all(pairs.flatMap(([a, b]) => [driver.history.add([a]), driver.other.add([b])]));
      for (const [{ hash, content }] of pairs)
        expect((await driver.other.content(hash))?.equals(content)).toBe(true);
      await history.erase("a");
      for (const [{ hash, content }] of pairs)
        expect((await history.content(hash))?.equals(content)).toBe(true);
      await history.erase("b");
      await emptied();
      for (const [{ hash }] of pairs) expect(await history.content(hash)).toBeNull();
    });

    test("a large content comes back, and goes", async () => {
      const text = Array.from({ length: 3000 }, (_, n) =>
        createHash("sha512").update(`${n}`).digest("hex"),
      ).join("\n");
      const [large, next] = [version("s", 1, text), version("s", 2, `${text}\nmore`)];
      await history.add([large, next]);
      expect([await contentOf(large.hash), await contentOf(next.hash)]).toEqual([text, `${text}\nmore`]);
      await history.erase("s", start + 2 * hour);
      expect(await contentOf(next.hash)).toBe(`${text}\nmore`);
      await history.erase("s");
      await emptied();
      expect([await contentOf(large.hash), await contentOf(next.hash)]).toEqual([null, null]);
    });

    /** What a driver removes later, once no other process can be writing it, is gone. */
    async function emptied() {
      driver.advance(24 * hour);
      await history.sweep();
    }

    test("erasure leaves what others need, whole, and nothing else", async () => {
      const all = Array.from({ length: 40 }, (_, n) => version("s", n, page(n)));
      await history.add(all);
      await history.add([version("t", 10, page(10)), version("t", 30, page(30))]);
      await history.addChecks([run("s", 1), run("s", 2), run("t", 1)]);
      await history.addValues([{ sourceId: "s", field: "value", value: 1, first: start, last: start }]);
      await history.erase("s");
      await emptied();
      expect(await idsOf("s")).toEqual([]);
      expect(await history.checks("s", { limit: 9 })).toEqual([]);
      expect(await history.values("s", { limit: 9 })).toEqual([]);
      expect(await history.sourceIds("", 9)).toEqual(["t"]);
      for (const [n, { hash }] of all.entries())
        expect(await contentOf(hash)).toBe(n === 10 || n === 30 ? page(n) : null);
      expect(await history.checks("t", { limit: 9 })).toHaveLength(1);
      await history.erase("t");
      await history.erase("nobody");
      expect(await history.sourceIds("", 9)).toEqual([]);
    });

    test("erasure up to a time leaves the version that was there then, and what followed", async () => {
      const all = [1, 2, 3, 4].map(n => version("s", n, page(n)));
      await history.add(all);
      await history.addChecks([run("s", 1), run("s", 2), run("s", 3)]);
      await history.addValues(
        [1, 2, 3].map(n => ({
          sourceId: "s",
          field: "value",
          value: n,
          first: start + n * hour,
          last: start + n * hour + 1,
        })),
      );
      await history.erase("s", start + 2.5 * hour);
      await emptied();
      expect(await idsOf("s")).toEqual(
        all
          .slice(1)
          .map(({ id }) => id)
          .reverse(),
      );
      expect(await Promise.all(all.map(({ hash }) => contentOf(hash)))).toEqual([
        null,
        page(2),
        page(3),
        page(4),
      ]);
      expect(await history.checks("s", { limit: 9 })).toEqual([run("s", 3)]);
      expect(await history.values("s", { limit: 9 })).toHaveLength(1);
      await history.erase("s", start + 99 * hour);
      expect(await idsOf("s")).toEqual([all[3]?.id]);
    });

    test("erasure up to a time leaves what was seen at that time", async () => {
      const [before, then] = [start - 1, start];
      const at = (time: number) => ({ first: time, last: time });
      await history.addChecks([run("s", 0, at(before)), run("s", 0, at(then))]);
      const value = { sourceId: "s", field: "value" };
      await history.addValues([
        { ...value, value: 1, ...at(before) },
        { ...value, value: 2, ...at(then) },
      ]);
      await history.erase("s", then);
      expect(await history.checks("s", { limit: 9 })).toEqual([run("s", 0, at(then))]);
      expect(await history.values("s", { limit: 9 })).toEqual([{ ...value, value: 2, ...at(then) }]);
    });

    test("erasure up to a time leaves what each item of a feed said then", async () => {
      const item = (n: number, id: string) => version("s", n, page(n), { item: id });
      const [one, other, newer, last] = [item(1, "a"), item(2, "b"), item(3, "b"), item(9, "c")];
      await history.add([one, other, newer, last]);
      await history.erase("s", start + 5 * hour);
      expect(await idsOf("s")).toEqual([last.id, newer.id, one.id]);
    });

    test("retention removes by age, number and bytes; never the newest, nor what an event was made of", async () => {
      const all = Array.from({ length: 10 }, (_, n) => version("s", n, page(n), { eventId: `e${n}` }));
      await history.add(all);
      await history.addChecks([run("s", 1), run("s", 8)]);
      const left = async () =>
        (await history.versions("s", { limit: 99 })).map(({ eventId }) => eventId).reverse();
      expect(await history.prune("s", forEver)).toBe(0);
      const keep = { ...forEver, before: start + 9 * hour, eventsFrom: start + 6 * hour };
      expect(await history.prune("s", keep)).toBe(5);
      expect(await left()).toEqual(["e5", "e6", "e7", "e8", "e9"]);
      expect(await history.checks("s", { limit: 9 })).toEqual([]);
      expect(await history.prune("s", { ...forEver, versions: 4 })).toBe(1);
      expect(await left()).toEqual(["e6", "e7", "e8", "e9"]);
      expect(await history.prune("s", { ...forEver, bytes: 1 })).toBe(3);
      expect(await left()).toEqual(["e9"]);
      expect(await history.prune("s", { ...forEver, before: start + 99 * hour, versions: 0, bytes: 0 })).toBe(
        0,
      );
      await emptied();
      for (const [n, { hash }] of all.entries()) expect(await contentOf(hash)).toBe(n === 9 ? page(9) : null);
    });

    test("what items of a feed said when the first key began stays, until a newer version of theirs is over", async () => {
      const item = (n: number, id: string) => version("s", n, page(n), { item: id });
      const [one, other, newer, last] = [item(1, "a"), item(2, "b"), item(3, "b"), item(9, "c")];
      await history.add([one, other, newer, last]);
      expect(await history.prune("s", { ...forEver, readsFrom: start + 5 * hour })).toBe(1);
      expect(await idsOf("s")).toEqual([last.id, newer.id, one.id]);
      // An item that a feed has dropped goes by its age.
      expect(await history.prune("s", { ...forEver, before: start + 2 * hour })).toBe(1);
      expect(await idsOf("s")).toEqual([last.id, newer.id]);
    });

    test("what an event was compared with stays as long as the event, and an event lives from when it was made", async () => {
      const late = version("late", 4, page(4), { eventId: "e", eventAt: start + 90 * hour });
      await history.add([version("late", 3, page(3)), late, version("late", 5, page(5))]);
      const keep = { ...forEver, versions: 1, eventsFrom: start + 50 * hour };
      expect(await history.prune("late", keep)).toBe(0);
      expect(await history.prune("late", { ...keep, eventsFrom: start + 91 * hour })).toBe(2);

      const [told, ...rested] = [1, 2, 3].map(n => version("s", n, page(n), { outcome: "muted" }));
      const made = { eventId: "f", eventAt: start + 60 * hour, previousId: told?.id as string };
      await history.add([told as NewVersion, ...rested, version("s", 60, page(60), made)]);
      expect((await history.versions("s", { limit: 1 }))[0]?.previousId).toBe(told?.id);
      expect(await history.prune("s", keep)).toBe(2);
      expect((await idsOf("s")).at(-1)).toBe(told?.id);
    });

    test("words and runs count, and are the first to go beyond the bytes, the oldest before the others", async () => {
      const said = (n: number) => `all words of day${n} ${"and many more ".repeat(200)}`;
      const all = [1, 2, 3].map(n => version("s", n, page(n), { words: said(n) }));
      await history.add(all);
      const alone = (await history.size("s")).bytes;
      expect(alone).toBeGreaterThan(3 * said(1).length);
      await history.addChecks(Array.from({ length: 40 }, (_, n) => run("s", n)));
      const value = { sourceId: "s", field: "value", value: 1, last: start + 99 * hour };
      await history.addValues(Array.from({ length: 40 }, (_, n) => ({ ...value, first: start + n * hour })));
      const { bytes } = await history.size("s");
      expect(bytes).toBeGreaterThanOrEqual(alone + 80 * 50);
      const found = async (n: number) => {
        const query = {
          wanted: [{ words: [`day${n}`], isPrefix: false }],
          unwanted: [],
          sources: [],
          tags: [],
        };
        return (await history.search(query, [{ sourceId: "s", from: 0 }], { limit: 9 })).length;
      };
      const left = async () => [
        (await history.versions("s", { limit: 99 })).length,
        (await history.values("s", { limit: 99 })).length,
        (await history.checks("s", { limit: 99 })).length,
        await found(3),
      ];
      await history.prune("s", { ...forEver, versions: 99, bytes });
      expect(await left()).toEqual([3, 40, 40, 1]);
      expect(await history.prune("s", { ...forEver, bytes: 1 + bytes - bytes / 2 })).toBe(0);
      expect((await history.size("s")).bytes).toBeLessThanOrEqual(1 + bytes / 2);
      expect((await left()).slice(1)).not.toEqual([40, 40, 1]);
      await history.prune("s", { ...forEver, bytes: 1 });
      expect(await left()).toEqual([1, 0, 0, 0]);
      await history.erase("s");
      expect(await history.size("s")).toEqual({ versions: 0, bytes: 0 });
    });

    test("a large source is erased a part at a time", async () => {
      await history.add([version("s", 1, page(1))]);
      await history.addChecks(Array.from({ length: 20_001 }, (_, n) => run("s", n)));
      expect(await history.erase("s")).toBe(false);
      expect(await idsOf("s")).toEqual([]);
      const left = (await history.checks("s", { limit: 99_999 })).length;
      expect(left).toBeGreaterThan(0);
      while (!(await history.erase("s")));
      expect(await history.sourceIds("", 9)).toEqual([]);
    });

    test("items of a feed age one by one", async () => {
      const item = (n: number, of: string) => version("s", n, `${of} ${n}`, { item: of });
      await history.add([item(1, "a"), item(2, "b"), item(3, "a"), item(4, "c")]);
      expect(await history.prune("s", { ...forEver, before: start + 2.5 * hour })).toBe(1);
      expect((await history.versions("s", { limit: 9 })).map(({ item }) => item)).toEqual(["c", "a", "a"]);
      expect(await history.prune("s", { ...forEver, before: start + 9 * hour })).toBe(2);
    });

    test("what was packed against a version that went can be read", async () => {
      const all = Array.from({ length: 80 }, (_, n) => version("s", n, page(n), { eventId: `e${n}` }));
      await history.add(all);
      for (let n = 0; n < 70; n += 7)
        await history.prune("s", {
          ...forEver,
          before: start + (n + 7) * hour,
          eventsFrom: start + (n + 6) * hour,
        });
      await emptied();
      const left = await history.versions("s", { limit: 99 });
      expect(left.length).toBe(12);
      for (const { hash, at } of left) expect(await contentOf(hash)).toBe(page((at - start) / hour));
    });

    test("a source adopts a span of the past of another one", async () => {
      const old = [1, 2, 3, 4, 5].map(n => version("old", n, page(n)));
      await history.add(old);
      await history.addChecks([run("old", 1), run("old", 3), run("old", 5)]);
      await history.addValues([
        { sourceId: "old", field: "value", value: 1, first: start, last: start + 3 * hour },
      ]);
      const own = version("new", 4.5, page(9), { outcome: "first" });
      await history.add([own]);
      await history.addChecks([run("new", 4.5)]);
      const until = start + 4.5 * hour;
      await history.adopt("old", "new", { since: start + 2.5 * hour, until });
      await history.adopt("old", "new", { since: start + 2.5 * hour, until });
      await history.adopt("nobody", "new", { since: start, until });
      const wanted = [own, ...old.slice(1, 4).reverse()].map(({ id }) => id);
      expect(await idsOf("new")).toEqual(wanted);
      expect((await history.checks("new", { limit: 9 })).map(({ first }) => (first - start) / hour)).toEqual([
        4.5, 3,
      ]);
      expect(await history.values("new", { limit: 9 })).toHaveLength(1);
      await history.erase("old");
      await emptied();
      for (const n of [2, 3, 4]) expect(await contentOf(version("x", 0, page(n)).hash)).toBe(page(n));
      expect(await contentOf(version("x", 0, page(1)).hash)).toBeNull();
    });

    test("a long past is adopted while other work runs, and a repeat after a crash copies the words, too", async () => {
      const all = Array.from({ length: 60 }, (_, n) =>
        version("old", n, `page ${n}`, { words: `zebra number ${n}` }),
      );
      await history.add(all);
      // A crash has left versions whose words were not copied.
      await history.add(all.slice(20, 30).map(each => ({ ...each, sourceId: "new", words: "" })));
      let turns = 0;
      const count = () => {
        turns += 1;
        again = setImmediate(count);
      };
      let again = setImmediate(count);
      await history.adopt("old", "new", { since: start, until: start + 100 * hour });
      clearImmediate(again);
      expect(turns).toBeGreaterThan(3);
      expect(await history.versions("new", { limit: 99 })).toHaveLength(60);
      const zebras = { wanted: [{ words: ["zebra"], isPrefix: false }], unwanted: [], sources: [], tags: [] };
      const found = await history.search(zebras, [{ sourceId: "new", from: 0 }], { limit: 99 });
      expect(found).toHaveLength(60);
    });

    test("a version sorts after the newest one also where the clock was set back", async () => {
      await history.add([version("s", 5, page(5))]);
      const [kept] = await history.add([version("s", 1, page(1))]);
      const [newest] = await history.versions("s", { limit: 1 });
      expect(newest).toMatchObject({ id: kept?.id, at: start + 5 * hour + 1 });
    });

    test("runs of checks are written over, newest first", async () => {
      const whole = run("s", 2, {
        status: 304,
        engine: "http",
        versionId: "v",
        eventId: "e",
        eventAt: 3,
        outcome: "changed",
      });
      await history.addChecks([run("s", 1), whole, run("s", 3), run("t", 4)]);
      await history.addChecks([run("s", 3, { count: 7, last: start + 9 * hour })]);
      const last = run("s", 3, { count: 7, last: start + 9 * hour });
      expect(await history.checks("s", { limit: 9 })).toEqual([last, whole, run("s", 1)]);
      expect(await history.checks("s", { limit: 1 })).toEqual([last]);
      expect(await history.checks("s", { limit: 9, before: whole.first })).toEqual([run("s", 1)]);
    });

    test("values of every kind are read by field and time, oldest first", async () => {
      const value = (field: string, n: number, of: string | number | boolean | null, until = n) => ({
        sourceId: "s",
        field,
        value: of,
        first: start + n * hour,
        last: start + until * hour,
      });
      const all = [
        value("a.$b", 1, "x"),
        value("price", 2, 149.5, 4),
        value("price", 5, null),
        value("on", 6, true),
      ];
      await history.addValues(all);
      await history.addValues([value("price", 5, null, 8)]);
      const read = (wanted: object) => history.values("s", { limit: 9, ...wanted });
      const changed = [...all.slice(0, 2), value("price", 5, null, 8), value("on", 6, true)];
      expect(await read({})).toEqual(changed);
      expect(await read({ field: "price" })).toEqual(changed.slice(1, 3));
      expect(await read({ from: start + 4 * hour, to: start + 6 * hour })).toEqual(changed.slice(1, 3));
      expect(await read({ limit: 1 })).toEqual(changed.slice(0, 1));
      expect(await read({ limit: 2, newest: true })).toEqual(changed.slice(2));
    });

    test("of a simulated month every time is exact, and a version takes less than 1 KB", async () => {
      const year = await simulateYear(history, { pages: 6, days: 90, checksADay: 24, looks: 20 });
      expect(year.wrong).toEqual([]);
      expect(year.versions).toBeGreaterThan(40);
      // A quarter of a year: the first versions, which are whole, weigh more than in a year.
      expect(year.bytes / year.versions).toBeLessThan(2048);
    });

    test("versions that are written while a source is erased are whole or gone", async () => {
      const all = Array.from({ length: 30 }, (_, n) => version("s", n, page(n)));
      await history.add(all);
      const writing = (async () => {
        for (const [n] of all.entries())
          await driver.other.add([version("t", n, page(n)), version("s", 100 + n, page(n))]);
      })();
      for (let n = 0; n < 5; n += 1) await history.erase("s");
      await writing;
      await emptied();
      for (const id of ["s", "t"])
        for (const { hash } of await history.versions(id, { limit: 99 }))
          expect(await contentOf(hash)).not.toBeNull();
      expect(await idsOf("t")).toHaveLength(30);
    });
  });
}
