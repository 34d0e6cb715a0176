import type { JsonResult } from "../../../../reader/recipe/read-json.ts";
import { object } from "../../../../reader/test/recipe/goldens.ts";
import { readFetched } from "../../../../services/scraper/extract/read-fetched.ts";
import { xlsx } from "../../../support/office.ts";

const url = "https://shop.example/things";
const schema = {
  type: "object",
  properties: { products: { type: "array", items: object({ "name!": "string", "price!": "number" }) } },
};
const shelves = [
  { name: "Oak", price: 49.9 },
  { name: "Pine", price: 31.5 },
];
const found = { ok: true, json: { products: shelves } };

async function jsonOf(
  contentType: string,
  body: string | Uint8Array,
  json: object = { schema },
  keepHtml = false,
): Promise<{ json: JsonResult | undefined; plain: string | undefined }> {
  const read = await readFetched({
    page: {
      ...{ status: 200, finalUrl: url, redirects: [], setCookies: [], headers: {} },
      ...{ contentType, body: Buffer.from(body) },
    },
    wanted: {
      ...{ formats: ["json"], onlyMainContent: true, keepHtml, keepText: false, crawl: false },
      json,
    },
    render: "scripts",
  });
  if (read.kind !== "digest") throw new Error("it should not be rendered");
  const { json: result, plain } = read.digest;
  return { json: result, plain };
}

const texts = (...names: string[]) =>
  names.map(name => `<c t="inlineStr"><is><t>${name}</t></is></c>`).join("");
const rows = `<sheetData><row>${texts("Name", "Price")}</row>${shelves
  .map(({ name, price }) => `<row>${texts(name)}<c><v>${price}</v></c></row>`)
  .join("")}</sheetData>`;
const item = (name: string, price: string) =>
  `<item><title>${name}</title><price xmlns="urn:p">${price}</price><link>${url}</link></item>`;

test.each<[string, string, string | Uint8Array]>([
  ["JSON", "application/json; charset=utf-8", JSON.stringify({ data: { hits: shelves } })],
  [
    "JSON of an own type",
    "application/vnd.api+json",
    JSON.stringify({ data: shelves.map(attributes => ({ attributes })) }),
  ],
  ["JSON as plain text", "text/plain", JSON.stringify(shelves)],
  ["JSON lines", "application/x-ndjson", shelves.map(shelf => JSON.stringify(shelf)).join("\n")],
  ["CSV", "text/csv", "Name;Preis\nOak;49,90 €\nPine;31,50 €\n"],
  ["TSV", "text/tab-separated-values", "name\tcost\nOak\t49.90\nPine\t31.50\n"],
  [
    "XLSX",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    xlsx({ sheets: { Shelves: rows } }),
  ],
  [
    "XML",
    "application/xml",
    `<shop><shelf name="Oak" price="49.90"/><shelf name="Pine" price="31.50"/></shop>`,
  ],
  [
    "a feed",
    "application/rss+xml",
    `<rss version="2.0"><channel><title>Shop</title>${item("Oak", "49.90")}${item("Pine", "31.50")}</channel></rss>`,
  ],
])("%s is read by a schema", async (_, type, body) => {
  expect((await jsonOf(type, body)).json).toEqual(found);
});

test("a prompt that no names answer is refused with a way to ask", async () => {
  const { json } = await jsonOf("application/json", '{"a":1}', { prompt: "Is it made of wood?" });
  expect(json).toEqual({
    ok: false,
    reason: expect.stringMatching(/output\.json\.json_schema.*LLM_BASE_URL/),
  });
});

test("a recipe reads the page that a table becomes, and no JSON", async () => {
  const recipe = { version: 1, fields: { first: { selector: "td" } } };
  expect((await jsonOf("text/csv", "a,b\n1,2\n", { recipe })).json).toMatchObject({
    ok: true,
    json: { first: "1" },
  });
  expect((await jsonOf("application/json", "{}", { recipe })).json).toMatchObject({ ok: false });
});

test("a model gets the text beside what the names gave", async () => {
  const { json, plain } = await jsonOf(
    "application/json",
    JSON.stringify({ items: shelves }),
    { schema },
    true,
  );
  expect(json).toEqual(found);
  expect(plain).toContain('"name": "Oak"');
});
