import { bundledVersion } from "../../../mixins/browser/bundled/bundled-package.ts";
import { programAgent } from "../../../mixins/egress/identity.ts";
import { type Site, startSite } from "../../support/http-site.ts";
import { type Crawler, startCrawler } from "./crawler.ts";

const text = "A page with enough words in it to be read as it was sent, without any script at all. ".repeat(
  5,
);

let site: Site;
let crawler: Crawler;

beforeAll(async () => {
  const page = `<!doctype html><title>Page</title><main><p>${text}</p><a href="/b">B</a></main>`;
  site = await startSite({ "/": page, "/b": page });
  crawler = await startCrawler();
});
afterAll(async () => {
  await crawler.stop();
  await site.close();
});
beforeEach(() => {
  site.hits.length = 0;
});

const agents = () => Object.fromEntries(site.hits.map(({ url, headers }) => [url, headers["user-agent"]]));

async function crawled(more: object): Promise<void> {
  const id = await crawler.accepted({ url: `${site.url}/`, ...more });
  expect(await crawler.ended(id)).toMatchObject({ status: "completed" });
}

test("a crawl asks for pages by the name under which it reads robots.txt and sitemaps", async () => {
  await crawled({});
  expect(agents()).toEqual({
    ...{ "/robots.txt": programAgent, "/sitemap.xml": programAgent },
    ...{ "/": programAgent, "/b": programAgent },
  });
  expect(programAgent).toMatch(/^Mozilla\/5\.0 \(compatible; Magpie\/\d+\.\d+\)$/);
});

test("the user's own name, and what a phone says, stand above it", async () => {
  await crawled({ request: { headers: { "User-Agent": "mine/1" } } });
  expect(agents()).toMatchObject({ "/": "mine/1", "/b": "mine/1" });
  await crawled({ request: { device: "mobile" } });
  expect(agents()["/"]).toMatch(/Android.* Mobile Safari/);
});

test("a scrape looks like the browser that would render it", async () => {
  const reply = await crawler.request("POST", "/web/scrape", { body: { url: `${site.url}/` } });
  expect(reply.status).toBe(200);
  expect(agents()["/"]).toContain(` Chrome/${bundledVersion()?.split(".")[0]}.0.0.0 `);
});
