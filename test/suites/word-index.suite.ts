import type { IndexedText, WordIndex } from "../../mixins/history/word-index.ts";
import { meets } from "../../services/domain/history/passage.ts";
import { readQuery, type SearchQuery, segmented } from "../../services/domain/history/search-query.ts";

export interface OpenedIndex {
  index: WordIndex;
  close(): Promise<void>;
}

/** What both drivers of the index of words do. */
export function wordIndexSuite(name: string, open: () => Promise<OpenedIndex>): void {
  describe(`index of words: ${name}`, () => {
    let opened: OpenedIndex;
    let index: WordIndex;
    beforeEach(async () => {
      opened = await open();
      index = opened.index;
    });
    afterEach(() => opened.close());

    const everything = [{ sourceId: "a", from: 0 }];
    const ids = async (
      query: string,
      scopes = everything,
      page: Partial<Parameters<WordIndex["find"]>[2]> = {},
    ) => (await index.find(read(query), scopes, { limit: 100, ...page })).map(({ id }) => id);

    test.each([
      ["a word, in any case and without its accents", "ETE", ["beach"]],
      ["all of several words", "the lamp", ["sale", "lamp"]],
      ["a phrase", '"desk lamp"', ["lamp"]],
      ["no phrase in another order", '"lamp desk"', []],
      ["a beginning", "stor*", ["storm"]],
      ["no beginning where none is asked for", "stor", []],
      ["a beginning within a phrase is none", '"the stor*"', []],
      ["words without another one", "the lamp -sale", ["lamp"]],
      ["words without a phrase", 'lamp -"desk lamp"', ["sale"]],
      ["words without a beginning", "the -la*", ["storm"]],
      ["a part of a Japanese text", "東京", ["tokyo"]],
      ["not the characters in another order", "京東", []],
      ["two parts of it", "天気 東京", ["tokyo"]],
      ["Korean without its ending", "서울", ["seoul"]],
      ["Thai", "กรุงเทพ", ["bangkok"]],
      ["what is written in full width", "ＤＥＳＫ", ["lamp"]],
      ["a number with separators, as its parts", '"1.299"', ["sale"]],
      ["words that are operators of a store", "NOT", ["storm"]],
      ["operators in quotes", '"OR AND"', []],
      ["signs of an expression alone are none", "la.p", []],
    ])("%s: %s", async (_, query, expected) => {
      await index.put(texts);
      expect(await ids(query)).toEqual(expected);
    });

    test("only sources that are asked for, each from its time on", async () => {
      await index.put([
        text("old", 10, "lamp"),
        text("new", 20, "lamp"),
        text("other", 30, "lamp", { sourceId: "b" }),
      ]);
      expect(await ids("lamp")).toEqual(["new", "old"]);
      expect(
        await ids("lamp", [
          { sourceId: "a", from: 11 },
          { sourceId: "b", from: 0 },
        ]),
      ).toEqual(["other", "new"]);
      expect(await ids("lamp", [{ sourceId: "c", from: 0 }])).toEqual([]);
      expect(await ids("lamp", [])).toEqual([]);
    });

    test("only within the times that are asked for", async () => {
      const at = (day: string) => Date.parse(day);
      await index.put([text("may", at("2026-05-05"), "lamp"), text("june", at("2026-06-05"), "lamp")]);
      expect(await ids("lamp after:2026-06-01")).toEqual(["june"]);
      expect(await ids("lamp before:2026-06-05")).toEqual(["may"]);
      expect(await ids("lamp after:2026-05-05 before:2026-06-05")).toEqual(["may"]);
    });

    test("pages, newest first, also of texts of one time", async () => {
      await index.put(Array.from({ length: 9 }, (_, n) => text(`t${n}`, Math.floor(n / 3), "lamp")));
      const whole = await index.find(read("lamp"), everything, { limit: 100 });
      expect(whole.map(({ id }) => id)).toEqual(["t8", "t7", "t6", "t5", "t4", "t3", "t2", "t1", "t0"]);
      const pages: string[] = [];
      for (let after: IndexedText | undefined; ; ) {
        const page = await index.find(read("lamp"), everything, { limit: 2, ...(after && { after }) });
        pages.push(...page.map(({ id }) => id));
        after = page.at(-1);
        if (after === undefined) break;
      }
      expect(pages).toEqual(whole.map(({ id }) => id));
    });

    test("what comes again is replaced, and is found by its new words alone", async () => {
      await index.put([text("one", 1, "red lamp")]);
      await index.put([text("one", 1, "blue lamp", { url: "https://example.com/" })]);
      expect(await ids("red")).toEqual([]);
      expect(await index.find(read("blue"), everything, { limit: 5 })).toEqual([
        text("one", 1, "blue lamp", { url: "https://example.com/" }),
      ]);
      await index.put([text("one", 1, "…")]);
      expect(await ids("blue")).toEqual([]);
    });

    test("an event that comes again keeps its time", async () => {
      await index.putNew([text("post", 1, "red lamp", { kind: "event" })]);
      await index.putNew([
        text("post", 2, "red lamp", { kind: "event" }),
        text("next", 3, "lamp", { kind: "event" }),
      ]);
      const found = await index.find(read("lamp"), everything, { limit: 5 });
      expect(found.map(({ id, at }) => [id, at])).toEqual([
        ["next", 3],
        ["post", 1],
      ]);
    });

    test("what is removed is not found", async () => {
      await index.put([
        text("one", 1, "lamp"),
        text("two", 2, "lamp"),
        text("one", 1, "lamp", { sourceId: "b" }),
      ]);
      await index.remove("a", ["one", "unknown"]);
      const both = [...everything, { sourceId: "b", from: 0 }];
      expect(await ids("lamp", both)).toEqual(["two", "one"]);
      expect(await index.removeSome("a", 99)).toBeGreaterThan(0);
      expect(await ids("lamp", both)).toEqual(["one"]);
      await index.removeSome("b", 99);
      expect(await ids("lamp", both)).toEqual([]);
    });

    test("a source takes over versions of another one", async () => {
      await index.put([
        text("one", 1, "lamp"),
        text("two", 2, "lamp"),
        text("post", 3, "lamp", { kind: "event" }),
      ]);
      await index.copy("a", "b", ["two", "post"]);
      await index.copy("a", "b", ["two"]);
      expect(await ids("lamp", [{ sourceId: "b", from: 0 }])).toEqual(["two"]);
      expect(await ids("lamp")).toEqual(["post", "two", "one"]);
    });

    test("old events go, and no versions", async () => {
      const event = { kind: "event" } as const;
      await index.put([text("v", 1, "lamp"), ...[1, 2, 3].map(at => text(`e${at}`, at, "lamp", event))]);
      expect(await index.removeEvents(3, 1)).toBe(1);
      expect(await index.removeEvents(3, 10)).toBe(1);
      expect(await index.removeEvents(3, 10)).toBe(0);
      expect(await ids("lamp")).toEqual(["e3", "v"]);
    });

    test("long texts are found by their beginning", async () => {
      await index.put([text("long", 1, `first ${"word ".repeat(10_000)} last`)]);
      expect([await ids("first"), await ids("last")]).toEqual([["long"], []]);
    });

    test("random texts and queries: what is found is what meets the query", async () => {
      const random = seeded(7);
      const words = ["ab", "abc", "b", "bc", "東", "京", "c", "ca"];
      const some = (count: number) =>
        Array.from({ length: count }, () => words[Math.floor(random() * words.length)]);
      const all = Array.from({ length: 80 }, (_, n) =>
        text(`r${String(n).padStart(2, "0")}`, n, some(6).join(" ")),
      );
      await index.put(all);
      for (let n = 0; n < 60; n += 1) {
        const [first, second, third] = some(3);
        const query = read(
          [`${first}${n % 3 === 0 ? "*" : ""}`, `"${first} ${second}"`, `${second} -${third}`][n % 3] ?? "",
        );
        const expected = all.filter(each => meets(segmented(each.text), query)).map(({ id }) => id);
        const found = await index.find(query, everything, { limit: 100 });
        expect([query, found.map(({ id }) => id)]).toEqual([query, expected.reverse()]);
      }
    });
  });
}

function read(query: string): SearchQuery {
  const parsed = readQuery(query);
  if ("error" in parsed) throw new Error(parsed.error);
  return parsed;
}

function text(id: string, at: number, words: string, more: Partial<IndexedText> = {}): IndexedText {
  return { id, kind: "version", sourceId: "a", at, title: "A title", text: words, ...more };
}

const texts = [
  text("lamp", 1, "The Desk Lamp is in stock"),
  text("storm", 2, "Closed because of the storm: not open today"),
  text("beach", 3, "L’Été à la plage, the sun"),
  text("tokyo", 4, "今日の東京都の天気は晴れです。"),
  text("seoul", 5, "서울의 날씨는 맑음"),
  text("bangkok", 6, "อากาศในกรุงเทพมหานครวันนี้"),
  text("sale", 7, "A lamp on sale, the price is 1.299 €"),
];

/** Numbers from 0 to below 1, the same for a seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
