import { setImmediate as yieldToLoop } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { fail } from "../../../../services/contracts/errors.ts";
import { openSitemapReader, type SitemapReader } from "../../../../services/crawler/robots/sitemap-reader.ts";
import { sitemapPages } from "../../../../services/crawler/robots/sitemaps.ts";
import { readSitemap } from "../../../../services/domain/crawl/read-sitemap.ts";

const { signal } = new AbortController();
const task = { group: "key", signal };

const open: SitemapReader[] = [];
afterEach(async () => {
  for (const reader of open.splice(0)) await reader.close();
});

function openReader(crawls = 1): SitemapReader {
  const reader = openSitemapReader(crawls);
  open.push(reader);
  return reader;
}

function sitemap(count: number): Buffer {
  const urls = Array.from({ length: count }, (_, n) => `<url><loc>https://site.test/page-${n}</loc></url>`);
  return Buffer.from(`<urlset>${urls.join("")}</urlset>`);
}

test.each<[string, Buffer]>([
  ["small", sitemap(20)],
  ["small and packed", gzipSync(sitemap(20))],
  ["large", sitemap(10_000)],
  ["large and packed", gzipSync(sitemap(10_000))],
])("one that is %s is read alike", async (name, bytes) => {
  const plain = sitemap(name.startsWith("small") ? 20 : 10_000);
  expect(await openReader().read(bytes, task)).toEqual({
    ...readSitemap(plain),
    ...{ bytes: plain.length, isCut: false },
  });
});

test("others have their turn while a large one is read, and as many are read as there are crawls", async () => {
  const reader = openReader(4);
  let [scraperSlots, isDone] = [0, false];
  const work = Promise.all(Array.from({ length: 4 }, () => reader.read(sitemap(20_000), task))).finally(
    () => {
      isDone = true;
    },
  );
  for (; !isDone; scraperSlots += 1) await yieldToLoop();
  expect((await work).map(({ urls }) => urls.length)).toEqual([20_000, 20_000, 20_000, 20_000]);
  expect(scraperSlots).toBeGreaterThan(20);
});

test("a signal ends the reading", async () => {
  const stopping = new AbortController();
  const reading = openReader().read(sitemap(50_000), { ...task, signal: stopping.signal });
  stopping.abort(new Error("stopping"));
  await expect(reading).rejects.toThrow("stopping");
});

test("sitemaps are read one after another, each once, and those that cannot be had are passed over", async () => {
  const site = "https://site.test";
  const files: Record<string, string> = {
    "/index.xml": `<sitemapindex><sitemap><loc>${site}/a.xml</loc></sitemap><sitemap><loc>${site}/index.xml</loc></sitemap><sitemap><loc>${site}/gone.xml</loc></sitemap><sitemap><loc>${site}/broken.gz</loc></sitemap></sitemapindex>`,
    "/a.xml": `<urlset><url><loc>${site}/1</loc></url><url><loc>${site}/2</loc></url></urlset>`,
    "/broken.gz": "\u001f\u008bno gzip",
  };
  const asked: string[] = [];
  const get = async (from: string) => {
    const { pathname } = new URL(from);
    asked.push(pathname);
    const body = files[pathname];
    if (body === undefined) throw fail("target_unreachable", "Away.");
    const common = { url: from, canonicalUrl: from, headers: {}, contentType: "" };
    return { ...common, status: 200, body: Buffer.from(body, "latin1") };
  };
  const pages: string[] = [];
  const tools = { get, reader: openReader(), keyId: "key" };
  for await (const some of sitemapPages([`${site}/index.xml`], tools, signal)) pages.push(...some);
  expect(pages).toEqual([`${site}/1`, `${site}/2`]);
  expect(asked).toEqual(["/index.xml", "/a.xml", "/gone.xml", "/broken.gz"]);
});

test("of long URLs so many are kept as have eight million characters, in one sitemap and in all", async () => {
  const long = (n: number) => `https://site.test/${"a".repeat(1980)}${n}`;
  const urls = (from: number) => Array.from({ length: 3000 }, (_, n) => long(from + n));
  const files: Record<string, string[]> = { "/1": urls(1000), "/2": urls(4000), "/3": urls(7000) };
  const get = async (url: string) => ({
    ...{ status: 200, url, headers: {} },
    body: Buffer.from(files[new URL(url).pathname]?.join("\n") ?? ""),
  });
  let [gaps, found] = [0, 0];
  const onGap = () => {
    gaps += 1;
  };
  const tools = { get: get as never, reader: openReader(), keyId: "key", onGap };
  const names = Object.keys(files).map(path => `https://site.test${path}`);
  for await (const some of sitemapPages(names, tools, signal)) found += some.length;
  expect([found, gaps > 0]).toEqual([Math.floor(8_000_000 / long(1000).length), true]);
});
