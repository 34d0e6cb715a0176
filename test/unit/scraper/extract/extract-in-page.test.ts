import { condensePage } from "../../../../reader/recipe/condense-page.ts";
import { array, object, pageOf, pageUrl } from "../../../../reader/test/recipe/goldens.ts";
import { digestHtml } from "../../../../services/scraper/extract/digest-html.ts";
import { extractJson } from "../../../../services/scraper/extract/extract-in-page.ts";
import { sizeOf } from "../../../support/long-run.ts";

const schema = object({
  "title!": "string",
  "price!": "number",
  rows: array(object({ name: "string", price: "number" })),
});

function page(body: string): string {
  return `<html lang="en"><body>${body}</body></html>`;
}

test("the answer fits the schema and comes with its recipe, which works when it is sent back", () => {
  const wanted = { schema: object({ "title!": "string", "price!": "number" }) };
  const found = extractJson(pageOf("product-classes"), pageUrl, wanted);
  if (!found.ok) throw new Error(found.reason);
  expect(found.json).toEqual({ title: "Oak Shelf, 80 cm", price: 1049 });
  const again = extractJson(pageOf("product-classes-2"), pageUrl, { ...wanted, recipe: found.recipe });
  expect(again).toEqual({
    ok: true,
    json: { title: "Pine Shelf, 60 cm", price: 315.5 },
    recipe: found.recipe,
  });
});

test.each([
  ["a required property is not there", pageOf("article"), { schema }, /price/],
  ["an empty page", pageOf("empty"), { schema }, /found/],
  ["no page at all", "", { schema }, /found/],
  ["text alone", "just words", { prompt: "the price" }, /found/],
  [
    "a prompt that rules cannot answer",
    pageOf("article"),
    { prompt: "Summarise the page" },
    /asks for more\. Name the values in output\.json\.json_schema, or configure a language model/,
  ],
  [
    "a prompt without an answer",
    pageOf("article"),
    { prompt: "What does it cost?" },
    /found nothing .* answers the prompt\. Name the values in output\.json\.json_schema/,
  ],
  [
    "a recipe that selects nothing",
    pageOf("article"),
    { recipe: { version: 1 as const, fields: { a: { selector: ".x" } } } },
    /nothing/,
  ],
  [
    "a recipe against the schema",
    pageOf("article"),
    { schema, recipe: { version: 1 as const, fields: { title: { selector: "h1" } } } },
    /price/,
  ],
])("%s: a reason, never an empty object", (_, html, request, reason) => {
  expect(extractJson(html, pageUrl, request)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
});

test("a digest finds JSON in what its other formats leave out, and its other formats are the same", () => {
  const html = page(`<main><h1>Oak Shelf</h1><p>A shelf.</p></main><footer><p>SKU: OS-80</p></footer>
    <script type="application/ld+json">{"@type":"Product","name":"Oak Shelf","brand":"Holm"}</script>`);
  const source = { html, url: pageUrl, wall: null };
  const wanted = { formats: ["markdown" as const], onlyMainContent: true, keepHtml: false, keepText: false };
  const json = { schema: object({ sku: "string", brand: "string" }) };
  const digest = digestHtml(source, { ...wanted, crawl: false, json });
  expect(digest.json).toMatchObject({ ok: true, json: { sku: "OS-80", brand: "Holm" } });
  expect(digest.markdown).toBe(digestHtml(source, { ...wanted, crawl: false }).markdown);
});

test.each([
  ["siblings of siblings", "x ~ x ~ x ~ x ~ x"],
  ["positions", "x:nth-last-of-type(7) ~ x:nth-last-of-type(3)"],
  ["what is in what", ":not(:has(:not(:has(y))))"],
  ["texts of texts", ":contains(a):contains(b):has(:contains(c))"],
])("a selector of %s ends, with an answer or a reason", (_, selector) => {
  const html = page("<x><x>".repeat(90) + "<x>a</x>".repeat(sizeOf(20_000, 60_000)));
  const recipe = { version: 1 as const, fields: { a: { selector } } };
  expect(extractJson(html, pageUrl, { recipe })).toHaveProperty("ok");
});

test("a request that takes too much work fails with a reason", () => {
  const html = page("<x></x>".repeat(20_000));
  const recipe = {
    version: 1 as const,
    fields: { a: { selector: "x ~ y ~ x, x:nth-last-child(1) ~ y, y" } },
  };
  const reason = "Reading the page in this way takes too long.";
  expect(extractJson(html, pageUrl, { recipe })).toEqual({ ok: false, reason });
});

describe("pages of many nodes", () => {
  const rows = (count: number, row: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => row(index)).join("");

  test("a long list is read, up to 5,000 entries", () => {
    const cards = rows(
      sizeOf(6000, 12_500),
      index => `<li class="card"><h3>Item ${index}</h3><b class="price">$${index}.50</b></li>`,
    );
    const wanted = { schema: object({ rows: array(object({ "name!": "string", "price!": "number" })) }) };
    const found = extractJson(page(`<ul>${cards}</ul>`), pageUrl, wanted);
    if (!found.ok) throw new Error(found.reason);
    expect(found.json.rows).toHaveLength(5000);
    expect((found.json.rows as unknown[])[4999]).toEqual({ name: "Item 4999", price: 4999.5 });
  });

  test.each([
    ["nested", "<div class=price><span>".repeat(sizeOf(12_000, 25_000))],
    [
      "one table",
      `<table>${rows(sizeOf(5000, 25_000), index => `<tr><td>k${index}</td><td>v</td></tr>`)}</table>`,
    ],
    ["siblings without a name", rows(sizeOf(10_000, 50_000), () => "<p><i>x</i></p>")],
  ])("%s: an end is found", (_, body) => {
    expect(extractJson(page(body), pageUrl, { schema })).toMatchObject({ ok: false });
    expect(condensePage(page(body), pageUrl, 2000).length).toBeLessThanOrEqual(2000);
  });
});

describe("condensePage", () => {
  test("shows what selectors need, and repeated siblings twice with their count", () => {
    const condensed = condensePage(pageOf("forum"), pageUrl, 10_000);
    expect(condensed).toContain(`page ${pageUrl}`);
    expect(condensed.match(/ div id="p1002\d+" class="post"/g)).toHaveLength(2);
    expect(condensed).toContain("(3 of div.post in all)");
    expect(condensed).toContain('time datetime="2024-04-02T10:15:00Z" "yesterday"');
  });

  test("keeps linked data, drops scripts and styles", () => {
    const html = page(
      `<style>p{}</style><script>secret()</script><script type="application/ld+json">{"@type":"X"}</script><p>t</p>`,
    );
    const condensed = condensePage(html, pageUrl, 10_000);
    expect(condensed).toContain('{"@type":"X"}');
    expect(condensed).not.toMatch(/secret|p\{\}/);
  });

  test.each([0, 100, 1000])("stays within %d characters", size => {
    expect(condensePage(pageOf("listing-cards"), pageUrl, size).length).toBeLessThanOrEqual(size);
  });
});
