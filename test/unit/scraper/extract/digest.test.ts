import { noFacts } from "../../../../reader/metadata/read-metadata.ts";
import {
  bounded,
  type Digest,
  maxListed,
  maxTextLength,
} from "../../../../services/scraper/extract/digest.ts";
import { digestHtml } from "../../../../services/scraper/extract/digest-html.ts";
import { sizeOf } from "../../../support/long-run.ts";

const digest = (parts: Partial<Digest>): Digest => ({
  wall: null,
  metadata: { ...noFacts, content_type: "text/html", word_count: 1 },
  ...parts,
});
const address = (n: number) => `https://x.example/${n}`;
const addresses = (count: number) => Array.from({ length: count }, (_, n) => address(n));

test("a usual digest is as it was", () => {
  const usual = digest({ markdown: "Text", html: "<p>Text</p>", links: addresses(3), warning: "A warning." });
  expect(bounded(usual)).toEqual(usual);
});

test("long texts are cut in whole characters and tags, and the warning says which", () => {
  const tagged = `${"x".repeat(maxTextLength - 5)}<p class="a">y</p>`;
  const parrots = `x${"🦜".repeat(maxTextLength)}`;
  const { markdown, html, raw_html, warning } = bounded(
    digest({ markdown: parrots, html: tagged, raw_html: "short" }),
  );
  expect([markdown?.length, markdown?.isWellFormed()]).toEqual([maxTextLength - 1, true]);
  expect(html).toBe("x".repeat(maxTextLength - 5));
  expect(raw_html).toBe("short");
  expect(warning).toBe("The page is large: its markdown is cut. The page is large: its html is cut.");
});

test("long lists are cut, by their number and their length", () => {
  const { links, images, warning } = bounded(
    digest({ links: addresses(maxListed + 1), images: Array(3).fill("i".repeat(maxTextLength / 2)) }),
  );
  expect([links?.length, links?.at(-1), images?.length]).toEqual([maxListed, address(maxListed - 1), 2]);
  expect(warning).toContain("its links are cut");
});

test("what a page says of itself is cut; an address that is too long is left out", () => {
  const long = "t".repeat(5_000_000);
  const og = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`p${n}`, long]));
  const metadata = { ...digest({}).metadata, title: long, image: `https://x.example/${long}`, og };
  const kept = bounded(digest({ metadata })).metadata;
  expect([kept.title.length, kept.image, kept.word_count]).toEqual([10_000, null, 1]);
  expect(JSON.stringify(kept).length).toBeLessThan(200 * 11_000);
});

test("JSON that is too large fails, and says what to do", () => {
  const json = { ok: true as const, json: { text: "x".repeat(maxTextLength) }, recipe: {} as never };
  expect(bounded(digest({ json })).json).toEqual({
    ok: false,
    reason: expect.stringContaining("fewer or smaller"),
  });
});

test("a page with too many links and too much text comes out within the limits", () => {
  const html = `<html><body><main><h1>Links</h1>${addresses(sizeOf(100_000, 300_000))
    .map(url => `<p><a href="${url}">link</a></p>`)
    .join("")}</main></body></html>`;
  const read = digestHtml(
    { html, url: "https://x.example/", wall: null },
    {
      formats: ["markdown", "html", "raw_html", "links"],
      ...{ onlyMainContent: false, keepHtml: false, keepText: false, crawl: true },
    },
  );
  expect(JSON.stringify(read).length).toBeLessThan(4 * 1.5 * maxTextLength);
  expect(read.links).toHaveLength(maxListed);
});
