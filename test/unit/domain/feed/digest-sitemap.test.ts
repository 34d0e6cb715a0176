import { gzipSync } from "node:zlib";
import {
  digestSitemap,
  looksLikeSitemap,
  maxPages,
} from "../../../../services/domain/feed/digest-sitemap.ts";

const lines = (count: number, name = "p") =>
  Array.from({ length: count }, (_, n) => `https://x.example/${name}${n}`).join("\n");
const nothing = { own: "", others: "", gone: "" };
const digest = (body: Uint8Array, memory = nothing, isFirst = false) =>
  digestSitemap({ body, memory, isFirst, maxNews: 10 });

const full = Buffer.from(lines(maxPages));
const most = digest(full, nothing, true);

test("as many pages as its memory may hold, and no more", () => {
  expect(most).toMatchObject({ ok: true, is: "pages", news: [], complete: true });
  const over = digest(Buffer.from(lines(maxPages + 1)), nothing, true);
  expect(over).toMatchObject({ ok: false, reason: expect.stringContaining("more than 250,000 pages") });
  const own = most.ok && most.is === "pages" ? most.own : "";
  expect(digest(Buffer.from(lines(1, "q")), { ...nothing, others: own })).toMatchObject({ ok: false });
});

test("an index names more sitemaps than one source may have, and no more", () => {
  const listed = Array.from(
    { length: 50_000 },
    (_, n) => `<sitemap><loc>https://x.example/${n}.xml</loc></sitemap>`,
  );
  const read = digest(Buffer.from(`<sitemapindex>${listed.join("")}</sitemapindex>`));
  expect(read.ok && read.is === "index" && read.sitemaps.length).toBe(2000);
});

test("what has left stays known while there is room, and the latest stay longest", () => {
  if (!most.ok || most.is !== "pages") throw new Error("no pages");
  const empty = digest(Buffer.from("<urlset></urlset>"), { ...nothing, own: most.own });
  if (!empty.ok || empty.is !== "pages") throw new Error("no pages");
  expect(empty.gone).toBe(most.own);
  const back = digest(full, { ...nothing, gone: empty.gone });
  expect(back).toMatchObject({ news: [], complete: true, own: most.own, gone: "" });
  const other = digest(Buffer.from(lines(2, "q")), { ...nothing, gone: most.own });
  expect(other).toMatchObject({ gone: most.own.slice(2 * 8) });
});

test.each<[string, Uint8Array]>([
  ["a page", Buffer.from("<html></html>")],
  ["a feed", Buffer.from("<rss><channel/></rss>")],
  ["broken gzip", gzipSync("x").subarray(0, 12)],
  ["a bomb of zeros", gzipSync(Buffer.alloc(51 * 1024 * 1024))],
  [
    "a bomb of entities",
    Buffer.from('<!DOCTYPE u [<!ENTITY a "b">]><urlset><url><loc>https://x.example/</loc></url></urlset>'),
  ],
  ["text with other lines", Buffer.from("https://x.example/\nhello")],
])("no sitemap: %s", (_, body) => {
  expect(digest(body)).toEqual({ ok: false, reason: "The document is not a sitemap." });
});

test.each<[boolean, string, string]>([
  [
    true,
    '<?xml version="1.0"?>\n<!-- made by -->\n<?xml-stylesheet href="a.xsl"?><urlset xmlns="x">',
    "text/xml",
  ],
  [true, "\ufeff<s:sitemapindex>", ""],
  [true, "https://x.example/a\nhttps://x.example/b", "text/plain; charset=utf-8"],
  [true, "https://x.example/a", "text/plain"],
  [false, "https://x.example/a\nhttps://x.example/b", "text/html"],
  [false, "https://x.example/ is a page", "text/plain"],
  [false, "<html><!-- <urlset> --><body>", "text/html"],
  [false, '<rss version="2.0"><channel><description><urlset></description>', "text/xml"],
])("looks like a sitemap: %s %s", (is, head, type) => {
  expect(looksLikeSitemap(Buffer.from(head), type)).toBe(is);
});
