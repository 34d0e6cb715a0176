import { object, pageOf, pageUrl } from "../../../../reader/test/recipe/goldens.ts";
import { digestHtml } from "../../../../services/scraper/extract/digest-html.ts";
import { extractJson } from "../../../../services/scraper/extract/extract-in-page.ts";

test.each([
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
    "values that are not there",
    pageOf("article"),
    { schema: object({ "price!": "number" }) },
    /^((?!output).)*$/,
  ],
])("%s: the reason says how to ask in another way where there is one", (_, html, request, reason) => {
  expect(extractJson(html, pageUrl, request)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
});

test("a digest finds JSON in what its other formats leave out, and its other formats are the same", () => {
  const html = `<html lang="en"><body><main><h1>Oak Shelf</h1><p>A shelf.</p></main><footer><p>SKU: OS-80</p></footer>
    <script type="application/ld+json">{"@type":"Product","name":"Oak Shelf","brand":"Holm"}</script></body></html>`;
  const source = { html, url: pageUrl, wall: null };
  const wanted = { formats: ["markdown" as const], onlyMainContent: true, keepHtml: false, keepText: false };
  const json = { schema: object({ sku: "string", brand: "string" }) };
  const digest = digestHtml(source, { ...wanted, crawl: false, json });
  expect(digest.json).toMatchObject({ ok: true, json: { sku: "OS-80", brand: "Holm" } });
  expect(digest.markdown).toBe(digestHtml(source, { ...wanted, crawl: false }).markdown);
});
