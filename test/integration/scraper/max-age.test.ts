import { setTimeout as sleep } from "node:timers/promises";
import { type Site, startSite } from "../../support/http-site.ts";
import { until } from "../../support/until.ts";
import { type Job, type Scraper, startScraper } from "./scraper.ts";

const hourMs = 3_600_000;
const text = "<title>A page</title><p>The text of an ordinary page that anyone may read, at some length.</p>";

let site: Site;
let scraper: Scraper;
let visits = 0;

beforeAll(async () => {
  site = await startSite({
    "/page": (_, response) =>
      response.setHeader("content-type", "text/html").end(`${text}<p>Visit ${++visits}</p>`),
    "/missing": { status: 404, body: text },
    "/reset": (_, response) => void response.destroy(),
  });
  scraper = await startScraper([site.port]);
});

afterAll(async () => {
  await scraper?.stop();
  await site?.close();
});

beforeEach(() => {
  site.hits.length = 0;
});

/** A page of its own for each test. */
let pages = 0;
const newPage = () => `${site.url}/page?${++pages}`;
/** How often the site was asked for a page; a browser may ask for its icon at any time. */
const asked = (path = "/page") => site.hits.filter(({ url }) => url.startsWith(path)).length;
const read = async (url: string, fields: object = {}, key?: string): Promise<Job> =>
  await scraper.job({ url, max_age: hourMs, ...fields }, { ...(key && { key }) });

test("an equal scrape within the age answers in place of the site, and says from when it is", async () => {
  const url = newPage();
  const first = await read(url, { max_age: 0 });
  const second = await read(url);
  expect(asked()).toBe(1);
  expect(first.data.metadata.cached_at).toBeUndefined();
  expect(second.data).toEqual({
    ...first.data,
    metadata: { ...first.data.metadata, cached_at: first.started_at },
  });
  expect(second.scrape_id).not.toBe(first.scrape_id);
  expect((await scraper.request("GET", `/web/scrape/${second.scrape_id}`)).json<Job>().data).toEqual(
    second.data,
  );
});

test("what is older is read again; an answer of an earlier scrape does not make that scrape younger", async () => {
  const url = newPage();
  const first = await read(url);
  const second = await read(url);
  expect(second.data.metadata.cached_at).toBe(first.started_at);
  await sleep(20);
  const third = await read(url, { max_age: 1 });
  expect(third.data.metadata.cached_at).toBeUndefined();
  expect((await read(url)).data.metadata.cached_at).toBe(third.started_at);
  expect(asked()).toBe(2);
});

test("without max_age the site is always asked", async () => {
  const url = newPage();
  await read(url);
  expect((await scraper.job({ url })).data.metadata.cached_at).toBeUndefined();
  expect(asked()).toBe(2);
});

test.each<[string, object]>([
  ["a header", { request: { headers: { authorization: "Bearer other" } } }],
  ["a cookie", { request: { cookies: { session: "other" } } }],
  ["a format", { output: { formats: ["markdown", "links"] } }],
  ["the content", { request: { only_main_content: false } }],
  ["a selector", { request: { exclude_tags: ["p"] } }],
  ["the browser", { js_render: { enabled: false } }],
  ["an action", { js_render: { actions: [{ type: "wait", ms: 1 }] } }],
  ["the place", { proxy: { location: "DE" } }],
])("another scrape by %s is read", async (_, fields) => {
  const url = newPage();
  await read(url);
  await read(url, fields);
  expect(asked()).toBe(2);
  expect((await read(url, fields)).data.metadata.cached_at).toEqual(expect.any(String));
  expect(asked()).toBe(2);
});

test("the order of formats, the spelling of the URL and the time that is given do not matter", async () => {
  const url = newPage();
  await read(url, { output: { formats: ["links", "markdown"] } });
  const fields = { output: { formats: ["markdown", "links"] }, timeout: 50_000 };
  const { data } = await read(url.replace("http://", "HTTP://").replace("/page", "/a/../page"), fields);
  expect([asked(), data.metadata.cached_at]).toEqual([1, expect.any(String)]);
});

test("never the scrape of another key, though it has the same owner", async () => {
  const url = newPage();
  const [one, other] = [await scraper.newKey("o"), await scraper.newKey("o")];
  await read(url, {}, one);
  await read(url, {}, other);
  expect(asked()).toBe(2);
  expect((await read(url, {}, other)).data.metadata.cached_at).toEqual(expect.any(String));
  expect(asked()).toBe(2);
});

test("a page that the site did not give, and a failure, are asked for again", async () => {
  for (const _ of [1, 2]) expect((await read(`${site.url}/missing`)).data.metadata.status_code).toBe(404);
  for (const _ of [1, 2]) await scraper.refusal({ url: `${site.url}/reset`, max_age: hourMs });
  expect(asked("/missing")).toBe(2);
  expect(asked("/reset")).toBeGreaterThanOrEqual(2);
});

test("asynchronous scrapes and those with an Idempotency-Key: they answer, and are answered", async () => {
  const url = newPage();
  const headers = { "idempotency-key": "k1" };
  const body = { url, max_age: hourMs, mode: "async" };
  const first = (await scraper.scrape(body, { headers })).json<Job>().scrape_id;
  const { started_at } = await ended(first);
  expect((await read(url)).data.metadata.cached_at).toBe(started_at);
  const second = (await scraper.scrape(body)).json<Job>().scrape_id;
  expect((await ended(second)).data.metadata.cached_at).toBe(started_at);
  const keyed = await scraper.job({ url, max_age: hourMs }, { headers: { "idempotency-key": "k2" } });
  expect(keyed.data.metadata.cached_at).toBe(started_at);
  expect(asked()).toBe(1);
});

test("its screenshots are copies with a life of their own", async () => {
  const url = newPage();
  const fields = {
    output: { formats: ["markdown", "screenshot"] },
    js_render: { actions: [{ type: "screenshot" }] },
  };
  const first = await read(url, fields);
  const second = await read(url, fields);
  expect(asked()).toBe(1);
  const keysOf = ({ data: { screenshot = "", actions } }: Job) => [
    screenshot,
    ...(actions?.screenshots ?? []),
  ];
  const [before, after] = await Promise.all(
    [first, second].map(job => Promise.all(keysOf(job).map(picture))),
  );
  expect(before).toHaveLength(2);
  expect(after).toEqual(before);
  expect(new Set([...keysOf(first), ...keysOf(second)]).size).toBe(4);
});

async function picture(key: string): Promise<string> {
  const headers = { "x-api-key": scraper.apiKey };
  const response = await fetch(`${scraper.url}/web/screenshot/${key}`, { headers });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer()).toString("base64");
}

async function ended(id: string): Promise<Job> {
  const job = async () => (await scraper.request("GET", `/web/scrape/${id}`)).json<Job>();
  await until("the scrape has ended", async () => (await job()).status !== "pending");
  return await job();
}
