import type { IncomingMessage, ServerResponse } from "node:http";
import { until } from "../../support/until.ts";
import { type Crawler, pathOf, startCrawler } from "./crawler.ts";
import { page, Sites } from "./site.ts";

const sites = new Sites();
let crawler: Crawler;

beforeAll(async () => {
  crawler = await startCrawler();
});

afterAll(async () => {
  await crawler?.stop();
  await sites.close();
});

const paths = Array.from({ length: 40 }, (_, n) => `/page/${n}`);

/** A host that takes one request in so many milliseconds, and refuses the others. */
function limited(
  everyMs: number,
  refusal: { status: number; headers?: Record<string, string> },
  answers: Record<string, string>,
) {
  let takesAt = 0;
  return ({ url = "/" }: IncomingMessage, response: ServerResponse) => {
    const now = performance.now();
    const { status, headers } = refusal;
    if (now < takesAt) return void response.writeHead(status, headers).end();
    takesAt = now + everyMs;
    const body = answers[url];
    const type = url.endsWith(".xml") ? "application/xml" : "text/html";
    response.writeHead(body === undefined ? 404 : 200, { "content-type": type }).end(body);
  };
}

const pages = Object.fromEntries(paths.map(path => [path, page(`Page ${path}`)]));

test.each([
  ["429", { status: 429, headers: { "retry-after": "1" } }],
  ["503 that names a time", { status: 503, headers: { "retry-after": "1" } }],
  ["429 that names none", { status: 429 }],
])(
  "a host that limits requests by %s gives all of its pages",
  async (_, refusal) => {
    const site = await sites.start(limited(100, refusal, { "/": page("Home", ...paths), ...pages }));
    const id = await crawler.accepted({ url: `${site.url}/` });
    expect(await crawler.pages(id)).toEqual(["/", ...paths].sort());
    expect(await crawler.errors(id)).toEqual({});
    // The host was asked ever more slowly, and not again and again at full pace.
    expect(site.hits.length).toBeLessThan(3 * paths.length);
  },
  120_000,
);

test("a page that is always refused fails alone, and first of all its site's pages holds up no other", async () => {
  const links = ["/login", ...paths];
  const login = { status: 429, headers: { "retry-after": "1" } };
  const site = await sites.start({ "/": page("Home", ...links), ...pages, "/login": login });
  const id = await crawler.accepted({ url: `${site.url}/` });
  expect(await crawler.pages(id)).toEqual(["/", ...paths].sort());
  expect(await crawler.errors(id)).toEqual({ "/login": "upstream_error" });
}, 120_000);

test("a crawl that has all of its pages does not wait for a sitemap that is refused", async () => {
  const site = await sites.start({
    "/": page("Home", "/a"),
    "/sitemap.xml": { status: 429, headers: { "retry-after": "600" } },
  });
  const id = await crawler.accepted({ url: `${site.url}/`, crawler: { limit: 1 } });
  expect(await crawler.pages(id)).toEqual(["/"]);
  expect(site.hits).not.toContain("/a");
}, 30_000);

test("a batch waits for such a host, and meanwhile reads the pages of others", async () => {
  const strict = await sites.start(limited(60, { status: 429, headers: { "retry-after": "3" } }, pages));
  const other = await sites.start(pages);
  const some = paths.slice(0, 12);
  const urls = [...some.map(path => strict.url + path), ...some.map(path => other.url + path)];
  const plain = { js_render: { enabled: false }, request: { block_ads: false } };
  const reply = await crawler.request("POST", "/web/batch", { body: { urls, ...plain } });
  const { batch_id } = reply.json<{ batch_id: string }>();
  await until("the batch ends", async () => {
    const status = await crawler.request("GET", `/web/batch/${batch_id}`);
    return status.json<{ status: string }>().status === "completed";
  });
  const { data } = (await crawler.request("GET", `/web/batch/${batch_id}?limit=100`)).json<{
    data: { metadata: { final_url: string } }[];
  }>();
  expect(data.map(({ metadata }) => metadata.final_url).sort()).toEqual(urls.toSorted());
  const ofOthers = data.findLastIndex(({ metadata }) => metadata.final_url.startsWith(other.url));
  expect(ofOthers).toBeLessThan(data.length - 1);
}, 120_000);

test("robots.txt, sitemap and entry page are asked for again at a limit, in a crawl and in a map", async () => {
  const urlset = (origin: string) => `<urlset><url><loc>${origin}/listed</loc></url></urlset>`;
  const refused = new Set<string>();
  const site = await sites.start(({ url = "/", headers }, response) => {
    const isFirst = !refused.has(url);
    refused.add(url);
    if (isFirst) return void response.writeHead(429, { "retry-after": "1" }).end();
    if (url === "/robots.txt") return void response.end("User-agent: *\nDisallow: /closed");
    if (url === "/sitemap.xml") return void response.end(urlset(`http://${headers.host}`));
    response.setHeader("content-type", "text/html").end(page("A page", "/closed", "/open"));
  });
  const id = await crawler.accepted({ url: `${site.url}/` });
  expect(await crawler.pages(id)).toEqual(["/", "/listed", "/open"]);
  refused.clear();
  const mapped = await crawler.request("POST", "/web/map", { body: { url: site.url } });
  const { data, complete } = mapped.json<{ data: { url: string }[]; complete: boolean }>();
  expect([data.map(({ url }) => pathOf(url)), complete]).toEqual([["/", "/listed", "/open"], true]);
}, 60_000);

test("a host that asks for a day is not waited for, and the page says so", async () => {
  const site = await sites.start({
    "/": page("Home", "/a", "/b"),
    "/a": { status: 429, headers: { "retry-after": "86400" } },
    "/b": page("B"),
  });
  const id = await crawler.accepted({ url: `${site.url}/` });
  await crawler.ended(id);
  expect(await crawler.errors(id)).toMatchObject({ "/a": "upstream_error" });
  const errors = await crawler.request("GET", `/web/crawl/${id}/errors`);
  expect(errors.text).toMatch("answered 429 and asks for a pause of more than an hour");
});

test("a robots.txt whose first connection breaks is asked for again", async () => {
  let asked = 0;
  const site = await sites.start({
    "/robots.txt": (_, response) => {
      asked += 1;
      if (asked === 1) response.destroy();
      else response.end("User-agent: *\nDisallow: /closed");
    },
    "/": page("Home", "/closed", "/open"),
    "/open": page("Open"),
  });
  const id = await crawler.accepted({ url: `${site.url}/` });
  expect(await crawler.pages(id)).toEqual(["/", "/open"]);
  expect(await crawler.errors(id)).toEqual({ "/closed": "robots" });
}, 30_000);

test.each([10, 11])(
  "a link that leads on by %s redirects is read up to ten of them, and else says why not",
  async hops => {
    const chain = Object.fromEntries(
      Array.from({ length: hops }, (_, n) => [
        `/hop/${n}`,
        { status: 302, headers: { location: n + 1 < hops ? `/hop/${n + 1}` : "/end" } },
      ]),
    );
    const site = await sites.start({ "/": page("Home", "/hop/0"), ...chain, "/end": page("End") });
    const id = await crawler.accepted({ url: `${site.url}/`, crawler: { sitemaps: false } });
    const isRead = hops === 10;
    expect(await crawler.pages(id)).toEqual(isRead ? ["/", "/end"] : ["/"]);
    const failed = Object.entries(await crawler.errors(id)).filter(([, code]) => code !== "redirect");
    expect(failed).toEqual(isRead ? [] : [["/hop/10", "upstream_error"]]);
  },
);
