import { setImmediate as nextTurn } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { fail } from "../../../../services/contracts/errors.ts";
import { openSitemapReader, type SitemapReader } from "../../../../services/crawler/robots/sitemap-reader.ts";
import { sitemapPages } from "../../../../services/crawler/robots/sitemaps.ts";
import { readSitemap } from "../../../../services/domain/crawl/read-sitemap.ts";

const { signal } = new AbortController();
const turn = { group: "key", signal };

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
  expect(await openReader().read(bytes, turn)).toEqual(
    readSitemap(sitemap(name.startsWith("small") ? 20 : 10_000)),
  );
});

test("others have their turn while a large one is read, and as many are read as there are crawls", async () => {
  const reader = openReader(4);
  let [scraperSlots, isDone] = [0, false];
  const work = Promise.all(Array.from({ length: 4 }, () => reader.read(sitemap(20_000), turn))).finally(
    () => {
      isDone = true;
    },
  );
  for (; !isDone; scraperSlots += 1) await nextTurn();
  expect((await work).map(({ urls }) => urls.length)).toEqual([20_000, 20_000, 20_000, 20_000]);
  expect(scraperSlots).toBeGreaterThan(20);
});

test("a signal ends the reading", async () => {
  const stopping = new AbortController();
  const reading = openReader().read(sitemap(50_000), { ...turn, signal: stopping.signal });
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
