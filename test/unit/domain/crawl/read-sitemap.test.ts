import { readSitemap } from "../../../../services/domain/crawl/read-sitemap.ts";

const read = (text: string) => readSitemap(Buffer.from(text));
const urlset = (...parts: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${parts.join("\n")}</urlset>`;
const entry = (loc: string) => `<url>\n  <loc>${loc}</loc><lastmod>2026-01-01</lastmod></url>`;
const a = "https://site.example/a";

test.each<[string, string, string[], string[]]>([
  ["a urlset", urlset(entry(a), entry("https://site.example/b")), [a, "https://site.example/b"], []],
  [
    "an index",
    `<sitemapindex><sitemap><loc>https://site.example/1.xml.gz</loc></sitemap></sitemapindex>`,
    [],
    ["https://site.example/1.xml.gz"],
  ],
  [
    "entities and references",
    urlset(entry("https://site.example/?a=1&amp;b=&#x32;")),
    ["https://site.example/?a=1&b=2"],
    [],
  ],
  [
    "bare ampersands",
    urlset(entry("https://site.example/?a=1&b=2"), entry(a)),
    ["https://site.example/?a=1&b=2", a],
    [],
  ],
  ["CDATA", urlset(entry(`<![CDATA[${a}?b&c=1]]>`)), [`${a}?b&c=1`], []],
  ["blanks around", urlset(entry(`\n\t ${a} \n`)), [a], []],
  [
    "RSS",
    `<rss><channel><link>https://site.example/no</link><item><link> ${a} </link></item></channel></rss>`,
    [a],
    [],
  ],
  [
    "Atom",
    `<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://site.example/no"/><entry><link rel="self" href="https://site.example/no"/><link href="${a}"/></entry></feed>`,
    [a],
    [],
  ],
  ["prefixes", `<s:urlset xmlns:s="x"><s:url><s:loc>${a}</s:loc></s:url></s:urlset>`, [a], []],
  ["no namespace, no declaration", `<urlset><url><loc>${a}</loc></url></urlset>`, [a], []],
  ["a byte order mark and blanks", `\ufeff \n${urlset(entry(a))}`, [a], []],
  [
    "images and alternates",
    urlset(
      `<url><loc>${a}</loc><image:image><image:loc>https://site.example/i.png</image:loc></image:image><xhtml:link rel="alternate" hreflang="de" href="https://site.example/de"/></url>`,
    ),
    [a],
    [],
  ],
  ["what is named twice", urlset(entry(a), entry(a)), [a], []],
  [
    "what is no absolute web URL",
    urlset(entry("/b"), entry("ftp://site.example/c"), entry(""), entry(a)),
    [a],
    [],
  ],
  ["what is too long", urlset(entry(`${a}${"x".repeat(2048)}`), entry(a)), [a], []],
  ["a document that breaks off", urlset(entry(a), entry("https://site.example/b")).slice(0, -70), [a], []],
  [
    "a broken document",
    `<urlset><url><loc>${a}</lox></url><url><loc>https://site.example/b</loc></url></urlset>`,
    [a, "https://site.example/b"],
    [],
  ],
  [
    "text",
    `${a}\r\nhttps://site.example/b\n\n  https://site.example/c  \nnone`,
    [a, "https://site.example/b", "https://site.example/c"],
    [],
  ],
  ["text with a byte order mark", `\ufeff${a}\n`, [a], []],
  ["a page", `<!DOCTYPE html><html><body><a href="${a}">a</a><p>loc</body></html>`, [], []],
  ["nothing", "", [], []],
  ["JSON", `{"loc": "${a}"}`, [], []],
])("%s", (_what, text, urls, sitemaps) => {
  expect(read(text)).toEqual({ urls, sitemaps });
});

test("UTF-16 by its byte order mark", () => {
  const text = Buffer.from(`\ufeff${urlset(entry(a))}`, "utf16le");
  expect(readSitemap(text).urls).toEqual([a]);
  expect(readSitemap(Buffer.from(text).swap16()).urls).toEqual([a]);
});

test("characters and tags that fall between two chunks are whole", () => {
  const urls = Array.from({ length: 3000 }, (_, n) => `https://site.example/ü-${"x".repeat(n % 7)}${n}`);
  expect(read(urlset(...urls.map(entry))).urls).toEqual(urls);
  expect(read(urls.join("\n")).urls).toEqual(urls);
});

test("50,000 URLs and no more", () => {
  const urls = Array.from({ length: 50_001 }, (_, n) => `https://site.example/${n}`);
  expect(read(urlset(...urls.map(entry))).urls).toEqual(urls.slice(0, 50_000));
  expect(read(urls.join("\n")).urls).toEqual(urls.slice(0, 50_000));
});

test("50 MB and no more", () => {
  const far = Buffer.concat([
    Buffer.from(a),
    Buffer.alloc(50 * 1024 * 1024, "\n"),
    Buffer.from("https://site.example/b\n"),
  ]);
  expect(readSitemap(far).urls).toEqual([a]);
});

test("entities are neither resolved nor waited for", () => {
  const levels = Array.from({ length: 10 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join(
    "",
  );
  const bomb = `<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY e0 "lol">${levels}<!ENTITY x SYSTEM "file:///etc/passwd">]>`;
  expect(read(`${bomb}<urlset>${entry("https://site.example/&e10;")}${entry(a)}</urlset>`)).toEqual({
    urls: [],
    sitemaps: [],
  });
});

test("open tags without end are left unread", () => {
  expect(read(`<urlset>${"<a>".repeat(1_000_000)}${entry(a)}`)).toEqual({ urls: [], sitemaps: [] });
});

test("a line without end is left unread", () => {
  expect(read(`${a}\n${"x".repeat(1_000_000)}\n${a}b`).urls).toEqual([a]);
});
