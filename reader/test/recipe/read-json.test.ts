import { sizeOf } from "../../../test/support/long-run.ts";
import { condensePage } from "../../recipe/condense-page.ts";
import { parsePage } from "../../recipe/parse-page.ts";
import { readJson, type WantedJson } from "../../recipe/read-json.ts";
import { array, object, pageOf, pageUrl } from "./goldens.ts";

const schema = object({
  "title!": "string",
  "price!": "number",
  rows: array(object({ name: "string", price: "number" })),
});

function page(body: string): string {
  return `<html lang="en"><body>${body}</body></html>`;
}

const jsonOf = (html: string, url: string, wanted: WantedJson) =>
  readJson(() => parsePage(html, url), wanted);

test("the answer fits the schema and comes with its recipe, which works when it is sent back", () => {
  const wanted = { schema: object({ "title!": "string", "price!": "number" }) };
  const found = jsonOf(pageOf("product-classes"), pageUrl, wanted);
  if (!found.ok) throw new Error(found.reason);
  expect(found.json).toEqual({ title: "Oak Shelf, 80 cm", price: 1049 });
  const again = jsonOf(pageOf("product-classes-2"), pageUrl, { ...wanted, recipe: found.recipe });
  expect(again).toEqual({
    ok: true,
    json: { title: "Pine Shelf, 60 cm", price: 315.5 },
    recipe: found.recipe,
  });
});

test.each([
  ["a required property is not there", pageOf("article"), { schema }, /price/],
  [
    "an empty page",
    pageOf("empty"),
    { schema },
    /found on the page\. The schema requires `title`, `price`\.$/,
  ],
  ["no page at all", "", { schema }, /found/],
  ["text alone", "just words", { prompt: "the price" }, /found/],
  [
    "a prompt that rules cannot answer",
    pageOf("article"),
    { prompt: "Summarise the page" },
    /asks for more\.$/,
  ],
  [
    "a prompt without an answer",
    pageOf("article"),
    { prompt: "What does it cost?" },
    /found nothing .* answers the prompt\.$/,
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
  expect(jsonOf(html, pageUrl, request)).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
});

test.each([
  ["siblings of siblings", "x ~ x ~ x ~ x ~ x"],
  ["positions", "x:nth-last-of-type(7) ~ x:nth-last-of-type(3)"],
  ["what is in what", ":not(:has(:not(:has(y))))"],
  ["texts of texts", ":contains(a):contains(b):has(:contains(c))"],
])("a selector of %s ends, with an answer or a reason", (_, selector) => {
  const html = page("<x><x>".repeat(90) + "<x>a</x>".repeat(sizeOf(20_000, 60_000)));
  const recipe = { version: 1 as const, fields: { a: { selector } } };
  expect(jsonOf(html, pageUrl, { recipe })).toHaveProperty("ok");
});

test("a request that takes too much work fails with a reason", () => {
  const html = page("<x></x>".repeat(20_000));
  const recipe = {
    version: 1 as const,
    fields: { a: { selector: "x ~ y ~ x, x:nth-last-child(1) ~ y, y" } },
  };
  const reason = "Reading the page in this way takes too long.";
  expect(jsonOf(html, pageUrl, { recipe })).toEqual({ ok: false, reason });
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
    const found = jsonOf(page(`<ul>${cards}</ul>`), pageUrl, wanted);
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
    expect(jsonOf(page(body), pageUrl, { schema })).toMatchObject({ ok: false });
    expect(condensePage(page(body), pageUrl, 2000).length).toBeLessThanOrEqual(2000);
  });
});
