import { gzipSync } from "node:zlib";
import type { Routes, Site } from "../../support/http-site.ts";
import { type NameServer, startNameServer } from "../../support/name-server.ts";
import { until } from "../../support/until.ts";
import { type Crawler, pathOf, type Refusal, startCrawler } from "./crawler.ts";
import { page, pageWith, redirect, Sites } from "./site.ts";

/** What a client gets, written by hand from the interface. */
interface SiteMap {
  url: string;
  data: { url: string; title: string | null; description: string | null }[];
  total: number;
  complete: boolean;
}

const sites = new Sites();
let crawler: Crawler;
let names: NameServer;

beforeAll(async () => {
  names = await startNameServer({
    "shop.example": { addresses: ["127.0.0.1"] },
    "www.shop.example": { addresses: ["127.0.0.1"] },
  });
  crawler = await startCrawler({ egressDnsServers: [names.address] });
});

afterAll(async () => {
  await crawler?.stop();
  await sites.close();
  await names?.close();
});

/** Host and port of a site under its name. */
const named = (origin: string) => `shop.example:${new URL(origin).port}`;

type Options = Parameters<Crawler["start"]>[1];

const ask = (body: object, options: Options = {}) =>
  crawler.request("POST", "/web/map", { body, ...options });

async function map(body: object, options?: Options): Promise<SiteMap> {
  const reply = await ask(body, options);
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  return reply.json<SiteMap>();
}

async function refused(body: object): Promise<[number, string, string?]> {
  const reply = await ask(body);
  const { code, details } = reply.json<Refusal>();
  return details?.[0] ? [reply.status, code, details[0].field] : [reply.status, code];
}

const paths = ({ data }: SiteMap) => data.map(({ url }) => pathOf(url));

/** Paths that were asked for. */
const asked = ({ hits }: Site) => hits.map(({ url }) => url);

function sitemap(origin: string, ...urls: string[]) {
  const body = `<urlset>${urls.map(url => `<url><loc>${new URL(url, origin).href}</loc></url>`).join("")}</urlset>`;
  return { headers: { "content-type": "application/xml" }, body };
}

function sitemapIndex(origin: string, ...files: string[]) {
  const body = `<sitemapindex>${files.map(file => `<sitemap><loc>${origin}${file}</loc></sitemap>`).join("")}</sitemapindex>`;
  return { headers: { "content-type": "application/xml" }, body };
}

/** A site whose routes know its address. */
async function siteOf(routes: (origin: string) => Routes): Promise<Site> {
  const made: Routes = {};
  const site = await sites.start(made);
  Object.assign(made, routes(site.url));
  return site;
}

test("a map has the entry page, then the sitemaps' pages, then what it links to; each once, and none is read", async () => {
  const site = await siteOf(origin => ({
    "/": pageWith(
      '<meta name="description" content="What is here.">',
      "Home",
      '<a href="/a">All of A</a>',
      '<a href="/c#part"><img src="x.png" alt="Pictures of C"></a>',
      '<a href="/d" rel="nofollow">D</a>',
      "https://elsewhere.test/",
      "mailto:a@b.test",
    ),
    "/sitemap.xml": sitemap(origin, "/b", "/a/", "/a?utm_source=x", "https://elsewhere.test/x"),
  }));
  expect(await map({ url: site.url })).toEqual({
    url: `${site.url}/`,
    data: [
      { url: `${site.url}/`, title: "Home", description: "What is here." },
      { url: `${site.url}/b`, title: null, description: null },
      { url: `${site.url}/a/`, title: "All of A", description: null },
      { url: `${site.url}/c`, title: "Pictures of C", description: null },
    ],
    total: 4,
    complete: true,
  });
  expect(asked(site).sort()).toEqual(["/", "/robots.txt", "/sitemap.xml"]);
});

test("with `search` the pages that have its words come first, and none is left out", async () => {
  const site = await siteOf(origin => ({
    "/": page("Home", '<a href="/x1">Refunds and returns</a>', '<a href="/x2">Jobs</a>'),
    "/sitemap.xml": sitemap(
      origin,
      "/blog/2024/winter",
      "/help/returning-an-order",
      "/help/%C3%BCber-uns",
      "/helpRefund",
    ),
  }));
  const found = await map({ url: site.url, search: "refund return" });
  expect(found).toMatchObject({ total: 7, complete: true });
  expect(paths(found).slice(0, 3).sort()).toEqual(["/help/returning-an-order", "/helpRefund", "/x1"]);
  expect(paths(found)[0]).toBe("/x1");
  expect(paths(found).slice(3)).toEqual(["/", "/blog/2024/winter", "/help/%C3%BCber-uns", "/x2"]);
  expect(paths(await map({ url: site.url, search: "über", limit: 1 }))).toEqual(["/help/%C3%BCber-uns"]);
});

test("`limit` bounds the answer and not what is found; below the entry page's directory alone", async () => {
  const urls = Array.from({ length: 30 }, (_, n) => `/docs/${n}`);
  const site = await siteOf(origin => ({
    "/docs/": page("Docs", "/blog/"),
    "/sitemap.xml": sitemap(origin, ...urls, "/blog/1"),
  }));
  const found = await map({ url: `${site.url}/docs/`, limit: 3 });
  expect(found).toMatchObject({ total: 31, complete: true });
  expect(paths(found)).toEqual(["/docs/", "/docs/0", "/docs/1"]);
});

test.each<[string, string[], string[]]>([
  ["only", ["/a"], ["/robots.txt", "/sitemap.xml"]],
  ["skip", ["/", "/b"], ["/", "/robots.txt"]],
])("sitemaps: %s", async (sitemaps, expected, requests) => {
  const site = await siteOf(origin => ({ "/": page("Home", "/b"), "/sitemap.xml": sitemap(origin, "/a") }));
  expect(paths(await map({ url: site.url, sitemaps }))).toEqual(expected);
  expect(asked(site).sort()).toEqual(requests);
});

test("sitemaps that robots.txt names are read, indexes and packed ones; thousands of URLs", async () => {
  const urls = Array.from({ length: 9000 }, (_, n) => `/p/${n}`);
  const site = await siteOf(origin => ({
    "/robots.txt": `Sitemap: ${origin}/index.xml`,
    "/": page("Home"),
    "/index.xml": sitemapIndex(origin, "/one.xml", "/two.xml.gz"),
    "/one.xml": sitemap(origin, ...urls.slice(0, 5000)),
    "/two.xml.gz": gzipSync(sitemap(origin, ...urls.slice(5000)).body),
    "/sitemap.xml": sitemap(origin, "/not-named"),
  }));
  const found = await map({ url: site.url, limit: 30_000 });
  expect(found).toMatchObject({ total: 9001, complete: true });
  expect(paths(found)).toEqual(["/", ...urls]);
});

test.each<[string, Routes]>([
  ["a sitemap that breaks off", { "/bad.xml": (_, response) => void response.destroy() }],
  ["a sitemap of a server in trouble", { "/bad.xml": { status: 503 } }],
  ["a packed one that is broken", { "/bad.xml": Buffer.from("\u001f\u008bno gzip", "latin1") }],
])("%s leaves the others, and the map is not complete", async (_, routes) => {
  const site = await siteOf(origin => ({
    "/": page("Home"),
    "/sitemap.xml": sitemapIndex(origin, "/bad.xml", "/good.xml"),
    "/good.xml": sitemap(origin, "/a"),
    ...routes,
  }));
  const found = await map({ url: site.url });
  expect([paths(found), found.complete]).toEqual([["/", "/a"], false]);
});

test("of a sitemap that is cut off the URLs before the cut are taken", async () => {
  const site = await siteOf(origin => ({
    "/": page("Home"),
    "/sitemap.xml": { body: `<urlset><url><loc>${origin}/a</loc></url><url><loc>${origin}/b` },
  }));
  expect(paths(await map({ url: site.url }))).toEqual(["/", "/a"]);
});

test("hosts below the entry page's host are taken when asked for; `www.` is the host itself", async () => {
  const site = await siteOf(origin => ({
    "/": page("Home", `//docs.${named(origin)}/guide`, "http://shop.example.test/"),
    "/sitemap.xml": sitemap(`http://www.${named(origin)}`, "/a", `http://blog.${named(origin)}/b`),
  }));
  const url = `http://${named(site.url)}/`;
  expect((await map({ url })).data.map(({ url }) => url)).toEqual([url, `http://www.${named(site.url)}/a`]);
  const wide = await map({ url, include_subdomains: true });
  expect(wide.data.map(({ url }) => url)).toEqual([
    url,
    `http://www.${named(site.url)}/a`,
    `http://blog.${named(site.url)}/b`,
    `http://docs.${named(site.url)}/guide`,
  ]);
});

test("the map is of the site to which the entry page leads", async () => {
  const target = await siteOf(origin => ({
    "/new/": page("New", "a"),
    "/sitemap.xml": sitemap(origin, "/new/b", "/c"),
  }));
  const site = await siteOf(origin => ({
    "/": redirect(`${target.url}/new/`),
    "/sitemap.xml": sitemap(origin, "/old"),
  }));
  const found = await map({ url: site.url });
  expect(found.data.map(({ url }) => url)).toEqual(
    ["/new/", "/new/b", "/new/a"].map(path => target.url + path),
  );
});

test("robots.txt is obeyed: for the entry page, and for what the map names", async () => {
  const site = await siteOf(origin => ({
    "/robots.txt": `User-agent: *\nDisallow: /closed\nDisallow: /only\nAllow: /only/$\nSitemap: ${origin}/s.xml`,
    "/": page("Home", "/closed/a", "/open"),
    "/closed/": page("Closed"),
    "/s.xml": sitemap(origin, "/closed/b", "/only/c"),
  }));
  expect(paths(await map({ url: site.url }))).toEqual(["/", "/open"]);
  expect(await refused({ url: `${site.url}/closed/` })).toEqual([502, "target_blocked"]);
  expect(asked(site)).not.toContain("/closed/");
});

test("an entry page that is no page has the map of its sitemaps", async () => {
  const site = await siteOf(origin => ({
    "/data.zip": { headers: { "content-type": "application/zip" }, body: "PK\u0003\u0004" },
    "/gone": { status: 404, body: page("Gone", "/from-gone") },
    "/sitemap.xml": sitemap(origin, "/a"),
  }));
  expect(await map({ url: `${site.url}/data.zip` })).toMatchObject({ total: 1, complete: true });
  expect(paths(await map({ url: `${site.url}/gone` }))).toEqual(["/a"]);
});

test("what is found in time is answered, and the map is not complete", async () => {
  const held: (() => void)[] = [];
  const site = await siteOf(origin => ({
    "/": page("Home"),
    "/sitemap.xml": sitemapIndex(origin, "/good.xml", "/slow.xml"),
    "/good.xml": sitemap(origin, "/a"),
    "/slow.xml": (_, response) => void held.push(() => response.end()),
  }));
  const found = await map({ url: site.url, timeout: 3000 });
  expect([paths(found), found.complete]).toEqual([["/", "/a"], false]);
  const slow = await siteOf(() => ({ "/": (_, response) => void held.push(() => response.end()) }));
  expect(await refused({ url: slow.url, timeout: 1000, sitemaps: "skip" })).toEqual([408, "scrape_timeout"]);
  for (const end of held) end();
});

/** Answers to others while a promise is open. */
async function livesDuring(work: Promise<unknown>): Promise<number> {
  let [lives, isDone] = [0, false];
  void work.finally(() => {
    isDone = true;
  });
  for (; !isDone; lives += 1) expect((await crawler.request("GET", "/health/live")).status).toBe(200);
  return lives;
}

test("others are answered while the rules and the sitemap of a hostile site are worked on", async () => {
  const wild = Array.from({ length: 8 }, (_, n) => `Disallow: /*${"a*".repeat(990)}${n}b`);
  const plain = Array.from({ length: 25_000 }, (_, n) => `Disallow: /plain/${n}`);
  const long = Array.from({ length: 400 }, (_, n) => `/${"a".repeat(1980)}${n}`);
  const site = await siteOf(origin => ({
    "/robots.txt": ["User-agent: *", ...wild, ...plain].join("\n"),
    "/": page("Home"),
    "/sitemap.xml": sitemap(origin, ...long),
  }));
  const mapping = map({ url: site.url });
  expect(await livesDuring(mapping)).toBeGreaterThan(20);
  expect(await mapping).toMatchObject({ total: 401, complete: true });
});

test("a sitemap of 25,000 URLs, many of them forbidden, is worked on beside others", async () => {
  const rules = Array.from({ length: 5000 }, (_, n) => `Disallow: /p/${n}$`);
  const urls = Array.from({ length: 25_000 }, (_, n) => `/p/${n}`);
  const site = await siteOf(origin => ({
    "/robots.txt": ["User-agent: *", ...rules].join("\n"),
    "/": page("Home"),
    "/sitemap.xml": sitemap(origin, ...urls),
  }));
  const mapping = map({ url: site.url, search: "24000", limit: 1 });
  expect(await livesDuring(mapping)).toBeGreaterThan(20);
  expect(await mapping).toMatchObject({
    ...{ total: 20_001, complete: true },
    data: [{ url: `${site.url}/p/24000` }],
  });
});

test("what crawls and batches of the key know is a part of the map, and of no other key's", async () => {
  const site = await siteOf(() => ({
    "/": page("Home", "/a"),
    "/a": page("The page A", "/hidden/b", "/hidden/gone"),
    "/hidden/b": page("The page B"),
    "/named": page("Named by a batch"),
  }));
  const [mine, other] = [await crawler.newKey("mine"), await crawler.newKey("other")];
  const plain = { js_render: { enabled: false }, request: { block_ads: false } };
  const id = await crawler.accepted({ url: `${site.url}/` }, { key: mine });
  await until(
    "the crawl ends",
    async () => (await crawler.status(id, "", { key: mine })).status === "completed",
  );
  const body = { urls: [`${site.url}/named`], ...plain };
  const reply = await crawler.request("POST", "/web/batch", { key: mine, body });
  const { batch_id } = reply.json<{ batch_id: string }>();
  await until("the batch ends", async () => {
    const status = await crawler.request("GET", `/web/batch/${batch_id}`, { key: mine });
    return status.json<{ status: string }>().status === "completed";
  });
  const found = await map({ url: site.url }, { key: mine });
  expect(Object.fromEntries(found.data.map(({ url, title }) => [pathOf(url), title]))).toEqual({
    "/": "Home",
    "/a": "The page A",
    "/hidden/b": "The page B",
    "/named": "Named by a batch",
  });
  expect(paths(await map({ url: site.url }, { key: other }))).toEqual(["/", "/a"]);
});

test("pages that a crawl has found and left for its limit are known, pages that it had to leave are not", async () => {
  const site = await siteOf(() => ({
    "/robots.txt": "User-agent: *\nDisallow: /closed",
    "/": page("Home", "/a"),
    "/a": page("A", "/b", "/c", "/closed", "/moved"),
    "/moved": redirect("/b"),
    "/b": page("B"),
  }));
  const key = await crawler.newKey("limits");
  const id = await crawler.accepted({ url: `${site.url}/`, crawler: { limit: 2 } }, { key });
  await until("the crawl ends", async () => (await crawler.status(id, "", { key })).status === "completed");
  const found = await map({ url: site.url, sitemaps: "skip" }, { key });
  expect(paths(found).sort()).toEqual(["/", "/a", "/b", "/c", "/moved"]);
  expect(found.data.find(({ url }) => pathOf(url) === "/c")).toMatchObject({ title: null });
});

test("what earlier crawls know is in the map, also when the sitemaps take all the time", async () => {
  const held: (() => void)[] = [];
  const site = await siteOf(() => ({
    "/": page("Home", "/a"),
    "/a": page("A", "/b"),
    "/b": page("B"),
    "/sitemap.xml": (_, response) => void held.push(() => response.end()),
  }));
  const key = await crawler.newKey("slow sitemaps");
  const id = await crawler.accepted({ url: `${site.url}/`, crawler: { sitemaps: false } }, { key });
  await until("the crawl ends", async () => (await crawler.status(id, "", { key })).status === "completed");
  const found = await map({ url: site.url, timeout: 3000 }, { key });
  expect(paths(found).sort()).toEqual(["/", "/a", "/b"]);
  for (const end of held) end();
});

test("robots.txt of the scheme and host to which the entry page leads is obeyed, however late the sitemaps are", async () => {
  const held: (() => void)[] = [];
  const site = await siteOf(origin => ({
    "/robots.txt": `User-agent: *\nDisallow: /closed\nSitemap: ${origin}/slow.xml`,
    "/": ({ headers }, response) => {
      const isNamed = headers.host?.startsWith("www.");
      if (isNamed) response.setHeader("content-type", "text/html").end(page("Home", "/closed/a", "/open"));
      else response.writeHead(301, { location: `http://www.${named(origin)}/` }).end();
    },
    "/slow.xml": (_, response) => void held.push(() => response.end()),
  }));
  const found = await map({ url: `http://${named(site.url)}/`, timeout: 3000 });
  expect([paths(found), found.complete]).toEqual([["/", "/open"], false]);
  for (const end of held) end();
});

test.each<[string, object, [number, string, string?]]>([
  ["a private address", { url: "http://10.0.0.1/" }, [400, "url_not_allowed", "url"]],
  ["no URL", { url: "docs" }, [400, "invalid_url", "url"]],
  ["a port that browsers refuse", { url: "http://127.0.0.1:9/" }, [400, "url_not_allowed", "url"]],
  ["a limit of none", { url: "https://a.test/", limit: 0 }, [400, "validation_failed", "limit"]],
  [
    "a kind of sitemaps",
    { url: "https://a.test/", sitemaps: "some" },
    [400, "validation_failed", "sitemaps"],
  ],
])("refused: %s", async (_, body, expected) => {
  expect(await refused(body)).toEqual(expected);
});

test("the entry page's errors are those of a scrape", async () => {
  const site = await sites.start({});
  const gone = site.url;
  await site.close();
  expect(await refused({ url: gone })).toEqual([502, "target_unreachable"]);
  const away = await siteOf(() => ({ "/": redirect("http://10.0.0.1/") }));
  expect(await refused({ url: away.url })).toEqual([400, "url_not_allowed"]);
});

test("while a map reads its entry page, it has one of the key's scrape slots", async () => {
  const held: (() => void)[] = [];
  const site = await siteOf(() => ({
    "/": (_, response) =>
      void held.push(() => response.setHeader("content-type", "text/html").end(page("Home"))),
  }));
  const key = await crawler.newKey("slots", { concurrentScrapes: 1 });
  const mapping = map({ url: site.url }, { key });
  await until("the entry page is asked for", () => held.length > 0);
  const scrape = () => crawler.request("POST", "/web/scrape", { key, body: { url: site.url } });
  const refusal = await scrape();
  expect([refusal.status, refusal.json<Refusal>().code]).toEqual([429, "rate_limited"]);
  expect((await ask({ url: site.url }, { key })).json<Refusal>().code).toBe("rate_limited");
  for (const answer of held.splice(0)) answer();
  expect(paths(await mapping)).toEqual(["/"]);
});
