import { parseStructured } from "../../structured/parse-structured.ts";
import { readStructured } from "../../structured/read-structured.ts";
import { object } from "../recipe/goldens.ts";

const url = "https://api.example/v1/things";
const listOf = (properties: Parameters<typeof object>[0]) => ({ type: "array", items: object(properties) });
const withLists = (properties: Record<string, object>) => ({ type: "object", properties });

function read(type: string, text: string, wanted: { schema?: object; prompt?: string }) {
  const document = parseStructured(type, { text });
  return readStructured(document, url, wanted as Parameters<typeof readStructured>[2]);
}

function json(type: string, text: string, wanted: { schema?: object; prompt?: string }) {
  const found = read(type, text, wanted);
  if (!found.ok) throw new Error(found.reason);
  expect(found).not.toHaveProperty("recipe");
  return found.json;
}

const ofJson = (value: unknown, wanted: { schema?: object; prompt?: string }) =>
  json("application/json", JSON.stringify(value), wanted);

const product = {
  meta: { requestId: "r-1", name: "catalog" },
  data: {
    product: {
      id: 7,
      attributes: { name: "Oak Shelf", priceInfo: { amount: 49.9, currency: "EUR" }, in_stock: true },
      brand: { name: "Nordholz", url: "/brands/nordholz" },
      tags: ["oak", "shelf"],
      createdAt: 1_732_752_000,
      description: "<p>Made of <b>oak</b>.</p>",
    },
  },
};

test("exact keys win, at any depth", () => {
  const schema = object({ name: "string", price: "number", title: "string" });
  const value = { title: "B", other: { price: 1 }, item: { name: "A", title: "C", price: 2 } };
  expect(ofJson(value, { schema })).toEqual({ name: "A", title: "C", price: 2 });
});

test("properties are found by what they are called elsewhere, and read as the schema wants them", () => {
  const schema = withLists({
    ...Object(
      object({ brand: "string", in_stock: "boolean", currency: "string", description: "string" }).properties,
    ),
    date: { type: "string", format: "date" },
    keywords: { type: "array", items: { type: "string" } },
  });
  expect(ofJson(product, { schema })).toEqual({
    ...{ brand: "Nordholz", in_stock: true, currency: "EUR", description: "Made of oak." },
    ...{ date: "2024-11-28", keywords: ["oak", "shelf"] },
  });
});

test.each<[string, unknown, Record<string, string>, object]>([
  ["texts with units become numbers", { price: "$1,299.00" }, { price: "number" }, { price: 1299 }],
  [
    "camelCase is snake_case",
    { postedAt: "2026-05-03T10:00:00Z" },
    { posted_at: "string" },
    { posted_at: "2026-05-03T10:00:00Z" },
  ],
  [
    "an object stands for its name",
    { author: { id: 3, name: "Ann Lind" } },
    { author: "string" },
    { author: "Ann Lind" },
  ],
  [
    "a name of a part and a thing",
    { author: { id: 3, name: "Ann Lind" } },
    { author_name: "string" },
    { author_name: "Ann Lind" },
  ],
  [
    "several authors are one text",
    { authors: [{ name: "Ann" }, { name: "Bo" }] },
    { author: "string" },
    { author: "Ann, Bo" },
  ],
  ["an amount in an object", { pricing: { price: { value: 5 } } }, { price: "number" }, { price: 5 }],
  [
    "availability as linked data says it",
    { offers: { availability: "https://schema.org/InStock" } },
    { in_stock: "boolean" },
    { in_stock: true },
  ],
  ["stock as a count", { stock: 3 }, { in_stock: "boolean" }, { in_stock: true }],
  [
    "the name of an author is no title",
    { author: { name: "Ann" }, headline: "Rivers" },
    { title: "string" },
    { title: "Rivers" },
  ],
  ["addresses are absolute", { link: "/x" }, { url: "string" }, { url: "https://api.example/x" }],
])("%s", (_, value, properties, expected) => {
  expect(ofJson(value, { schema: object(properties) })).toEqual(expected);
});

describe("lists", () => {
  const items = Array.from({ length: 12 }, (_, n) => ({
    sku: `S-${n}`,
    label: `Shelf ${n}`,
    cost: { amount: n + 0.5 },
  }));

  test("are found where their entries have what is wanted, whatever their name", () => {
    const schema = withLists({ products: listOf({ name: "string", price: "number", sku: "string" }) });
    const found = ofJson({ page: 1, payload: { hits: items }, filters: [{ name: "size" }] }, { schema });
    expect(found.products).toHaveLength(12);
    expect((found.products as object[])[3]).toEqual({ name: "Shelf 3", price: 3.5, sku: "S-3" });
  });

  test("may be the whole document, lines, or an object by ids", () => {
    const schema = withLists({ items: listOf({ "sku!": "string" }) });
    const skus = { items: items.map(({ sku }) => ({ sku })) };
    expect(ofJson(items, { schema })).toEqual(skus);
    const lines = items.map(item => JSON.stringify(item)).join("\n");
    expect(json("application/x-ndjson", lines, { schema })).toEqual(skus);
    expect(ofJson(Object.fromEntries(items.map(item => [item.sku, item])), { schema })).toEqual(skus);
  });

  test("in the entries of a list are one list", () => {
    const schema = withLists({ products: listOf({ "name!": "string" }) });
    const value = { shelves: [{ products: [{ name: "a" }, { name: "b" }] }, { products: [{ name: "c" }] }] };
    expect(ofJson(value, { schema })).toEqual({ products: [{ name: "a" }, { name: "b" }, { name: "c" }] });
  });

  test("of single values are plucked from entries", () => {
    const schema = withLists({ names: { type: "array", items: { type: "string" } } });
    expect(ofJson({ items: items.slice(0, 2) }, { schema })).toEqual({ names: ["Shelf 0", "Shelf 1"] });
  });

  test("leave out entries without what is required", () => {
    const schema = withLists({ items: listOf({ "sku!": "string" }) });
    expect(ofJson({ items: [{ sku: "a" }, { no: 1 }] }, { schema })).toEqual({ items: [{ sku: "a" }] });
  });

  test.each([
    ["prices and names", ["price", "name"]],
    ["price and name", ["price", "name"]],
    ["all products with sku and price", ["sku", "price"]],
    ["all labels with their price", ["label", "price"]],
  ])("answer the prompt %s", (prompt, names) => {
    const found = ofJson({ results: items }, { prompt });
    const [entries] = Object.values(found) as object[][];
    expect(entries).toHaveLength(12);
    expect(Object.keys(entries?.[0] ?? {}).sort()).toEqual(names.sort());
  });

  test("give no single values: which of the entries is meant, nobody knows", () => {
    expect(read("application/json", JSON.stringify(items), { schema: object({ sku: "string" }) }).ok).toBe(
      false,
    );
  });
});

describe("XML", () => {
  test("has properties by its elements and attributes, and lists where they repeat", () => {
    const xml = `<?xml version="1.0"?><c:catalog xmlns:c="urn:c" currency="EUR">
      <c:product sku="A-1"><c:name>Oak &amp; Elm</c:name><c:price unit="EUR">49.90</c:price></c:product>
      <c:product sku="A-2"><c:name>Pine</c:name><c:price unit="EUR">31.50</c:price></c:product></c:catalog>`;
    const schema = withLists({
      products: listOf({ sku: "string", name: "string", price: "number" }),
      currency: { type: "string" },
    });
    expect(json("application/xml", xml, { schema })).toEqual({
      products: [
        { sku: "A-1", name: "Oak & Elm", price: 49.9 },
        { sku: "A-2", name: "Pine", price: 31.5 },
      ],
      currency: "EUR",
    });
  });

  test("may have a list of one", () => {
    const schema = withLists({ products: listOf({ name: "string" }) });
    const xml = "<catalog><product><name>Oak</name></product></catalog>";
    expect(json("text/xml", xml, { schema })).toEqual({ products: [{ name: "Oak" }] });
  });

  test("expands nothing that it declares itself", () => {
    const bomb = `<!DOCTYPE b [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><b><name>&b;</name><price>5</price></b>`;
    const schema = object({ price: "number", name: "string" });
    const found = json("text/xml", bomb, { schema });
    expect(found.price).toBe(5);
    expect(String(found.name ?? "")).not.toContain("haha");
  });
});

describe("feeds", () => {
  const schema = withLists({
    posts: listOf({ "title!": "string", "url!": "string", author: "string", summary: "string" }),
    title: { type: "string" },
  });
  const dated = withLists({
    items: {
      type: "array",
      items: { type: "object", properties: { date: { type: "string", format: "date" } } },
    },
  });
  const rss = `<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/"><channel>
    <title>Rivers</title><link>https://rivers.example/</link>
    <item><title>Flood</title><media:title>Picture</media:title><link>https://rivers.example/1</link><dc:creator>Ann</dc:creator>
      <description>&lt;p&gt;Water &lt;b&gt;rose&lt;/b&gt;.&lt;/p&gt;</description><pubDate>Sun, 03 May 2026 10:00:00 GMT</pubDate></item>
    <item><title>Drought</title><link>https://rivers.example/2</link><dc:creator>Bo</dc:creator>
      <description>Water fell.</description><pubDate>Mon, 04 May 2026 10:00:00 GMT</pubDate></item></channel></rss>`;
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Rivers</title>
    <entry><title type="html">Flood</title><link rel="self" href="/feed/1"/><link rel="alternate" href="/1"/>
      <author><name>Ann</name></author><summary>Water rose.</summary><published>2026-05-03T10:00:00Z</published></entry>
    <entry><title>Drought</title><link href="/2"/><author><name>Bo</name></author><summary>Water fell.</summary>
      <published>2026-05-04T10:00:00Z</published></entry></feed>`;
  const jsonFeed = JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: "Rivers",
    items: [
      {
        url: "/1",
        title: "Flood",
        authors: [{ name: "Ann" }],
        summary: "Water rose.",
        date_published: "2026-05-03T10:00:00Z",
      },
      {
        url: "/2",
        title: "Drought",
        authors: [{ name: "Bo" }],
        summary: "Water fell.",
        date_published: "2026-05-04T10:00:00Z",
      },
    ],
  });

  test.each([
    ["RSS", "application/rss+xml", rss, "https://rivers.example"],
    ["Atom", "application/atom+xml", atom, "https://api.example"],
    ["JSON Feed", "application/feed+json", jsonFeed, "https://api.example"],
  ])("%s", (_, type, text, base) => {
    expect(json(type, text, { schema })).toEqual({
      title: "Rivers",
      posts: [
        { title: "Flood", url: `${base}/1`, author: "Ann", summary: "Water rose." },
        { title: "Drought", url: `${base}/2`, author: "Bo", summary: "Water fell." },
      ],
    });
    expect(json(type, text, { schema: dated })).toEqual({
      items: [{ date: "2026-05-03" }, { date: "2026-05-04" }],
    });
  });
});

test("rows of a table are objects by its head", () => {
  const html = `<table><thead><tr><th>Town</th><th>People</th><th></th></tr></thead>
    <tbody><tr><td>Upford</td><td>1,200</td><td>x</td></tr><tr><td>Lowford</td><td></td><td>y</td></tr></tbody></table>`;
  const document = parseStructured("text/csv", { html });
  const schema = withLists({ towns: listOf({ "town!": "string", people: "integer" }) });
  expect(readStructured(document, url, { schema })).toMatchObject({
    ok: true,
    json: { towns: [{ town: "Upford", people: 1200 }, { town: "Lowford" }] },
  });
});

describe("what cannot be answered says why", () => {
  const schema = object({ "boiling_point!": "number" });
  test.each<[string, string, { schema?: object; prompt?: string }, RegExp]>([
    ["nothing of it is there", '{"a":1}', { schema }, /Nothing that was asked for.* The schema requires `/],
    ["a prompt for more", '{"a":1}', { prompt: "Is it made of wood?" }, /found none of these here/],
    [
      "it does not fit",
      '{"price":5}',
      { schema: object({ price: "number", "boiling_point!": "number" }) },
      /does not fit the schema/,
    ],
  ])("%s", (_, text, wanted, reason) => {
    expect(read("application/json", text, wanted)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(reason),
    });
  });

  test("a recipe is for pages", () => {
    const recipe = { version: 1 as const, fields: { a: { selector: "a" } } };
    expect(readStructured({ a: 1 }, url, { recipe })).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/recipe/),
    });
  });
});

describe("hostile documents are bounded", () => {
  const schema = object({ price: "number", name: "string", brand: "string" });
  test.each<[string, string, () => string]>([
    ["a deep list", "application/json", () => "[".repeat(200_000) + "]".repeat(200_000)],
    ["a deep object", "application/json", () => `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
    [
      "many objects",
      "application/json",
      () => JSON.stringify(Array.from({ length: 200_000 }, (_, a) => ({ a }))),
    ],
    [
      "many keys",
      "application/json",
      () => JSON.stringify(Object.fromEntries(Array.from({ length: 300_000 }, (_, n) => [`k${n}`, n]))),
    ],
    ["deep elements", "application/xml", () => "<a>".repeat(200_000) + "</a>".repeat(200_000)],
    ["many elements", "application/xml", () => `<a>${"<b><c/></b>".repeat(400_000)}</a>`],
    ["no XML", "application/xml", () => "<<<>>>&&&"],
    ["no JSON", "application/json", () => "{".repeat(1000)],
  ])("%s", (_, type, text) => expect(read(type, text(), { schema }).ok).toBe(false));
});
