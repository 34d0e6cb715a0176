import type { Site } from "../support/http-site.ts";
import { until } from "../support/until.ts";
import { type Crawler, startCrawler } from "./crawler/crawler.ts";
import { page, Sites } from "./crawler/site.ts";

/*
 * Requests of n8n's node for Firecrawl, as it sends them with the base address `<magpie>/v2`: every field that its forms fill
 * in is there, also where it asks for nothing.
 */

const sites = new Sites();
let site: Site;
let crawler: Crawler;

beforeAll(async () => {
  const results = [{ url: "https://example.com/", title: "Example", content: "An example." }];
  const searxng = await sites.start((_request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ results }));
  });
  site = await sites.start({
    "/": page("Home", "/docs/a", "/docs/b?x=1", "/docs/b?x=2"),
    "/docs/a": page("A"),
    "/docs/b": page("B"),
  });
  crawler = await startCrawler({ searxngUrl: searxng.url });
});

afterAll(async () => {
  await crawler?.stop();
  await sites.close();
});

async function ask<Body>(method: string, path: string, body?: object): Promise<Body> {
  const sent = body && { body: { integration: "n8n", ...body } };
  const headers = { authorization: `Bearer ${crawler.apiKey}`, accept: "application/json" };
  const reply = await crawler.request(method, `/v2${path}`, { key: null, headers, ...sent });
  if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
  return reply.json<Body>();
}

interface Document {
  markdown?: string;
  links?: string[];
  metadata: { sourceURL: string };
}

interface Job {
  status: string;
  data: Document[];
}

async function ended(path: string): Promise<Job> {
  await until("the job ends", async () => (await ask<Job>("GET", path)).status !== "scraping");
  return await ask<Job>("GET", path);
}

const pathsOf = ({ data }: Job) => data.map(({ metadata }) => new URL(metadata.sourceURL).pathname).sort();

/** Its form of the options of pages, filled in. */
const form = {
  onlyMainContent: true,
  waitFor: 0,
  mobile: false,
  skipTlsVerification: false,
  removeBase64Images: true,
  blockAds: false,
  storeInCache: true,
  proxy: "basic",
};

test("the credentials are tested", async () => {
  expect(await ask("GET", "/team/credit-usage")).toMatchObject({ success: true });
});

test("scrape", async () => {
  const formats = ["markdown", "links"];
  const options = { ...form, timeout: 30_000, formats, parsers: [{ type: "pdf" }] };
  const { data } = await ask<{ data: Document }>("POST", "/scrape", { url: `${site.url}/`, ...options });
  expect([data.markdown, data.links?.length]).toEqual([expect.stringContaining("# Home"), 3]);
});

test("crawl: the formats are beside `scrapeOptions`", async () => {
  const { id } = await ask<{ id: string }>("POST", "/crawl", {
    ...{ url: `${site.url}/`, prompt: "", limit: 500, maxConcurrency: 100 },
    ...{ excludePaths: ["a$"], includePaths: [], ignoreSitemap: true, ignoreQueryParameters: true },
    ...{ allowExternalLinks: false, allowSubdomains: false },
    scrapeOptions: { ...form, formats: { format: [{ type: "markdown" }, { type: "links" }] } },
    formats: ["markdown", "links"],
  });
  const job = await ended(`/crawl/${id}`);
  expect(pathsOf(job)).toEqual(["/", "/docs/b"]);
  expect(Object.keys(job.data[0] ?? {}).sort()).toEqual(["links", "markdown", "metadata"]);
  expect(await ask("GET", `/crawl/${id}/errors`)).toMatchObject({ success: true });
  expect(await ask("GET", "/crawl/active")).toEqual({ success: true, crawls: [] });
});

test("batch", async () => {
  const { id } = await ask<{ id: string }>("POST", "/batch/scrape", {
    ...{ urls: [`${site.url}/docs/a`], formats: ["markdown"], maxConcurrency: 100, ignoreInvalidURLs: true },
    ...{ ...form, zeroDataRetention: false, parsers: [{ type: "pdf" }] },
  });
  expect(pathsOf(await ended(`/batch/scrape/${id}`))).toEqual(["/docs/a"]);
  expect(await ask("GET", `/batch/scrape/${id}/errors`)).toMatchObject({ errors: [] });
});

test("map", async () => {
  const options = { sitemap: "include", includeSubdomains: false, limit: 5000, timeout: 10_000 };
  const { links } = await ask<{ links: object[] }>("POST", "/map", { url: `${site.url}/`, ...options });
  expect(links.length).toBeGreaterThan(1);
});

test("extract: a schema of names of types", async () => {
  const { id } = await ask<{ id: string }>("POST", "/extract", {
    ...{ urls: [`${site.url}/docs/a`], prompt: "", schema: { title: "string" }, ignoreSitemap: true },
    ...{ includeSubdomains: false, enableWebSearch: false, showSources: false },
    scrapeOptions: { ...form, formats: { format: [{ type: "markdown" }] } },
    formats: ["markdown"],
  });
  const state = () => ask<{ status: string; data: unknown }>("GET", `/extract/${id}`);
  await until("it is done", async () => (await state()).status !== "processing");
  expect(await state()).toMatchObject({ status: "completed", data: { title: "A" } });
});

test("search", async () => {
  const options = { sources: [{ type: "web" }], timeout: 60_000, limit: 5, tbs: "" };
  const { data } = await ask<{ data: { web: { url: string }[] } }>("POST", "/search", {
    query: "x",
    ...options,
  });
  expect(data.web.map(({ url }) => url)).toEqual(["https://example.com/"]);
});

test.each([
  "/team/queue-status",
  "/team/token-usage",
  "/team/token-usage/historical",
  "/team/credit-usage/historical",
])("%s", async path => {
  expect(await ask("GET", path)).toMatchObject({ success: true });
});
