import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readFeed } from "../../../../services/domain/feed/parse-feed.ts";

const folder = join(import.meta.dirname, "..", "..", "..", "fixtures", "feeds");
const feeds = readdirSync(folder).filter(name => !name.endsWith(".golden.json"));

test("the corpus is there", () => expect(feeds.length).toBeGreaterThanOrEqual(25));

// The declared type is wrong on purpose: it decides nothing but the charset, and names none.
test.each(feeds)("%s is parsed into its golden file", name => {
  const body = readFileSync(join(folder, name));
  const golden: unknown = JSON.parse(readFileSync(join(folder, `${name}.golden.json`), "utf8"));
  expect(readFeed(body, "text/html", "https://feeds.example/dir/feed")).toEqual(golden);
});

const bytes = (name: string) => readFileSync(join(folder, name));
const titleOf = (body: Uint8Array, contentType: string) => {
  const parsed = readFeed(body, contentType, "https://feeds.example/");
  return parsed.ok ? parsed.feed.title : parsed.reason;
};
const undeclared = (label: BufferEncoding) =>
  Buffer.from('<rss version="2.0"><channel><title>Café</title></channel></rss>', label);
const declared = Buffer.from(`<?xml version="1.0" encoding="utf-8"?>${undeclared("utf8")}`);

test.each<[string, Uint8Array, string, string]>([
  ["the header's charset", undeclared("latin1"), "text/xml; charset=ISO-8859-1", "Café"],
  ["no charset anywhere", undeclared("utf8"), "text/xml", "Café"],
  ["no charset, and no UTF-8", undeclared("latin1"), "", "Café"],
  ["a header that the bytes belie", bytes("windows-1251.xml"), "text/xml; charset=utf-8", "Новости"],
  ["a header that UTF-8 belies", declared, "text/xml; charset=ISO-8859-1", "Café"],
  ["a mark against the header", bytes("utf-16le.xml"), "text/xml; charset=utf-8", "Wide ☃"],
  ["a charset that nobody knows", undeclared("utf8"), "text/xml; charset=klingon", "Café"],
])("decoding: %s", (_, body, contentType, title) => expect(titleOf(body, contentType)).toBe(title));

test.each([
  ["nothing", ""],
  ["binary", "\u0000\u0001\u0002"],
  ["an open tag", "<rss"],
  ["a root and no more", "<rss></rss>"],
  ["deep nesting", `<rss version="2.0"><channel><title>x</title>${"<a>".repeat(100_000)}`],
  ["open comments", `<rss version="2.0">${"<!--".repeat(50_000)}`],
  ["open CDATA", `<rss version="2.0"><channel><title>${"<![CDATA[".repeat(50_000)}`],
  ["half JSON", '{"version":"https://jsonfeed.org/version/1.1","items":['],
  ["deep JSON", `{"a":${"[".repeat(100_000)}`],
])("%s is no feed, and does no harm", (_, text) =>
  expect(readFeed(Buffer.from(text), "", "https://feeds.example/")).toMatchObject({ ok: false }),
);

test("a root in a comment is none", () => {
  const root = '<rss version="2.0">';
  const text = `<!-- ${root} --><?xml version="1.0"?>${root}<channel><title>Real</title></channel></rss>`;
  expect(titleOf(Buffer.from(text), "")).toBe("Real");
});

test("whatever becomes of its bytes, a feed is read or refused", () => {
  const random = seeded(20261122);
  const below = (end: number) => Math.floor(random() * end);
  const pieces = [
    "<",
    "&",
    "]]>",
    "<![CDATA[",
    "<!--",
    "</item>",
    "<item>",
    "<link>",
    "\0",
    "&#0;",
    "{",
    "<rss>",
  ];
  const seeds = feeds.map(bytes);
  for (let round = 0; round < 1000; round++) {
    let body = seeds[below(seeds.length)] ?? Buffer.alloc(0);
    for (let cuts = below(6); cuts >= 0; cuts--) {
      const at = below(body.length);
      const piece = Buffer.from(pieces[below(pieces.length)] ?? "");
      body = Buffer.concat([body.subarray(0, at), piece, body.subarray(at + below(30))]);
    }
    const read = readFeed(body, "", "https://feeds.example/");
    expect(read.ok ? read.feed.items.every(({ id }) => id !== "") : read.reason).toBeTruthy();
  }
});

const json = (items: number) =>
  JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: "T",
    items: Array(items).fill({ id: "1" }),
  });

test.each([
  ["items", `<rss><channel>${"<item/>".repeat(1_000_000)}</channel></rss>`, "20,000 items"],
  ["entries that do not end", `<feed>${"<entry>".repeat(1_000_000)}`, "20,000 items"],
  ["elements", `<rss><channel>${"<x/>".repeat(1_000_000)}</channel></rss>`, "500,000 elements"],
  ["items of JSON", json(20_001), "20,000 items"],
])("a feed of too many %s is refused before it is read", (_, text, limit) => {
  expect(readFeed(Buffer.from(text), "", "https://feeds.example/")).toEqual({
    ok: false,
    reason: `The feed has more than ${limit}.`,
  });
});

test.each([
  ["XML", `<rss><channel>${"<item><guid>1</guid></item>".repeat(30_000)}</channel></rss>`],
  ["JSON", json(30_000)],
])("who shows a feed may have its beginning: %s", (_, text) => {
  const read = readFeed(Buffer.from(text), "", "https://feeds.example/", "beginning");
  expect(read.ok && read.feed.items.length).toBe(20_000);
});

test("20,000 items are read", () => {
  const texts = [
    `<rss><channel>${"<item><guid>1</guid></item>".repeat(20_000)}</channel></rss>`,
    json(20_000),
  ];
  for (const text of texts) {
    const read = readFeed(Buffer.from(text), "", "https://feeds.example/");
    expect(read.ok && read.feed.items.length).toBe(20_000);
  }
});

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
