import { meets, passageOf } from "../../../../services/domain/history/passage.ts";
import { readQuery, type SearchQuery, segmented } from "../../../../services/domain/history/search-query.ts";

const query = (text: string) => {
  const read = readQuery(text);
  if ("error" in read) throw new Error(read.error);
  return read;
};

test("words, phrases, prefixes, exclusions and filters", () => {
  expect(
    query('lamp "Desk lamp" sta* -sold -"out of stock" source:web tag:Work after:2026-03-01 before:2026-04'),
  ).toEqual({
    wanted: [
      { words: ["lamp"], isPrefix: false },
      { words: ["desk", "lamp"], isPrefix: false },
      { words: ["sta"], isPrefix: true },
    ],
    unwanted: [
      { words: ["sold"], isPrefix: false },
      { words: ["out", "of", "stock"], isPrefix: false },
    ],
    sources: ["web"],
    tags: ["Work"],
    after: Date.parse("2026-03-01"),
    before: Date.parse("2026-04"),
  } satisfies SearchQuery);
});

test.each([
  ["-lamp", /at least one word/],
  ["source:web", /at least one word/],
  ["lamp after:yesterday", /`after:yesterday` is no day, such as `after:2026-03-01`/],
  ["lamp after:2026-13-45", /is no day/],
  ["lamp -tag:x", /filter cannot be excluded/],
  ["lamp tag:", /one word|needs a value/],
  [Array.from({ length: 21 }, (_, n) => `w${n}`).join(" "), /at most 20/],
])("%s is refused", (text, message) => {
  expect(readQuery(text)).toEqual({ error: expect.stringMatching(message) });
});

test.each([
  ["Größe ÉTÉ", ["große", "ete"]],
  ["it’s 1.299,00 €", ["it", "s", "1", "299", "00"]],
  ["東京の天気", ["東", "京", "の", "天", "気"]],
  ["ｶﾀｶﾅ ＡＢＣ", ["カ", "タ", "カ", "ナ", "abc"]],
  ["서울의", ["서", "울", "의"]],
  ["foo_bar data-driven", ["foo", "bar", "data", "driven"]],
])("the words of %s", (text, words) => expect(segmented(text)).toEqual(words));

test.each([
  ["a desk lamp for all", '"desk lamp"', true],
  ["a lamp for a desk", '"desk lamp"', false],
  ["in stock again", "sto*", true],
  ["in stock again", "sto", false],
  ["in stock again", "stock -again", false],
  ["今日は東京都で雨", "東京", true],
  ["京東は会社", "東京", false],
  ["Été à la plage", "ete", true],
])("%s: %s is %s", (text, sought, found) => {
  expect(meets(segmented(text), query(sought))).toBe(found);
});

test("a passage has the words around, marked", () => {
  const text = `${"before ".repeat(100)}the Desk Lamp is in stock ${"after ".repeat(100)}`;
  const passage = passageOf(text, query('"desk lamp" stock'));
  expect(passage).toMatch(/^… before .*the \*\*Desk Lamp\*\* is in \*\*stock\*\* after .* …$/);
  expect(passage.length).toBeLessThan(300);
});

test("a passage of a short text is all of it", () => {
  expect(passageOf("東京の天気", query("天気"))).toBe("東京の**天気**");
  expect(passageOf("nothing", query("other"))).toBe("nothing");
});
