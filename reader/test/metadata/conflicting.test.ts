import { parseHtml } from "../../html/parse-html.ts";
import { readMetadata } from "../../metadata/read-metadata.ts";
import { urlResolver } from "../../page/page-links.ts";
import type { MetadataPage } from "../fixtures/metadata/metadata-page.ts";
import { metadataPages } from "../fixtures/metadata/metadata-pages.ts";

const url = "https://site.test/blog/a-post";

function given({ html, right }: MetadataPage): object {
  const root = parseHtml(html);
  const facts = readMetadata(root, urlResolver(root, url), url);
  return Object.fromEntries(Object.keys(right).map(key => [key, facts[key as keyof typeof right]]));
}

test.each(metadataPages.map(page => [page.name, page] as const))("%s", (_, page) => {
  expect(given(page)).toEqual(page.right);
});

test.each([
  ["joints", `<title>${"a - ".repeat(100_000)}</title>`],
  ["bars", `<title>${"site.test | ".repeat(20_000)}x</title>`],
  [
    "a site's name again and again",
    `<title>${"a | site.test".repeat(1)}${" | site.test".repeat(15)}</title>`,
  ],
  ["headings", `<title>${"a b c ".repeat(40)}</title>${"<h1>a b c</h1>".repeat(20_000)}`],
  ["entities", `<title>${"&amp;amp;".repeat(100_000)}</title>`],
])("a title of hostile %s is read in linear time", (_, html) => {
  expect(given({ name: "", html, right: { title: "" } })).toHaveProperty("title");
});

test("there are enough of them, under names of their own", () => {
  expect(metadataPages.length).toBeGreaterThanOrEqual(66);
  expect(new Set(metadataPages.map(({ name }) => name)).size).toBe(metadataPages.length);
  expect(metadataPages.flatMap(({ right }) => Object.keys(right)).length).toBeGreaterThanOrEqual(92);
});
