import { object } from "../../../../reader/test/recipe/goldens.ts";
import { checkValues } from "../../../../services/scraper/extract/check-values.ts";

const text = `# Oak Table
**Price:** $1,249.90 · Made of *solid* oak.
> “The varnish peeled off”, said Ann, on 3 May 2026.
It has three drawers, two dozen screws and is 12 inches deep, in red, green and blue. There are no reviews yet, says a note of the shop.
[Buy](https://shop.example/buy?id=1)`;
const check = (values: unknown, quotes: unknown = {}, schema?: Record<string, unknown>) =>
  checkValues({ values, quotes }, text, schema);

test.each<[string, unknown, unknown]>([
  ["words of the page", { a: "Oak Table" }, {}],
  [
    "words across marks, in another case and with other spaces",
    { a: "price: $1,249.90 ·  made of solid OAK" },
    {},
  ],
  ["other kinds of quotes", { a: '"The varnish peeled off"' }, {}],
  ["a number of the page", { a: 1249.9 }, {}],
  ["the end of a number's words", { a: "3 May" }, {}],
  ["an address", { a: "https://shop.example/buy?id=1" }, {}],
  ["a translation with its quote", { a: "Eichentisch" }, { a: "Oak Table" }],
  ["a date in another form", { a: "2026-05-03" }, { a: "3 May 2026" }],
  ["a quote by a pointer", { a: [{ b: "gut" }] }, { "/a/0/b": "solid oak" }],
  ["a quote by brackets", { a: [{ b: "gut" }] }, { "a[0].b": "solid oak" }],
  ["quotes nested as the values are", { a: [{ b: "gut" }] }, { a: [{ b: "solid oak" }] }],
  ["the quote of what it is in", { a: [{ b: "gut", c: 7 }] }, { "a.0": "$1,249.90 · made of solid oak" }],
  ["a translation of one word", { a: "Tisch" }, { a: "Table" }],
  ["a number in words", { a: 3, b: 24 }, { a: "three drawers", b: "two dozen screws" }],
  ["a number that is counted", { a: 3 }, { a: "red, green and blue" }],
  ["a number that is converted", { a: 30.48 }, { a: "12 inches" }],
  ["none of something, and one", { a: 0, b: 1 }, { a: "no reviews yet", b: "says a note of the shop" }],
  ["a value that is a short quote", { a: "3" }, { a: "3" }],
  ["a judgement", { a: true }, {}],
])("kept: %s", (_, values, quotes) => {
  expect(check(values, quotes)).toMatchObject({ ok: true, json: values, dropped: [] });
});

test.each<[string, unknown, unknown]>([
  ["a text that is nowhere", { a: "Elm Table" }, {}],
  ["a number that is nowhere", { a: 1250 }, {}],
  ["an invented quote", { a: "schlecht" }, { a: "it broke at once" }],
  ["a part of a word", { a: "able" }, {}],
  ["a part of a number", { a: "249" }, {}],
  ["a quote that any page has", { a: "schlecht" }, { a: "3" }],
  ["an empty quote", { a: "schlecht" }, { a: " *_ " }],
  ["a text of several words by one word", { a: "Nonsense Title" }, { a: "the" }],
  ["a text by words that say nothing", { a: "Nonsense" }, { a: "of the" }],
  ["a number by words without one", { a: 77777.5 }, { a: "solid oak" }],
  ["a number as a text by words without one", { a: "77,777.50 €" }, { a: "solid oak" }],
  ["a number by an article", { a: 77777.5 }, { a: "a note of the shop" }],
  ["a wrong count", { a: 4 }, { a: "red, green and blue" }],
  ["the quote of another value", { a: "schlecht" }, { b: "solid oak" }],
])("left out: %s", (_, values, quotes) => {
  expect(check({ ...Object(values), kept: "Oak Table" }, quotes)).toMatchObject({
    ok: true,
    json: { kept: "Oak Table" },
    dropped: ["a"],
  });
});

test("a quote of a list founds nothing in it", () => {
  const values = { kept: "Oak Table", items: [{ title: "Nonsense Title", price: 77777.5, tags: ["nice"] }] };
  for (const quote of ["the", "Price: $1,249.90 · Made of solid oak"])
    expect(check(values, { items: quote, "items.0.tags": quote })).toMatchObject({
      json: { kept: "Oak Table" },
      dropped: ["items.0.title", "items.0.price", "items.0.tags.0"],
      quotes: {},
    });
});

test("what the schema lists needs no quote, and what it does not name is not there", () => {
  const schema = {
    type: "object",
    properties: { mood: { enum: ["bad", "good"] }, part: object({ name: "string" }) },
  };
  const values = { mood: "bad", part: { name: "Oak Table", admin: true }, extra: "Oak Table" };
  expect(check(values, {}, schema)).toMatchObject({
    ok: true,
    json: { mood: "bad", part: { name: "Oak Table" } },
  });
});

test("names that change objects are not taken", () => {
  const values = JSON.parse('{"__proto__":{"a":true},"constructor":true,"b":true}');
  expect(check(values)).toMatchObject({ ok: true, json: { b: true } });
});

test("an entry without what is required is left out, and so is nothing else", () => {
  const item = { type: "array", items: { $ref: "#/$defs/row" } };
  const schema = {
    type: "object",
    properties: { rows: item },
    $defs: { row: object({ "name!": "string" }) },
  };
  const values = { rows: [{ name: "Oak Table" }, { name: "Invented" }] };
  expect(check(values, {}, schema)).toMatchObject({
    json: { rows: [{ name: "Oak Table" }] },
    dropped: ["rows.1.name"],
  });
});

test.each<[string, unknown, object, object]>([
  ["no object", "text", {}, { ok: false }],
  ["nothing", {}, {}, { ok: false, isEmpty: true }],
  ["nulls", { a: null, b: [] }, {}, { ok: false, isEmpty: true }],
  [
    "what does not fit",
    { price: true },
    object({ price: "number" }),
    { ok: false, reason: expect.stringMatching(/^price must be/) },
  ],
  [
    "a required value that rests on nothing",
    { price: 7 },
    object({ "price!": "number" }),
    { ok: false, reason: expect.stringMatching(/No words of the page were given for price/) },
  ],
])("refused: %s", (_, values, schema, result) => {
  expect(check(values, {}, schema as Record<string, unknown>)).toMatchObject(result);
});

test("deep and large answers end", () => {
  const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`);
  expect(check(deep).ok).toBe(false);
  expect(check({ a: Array(50_000).fill(true) })).toMatchObject({ ok: true });
});
