import type { ServerResponse } from "node:http";
import { type Site, startSite } from "../../support/http-site.ts";
import { type Crawler, type Refusal, startCrawler } from "./crawler.ts";

const shut = "User-agent: *\nDisallow: /\nCrawl-delay: 60\n";
const page = (links: string, head = "") => `<!doctype html><title>Page</title>${head}<main>${links}</main>`;

let site: Site;
let elsewhere: Site;
let crawler: Crawler;
let asked: number[] = [];

beforeAll(async () => {
  elsewhere = await startSite(
    { "/robots.txt": { headers: { "content-type": "text/plain" }, body: shut }, "/": page("Other") },
    undefined,
    "127.0.0.2",
  );
  const html = (body: string) => (_: unknown, response: ServerResponse) => {
    asked.push(performance.now());
    response.writeHead(200, { "content-type": "text/html" }).end(body);
  };
  site = await startSite({
    "/robots.txt": { headers: { "content-type": "text/plain" }, body: shut },
    "/": html(page(`<a href="/a" rel="nofollow">A</a> <a href="/b">B</a> <a href="${elsewhere.url}/">C</a>`)),
    "/a": html(page("A")),
    "/b": html(page('<a href="/c">C</a>', '<meta name="robots" content="nofollow">')),
    "/c": html(page("C")),
  });
  crawler = await startCrawler({
    egressAllow: ["127.0.0.1", "127.0.0.2"],
    crawl: { concurrency: 4, hostConcurrency: 4, ownHosts: ["127.0.0.1", "*.staging.example"] },
  });
});
afterAll(async () => {
  await crawler.stop();
  await Promise.all([site.close(), elsewhere.close()]);
});
beforeEach(() => {
  asked = [];
});

test("a host of the operator is read against its robots.txt, its delay and nofollow; another host is not", async () => {
  const id = await crawler.accepted({
    url: `${site.url}/`,
    crawler: { ignore_robots: true, include_external_links: true, sitemaps: false },
  });
  expect(await crawler.ended(id)).toMatchObject({ status: "completed" });
  expect(await crawler.pages(id)).toEqual(["/", "/a", "/b", "/c"]);
  expect(Object.values(await crawler.errors(id))).toEqual(["robots"]);
  expect(elsewhere.hits.map(({ url }) => url)).toEqual(["/robots.txt"]);
});

test("without the option, robots.txt holds for the operator's hosts, too", async () => {
  const id = await crawler.accepted({ url: `${site.url}/`, crawler: { sitemaps: false } });
  expect(await crawler.ended(id)).toMatchObject({ status: "failed" });
  expect(asked).toEqual([]);
});

test("the option is refused for a host that is not the operator's", async () => {
  const reply = await crawler.start({ url: `${elsewhere.url}/`, crawler: { ignore_robots: true } });
  expect([reply.status, reply.json<Refusal>().details?.[0]]).toEqual([
    403,
    expect.objectContaining({ field: "crawler.ignore_robots", code: "host_not_own" }),
  ]);
});

test("pages are asked for no more often than max_per_second says", async () => {
  const begun = performance.now();
  const id = await crawler.accepted({
    url: `${site.url}/`,
    crawler: { ignore_robots: true, sitemaps: false, max_per_second: 4 },
  });
  expect(await crawler.ended(id)).toMatchObject({ status: "completed" });
  expect(asked.length).toBe(4);
  // The fourth page comes three intervals of 250 ms after the first; a timer may be a little early.
  expect((asked.at(-1) ?? 0) - begun).toBeGreaterThan(740);
});
