import { gzipSync } from "node:zlib";
import type { Routes } from "../../support/http-site.ts";
import { type Crawler, type Refusal, startCrawler } from "./crawler.ts";
import { page, pageWith, redirect, Sites, visited } from "./site.ts";

const sites = new Sites();
let crawler: Crawler;

beforeAll(async () => {
  crawler = await startCrawler();
});

afterAll(async () => {
  await crawler?.stop();
  await sites.close();
});

async function crawl(routes: Routes, path: string, options: object = {}) {
  const site = await sites.start(routes);
  const id = await crawler.accepted({ url: site.url + path, crawler: options });
  return { site, id, end: await crawler.ended(id), pages: await crawler.pages(id) };
}

test("a site is crawled: every page once, whatever it is called, and nothing outside the entry's directory", async () => {
  const { site, end, pages } = await crawl(
    {
      "/docs/": page("Docs", "a", "b#part", "/blog/", "gone", "mailto:a@b.test"),
      "/docs/a": page("A", "b/", "a?utm_source=x", "c", "/docs/index.html"),
      "/docs/b": page("B", "./"),
      "/docs/c": page("C"),
      "/blog/": page("Blog"),
    },
    "/docs/",
  );
  expect(pages).toEqual(["/docs/", "/docs/a", "/docs/b", "/docs/c", "/docs/gone"]);
  expect(visited(site).sort()).toEqual(pages);
  expect(end).toEqual({
    crawl_id: expect.stringMatching(/^crw_/),
    version: "v1",
    status: "completed",
    url: `${site.url}/docs/`,
    stop_reason: "finished",
    progress: { discovered: 5, queued: 0, running: 0, completed: 5, failed: 0, skipped: 0 },
    data: expect.anything(),
    next_cursor: null,
    started_at: expect.stringMatching(/^\d{4}-.*Z$/),
    ended_at: expect.stringMatching(/Z$/),
    expires_at: expect.stringMatching(/Z$/),
  });
  expect(end.data[0]).toEqual({
    markdown: expect.stringContaining("What there is to say of Docs."),
    metadata: expect.objectContaining({ status_code: 200, final_url: `${site.url}/docs/` }),
  });
  expect(end.data.find(({ metadata }) => metadata.status_code === 404)).toBeDefined();
  expect(Date.parse(end.expires_at ?? "") - Date.parse(end.ended_at ?? "")).toBe(24 * 60 * 60 * 1000);
});

test("what is not read is listed with its reason", async () => {
  const { id, site, end, pages } = await crawl(
    {
      "/robots.txt": "User-agent: *\nDisallow: /closed\nUser-agent: Other\nDisallow: /",
      "/": page("Home", "/closed/x", "/moved", "/old", "/print", "/file.zip", "/silent", "/header"),
      "/moved": redirect("/target", 302),
      "/target": page("Target"),
      "/old": redirect("/"),
      "/print": pageWith('<link rel="canonical" href="/original">', "Print", "/only-in-print"),
      "/original": pageWith('<link rel="canonical" href="/original">', "Original"),
      "/only-in-print": page("Only in print"),
      "/file.zip": { headers: { "content-type": "application/zip" }, body: "PK\u0003\u0004" },
      "/silent": pageWith('<meta name="robots" content="nofollow">', "Silent", "/behind"),
      "/header": { headers: { "x-robots-tag": "nofollow" }, body: page("Header", "/behind") },
      "/closed/x": page("Closed"),
      "/behind": page("Behind"),
    },
    "/",
  );
  expect(pages).toEqual(["/", "/header", "/only-in-print", "/original", "/silent", "/target"]);
  expect(await crawler.errors(id)).toEqual({
    "/closed/x": "robots",
    "/moved": "redirect",
    "/old": "redirect",
    "/print": "duplicate",
    "/file.zip": "unsupported_media_type",
  });
  expect(end.progress).toMatchObject({ discovered: 11, completed: 6, failed: 0, skipped: 5 });
  const asked = visited(site);
  expect(new Set(asked).size).toBe(asked.length);
  expect(asked).not.toContain("/behind");
});

test("the limit is exact, and what waits at the end is skipped", async () => {
  const many = Array.from({ length: 30 }, (_, n) => `/p${n}`);
  const routes = Object.fromEntries(many.map(path => [path, page(path)]));
  const { id, site, end } = await crawl({ "/": page("Home", ...many), ...routes }, "/", { limit: 7 });
  expect(end).toMatchObject({ status: "completed", stop_reason: "limit" });
  expect(end.progress).toEqual({
    ...{ discovered: 31, queued: 0, running: 0, completed: 7, failed: 0, skipped: 24 },
  });
  expect(visited(site)).toHaveLength(7);
  expect(new Set(Object.values(await crawler.errors(id)))).toEqual(new Set(["limit"]));
});

const tree: Routes = {
  "/": page("Home", "/a/1", "/b/1"),
  "/a/1": page("A1", "/a/2", '<a rel="next" href="/a/more">more</a>'),
  "/a/2": page("A2", "/a/3"),
  "/a/3": page("A3"),
  "/a/more": page("More", '<a rel="next" href="/a/most">more</a>'),
  "/a/most": page("Most", "/deep"),
  "/b/1": page("B1", '<a rel="nofollow" href="/b/2">2</a>', "/a/1?page=2"),
  "/a/1?page=2": page("Page 2"),
};

test.each<[string, object, string[]]>([
  ["depth 0", { max_depth: 0 }, ["/"]],
  ["depth 1, and what follows by rel=next", { max_depth: 1 }, ["/", "/a/1", "/a/more", "/a/most", "/b/1"]],
  ["include", { include: ["/b/**"] }, ["/", "/b/1"]],
  ["exclude", { exclude: ["/a/**", "/\\?page=/"] }, ["/", "/b/1"]],
])("crawls are bounded by %s", async (_, options, expected) => {
  expect((await crawl(tree, "/", options)).pages).toEqual(expected);
});

test("a wider scope is taken when asked for; pages elsewhere are not followed", async () => {
  const other = await sites.start({ "/": page("Other", "/further"), "/further": page("Further") });
  const routes = {
    "/docs/": page("Docs", "/blog/", `${other.url}/`),
    "/blog/": page("Blog"),
  };
  const options = { include_entire_domain: true, include_external_links: true };
  const { pages } = await crawl(routes, "/docs/", options);
  expect(pages).toEqual(["/", "/blog/", "/docs/"]);
  expect(visited(other)).toEqual(["/"]);
});

test("sitemaps are read: those that robots.txt names, indexes and packed ones", async () => {
  const own = await sites.start((request, response) => {
    const base = `http://${request.headers.host}`;
    const urls = (...paths: string[]) =>
      `<urlset>${paths.map(path => `<url><loc>${base}${path}</loc></url>`).join("")}</urlset>`;
    const bodies: Record<string, string | Buffer> = {
      "/robots.txt": `Sitemap: ${base}/index.xml`,
      "/index.xml": `<sitemapindex><sitemap><loc>${base}/one.xml</loc></sitemap><sitemap><loc>${base}/two.xml.gz</loc></sitemap><sitemap><loc>${base}/none.xml</loc></sitemap></sitemapindex>`,
      "/one.xml": urls("/docs/listed", "/elsewhere"),
      "/two.xml.gz": gzipSync(urls("/docs/packed")),
      "/docs/": page("Docs"),
      "/docs/listed": page("Listed"),
      "/docs/packed": page("Packed"),
    };
    const body = bodies[request.url ?? ""];
    response.writeHead(body ? 200 : 404, { "content-type": "text/html" }).end(body);
  });
  const id = await crawler.accepted({ url: `${own.url}/docs/` });
  expect(await crawler.pages(id)).toEqual(["/docs/", "/docs/listed", "/docs/packed"]);
  const without = await crawler.accepted({ url: `${own.url}/docs/`, crawler: { sitemaps: false } });
  expect(await crawler.pages(without)).toEqual(["/docs/"]);
});

test("a page that asks to come again later is read later", async () => {
  let asked = 0;
  const { pages, end } = await crawl(
    {
      "/": page("Home", "/busy"),
      "/busy": (_, response) => {
        asked += 1;
        if (asked === 1) response.writeHead(429, { "retry-after": "1" }).end();
        else response.writeHead(200, { "content-type": "text/html" }).end(page("Busy"));
      },
    },
    "/",
  );
  expect(pages).toEqual(["/", "/busy"]);
  expect(end.progress).toMatchObject({ discovered: 2, completed: 2 });
});

test("the scope is that of where the entry page's redirects end", async () => {
  const { pages, id } = await crawl(
    {
      "/start": redirect("/then"),
      "/then": redirect("/docs/v2/"),
      "/docs/v2/": page("Docs", "a", "/docs/v1/"),
      "/docs/v2/a": page("A"),
    },
    "/start",
  );
  expect(pages).toEqual(["/docs/v2/", "/docs/v2/a"]);
  expect(await crawler.errors(id)).toEqual({ "/start": "redirect", "/then": "redirect" });
});

test.each<[string, Routes, string]>([
  [
    "is no page",
    { "/": { headers: { "content-type": "application/zip" }, body: "PK\u0003\u0004" } },
    "unsupported_media_type",
  ],
  [
    "is closed by robots.txt",
    { "/robots.txt": "User-agent: magpie\nDisallow: /", "/": page("Home") },
    "robots",
  ],
  ["redirects in a ring", { "/": redirect("/b"), "/b": redirect("/") }, "upstream_error"],
  ["leads to where the service does not go", { "/": redirect("http://192.168.0.1/") }, "url_not_allowed"],
])("a crawl whose entry page %s fails", async (_, routes, code) => {
  const { end, id } = await crawl(routes, "/");
  expect(end).toMatchObject({
    status: "failed",
    stop_reason: "entry_failed",
    error: { code, message: expect.stringMatching(/^[A-Z].*\.$/) },
    next_cursor: null,
    data: [],
  });
  const { discovered, completed, failed, skipped } = end.progress;
  expect([discovered, completed]).toEqual([failed + skipped, 0]);
  expect(Object.keys(await crawler.errors(id))).toHaveLength(discovered);
});

test("a crawl of a site that is down fails", async () => {
  const site = await sites.start({});
  await site.close();
  const id = await crawler.accepted({ url: `${site.url}/` });
  const { status, error, progress } = await crawler.ended(id);
  expect([status, error?.code, progress.failed]).toEqual(["failed", "target_unreachable", 1]);
  expect((await crawler.status(id, "?status=failed")).data).toEqual([
    { metadata: { final_url: `${site.url}/` }, error },
  ]);
});

test.each<[string, object, string, string | undefined]>([
  ["no URL", {}, "validation_failed", "url"],
  ["what is no URL", { url: "nonsense" }, "invalid_url", "url"],
  ["a private address", { url: "http://10.0.0.1/" }, "url_not_allowed", "url"],
  ["a limit of 0", { crawler: { limit: 0 } }, "validation_failed", "crawler.limit"],
  ["a limit that is too high", { crawler: { limit: 100_001 } }, "validation_failed", "crawler.limit"],
  ["a limit that is no number", { crawler: { limit: "ten" } }, "validation_failed", "crawler.limit"],
  ["a negative depth", { crawler: { max_depth: -1 } }, "validation_failed", "crawler.max_depth"],
  ["a depth of 101", { crawler: { max_depth: 101 } }, "validation_failed", "crawler.max_depth"],
  ["a broken pattern", { crawler: { include: ["/a", "/(/"] } }, "validation_failed", "crawler.include.1"],
  ["a backreference", { crawler: { exclude: ["/(a)\\1/"] } }, "validation_failed", "crawler.exclude.0"],
  ["an unknown field", { crawler: { depth: 1 } }, "validation_failed", "crawler.depth"],
  ["json without a wish", { output: { formats: ["json"] } }, "validation_failed", "output.json"],
  [
    "a forbidden header",
    { request: { headers: { host: "x" } } },
    "validation_failed",
    "request.headers.host",
  ],
  ["a webhook to nowhere", { webhook: { url: "ftp://x.test/" } }, "url_not_allowed", "webhook.url"],
])("%s is refused by name", async (name, body, code, field) => {
  const url = name === "no URL" ? {} : { url: "http://127.0.0.1/" };
  const reply = await crawler.start({ ...url, ...body });
  const refusal = reply.json<Refusal>();
  expect([reply.status, refusal.code, refusal.details?.[0]?.field]).toEqual([400, code, field]);
});

test("unknown crawls, those of others, and cursors that are none", async () => {
  const site = await sites.start({ "/": page("Home") });
  const id = await crawler.accepted({ url: `${site.url}/` });
  const stranger = await crawler.newKey("stranger");
  const codeOf = async (method: string, path: string, key?: string) => {
    const reply = await crawler.request(method, path, key === undefined ? {} : { key });
    return [reply.status, reply.json<Refusal>().code];
  };
  for (const path of ["/web/crawl/crw_nope", "/web/crawl/crw_nope/errors"])
    expect(await codeOf("GET", path)).toEqual([404, "not_found"]);
  for (const [method, path] of [
    ["GET", `/web/crawl/${id}`],
    ["GET", `/web/crawl/${id}/errors`],
    ["DELETE", `/web/crawl/${id}`],
  ] as const)
    expect(await codeOf(method, path, stranger)).toEqual([404, "not_found"]);
  expect(await codeOf("GET", `/web/crawl/${id}?cursor=x`)).toEqual([400, "validation_failed"]);
  expect(await codeOf("GET", `/web/crawl/${id}?limit=101`)).toEqual([400, "validation_failed"]);
  await crawler.ended(id);
  expect(await codeOf("DELETE", `/web/crawl/${id}`)).toEqual([409, "already_finished"]);
});

test("the document has crawls, and the crawler is among the services that are ready", async () => {
  const { paths } = (await crawler.request("GET", "/openapi.json")).json<{ paths: object }>();
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining(["/web/crawl", "/web/crawl/{crawl_id}", "/web/crawl/{crawl_id}/errors"]),
  );
  const { rooms } = (await crawler.request("GET", "/health/ready")).json<{
    rooms: Record<string, unknown>;
  }>();
  expect(rooms.crawler).toEqual({ status: "ready", findings: [] });
});
