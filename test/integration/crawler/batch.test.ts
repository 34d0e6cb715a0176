import { mkdtemp } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jest } from "@jest/globals";
import { RequestBudget } from "../../../reader/text/request-budget.ts";
import { removeFolder } from "../../support/folders.ts";
import type { Routes } from "../../support/http-site.ts";
import { type NameServer, startNameServer } from "../../support/name-server.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { until } from "../../support/until.ts";
import { type Crawl, type Crawler, type Listed, pathOf, type Refusal, startCrawler } from "./crawler.ts";
import { page, redirect, Sites, visited } from "./site.ts";

/** What a client gets, written by hand from the interface. */
interface Batch extends Omit<Crawl, "crawl_id" | "url" | "data"> {
  batch_id: string;
  data: {
    markdown?: string;
    metadata: { title?: string; final_url: string; source_url: string };
    error?: { code: string };
  }[];
}

const sites = new Sites();
let crawler: Crawler;
let dataDir: string;
let receiver: Receiver;
let names: NameServer;

const startService = () => startCrawler({ dataDir, egressDnsServers: [names.address] });

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "magpie-batch-"));
  receiver = await startReceiver();
  const addresses = ["127.0.0.1"];
  names = await startNameServer({
    "a.shop.example": { addresses },
    "b.shop.example": { addresses },
    "b.example": { addresses },
  });
  crawler = await startService();
});

afterAll(async () => {
  await crawler?.stop();
  await sites.close();
  await receiver?.close();
  await names?.close();
  await removeFolder(dataDir);
});

type Options = Parameters<Crawler["start"]>[1];

const plain = { js_render: { enabled: false }, request: { block_ads: false } };
const start = (body: object, options: Options = {}) =>
  crawler.request("POST", "/web/batch", { body: { ...plain, ...body }, ...options });

async function accepted(body: object, options?: Options): Promise<string> {
  const reply = await start(body, options);
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  return reply.json<{ batch_id: string }>().batch_id;
}

async function status(id: string, query = ""): Promise<Batch> {
  const reply = await crawler.request("GET", `/web/batch/${id}${query}`);
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  return reply.json<Batch>();
}

async function ended(id: string): Promise<Batch> {
  await until("the batch ends", async () => (await status(id, "?limit=1")).status !== "scraping");
  return await status(id, "?limit=100");
}

async function errors(id: string): Promise<Listed[]> {
  const reply = await crawler.request("GET", `/web/batch/${id}/errors?limit=100`);
  return reply.json<{ data: Listed[] }>().data;
}

/** A site whose pages are held back until they are let go. */
async function heldSite(count: number) {
  const held: ServerResponse[] = [];
  let isHeld = true;
  const paths = Array.from({ length: count }, (_, n) => `/p${n}`);
  const site = await sites.start((request, response) => {
    response.setHeader("content-type", "text/html");
    if (isHeld) held.push(response);
    else response.end(page(request.url ?? ""));
  });
  const letGo = () => {
    isHeld = false;
    for (const response of held.splice(0)) response.end(page("Held"));
  };
  return { site, held, letGo, urls: paths.map(path => site.url + path) };
}

test("a batch reads the pages of its list, each once, and nothing that they link to", async () => {
  const routes: Routes = {
    "/robots.txt": "User-agent: *\nDisallow: /",
    "/a": page("A", "/elsewhere"),
    "/moved": redirect("/a"),
    "/elsewhere": page("Elsewhere"),
  };
  const [one, other] = [await sites.start(routes), await sites.start({ "/b": page("B") })];
  const urls = [`${one.url}/a`, `${other.url}/b`, `${one.url}/moved`, `${one.url}/a`, `${one.url}/gone`];
  const id = await accepted({ urls });
  const batch = await ended(id);
  expect(batch).toEqual({
    batch_id: expect.stringMatching(/^bat_[0-9A-Z]{26}$/),
    version: "v1",
    status: "completed",
    stop_reason: "finished",
    progress: { discovered: 4, queued: 0, running: 0, completed: 4, failed: 0, skipped: 0 },
    data: expect.anything(),
    next_cursor: null,
    started_at: expect.stringMatching(/Z$/),
    ended_at: expect.stringMatching(/Z$/),
    expires_at: expect.stringMatching(/Z$/),
  });
  const led = Object.fromEntries(batch.data.map(({ metadata }) => [metadata.source_url, metadata.final_url]));
  expect(led).toEqual({
    [`${one.url}/a`]: `${one.url}/a`,
    [`${other.url}/b`]: `${other.url}/b`,
    [`${one.url}/moved`]: `${one.url}/a`,
    [`${one.url}/gone`]: `${one.url}/gone`,
  });
  const paths = [...one.hits, ...other.hits].map(({ url }) => url).sort();
  expect(paths).toEqual(["/a", "/a", "/b", "/gone", "/moved"]);
});

test("spellings that lead a crawl to one page are read as the list has them", async () => {
  const site = await sites.start({ "/a": page("A"), "/a/": page("A with a slash") });
  const urls = [`${site.url}/a`, `${site.url}/a/`, `${site.url}/a?utm_source=x`, `${site.url}/b/../a`];
  const batch = await ended(await accepted({ urls }));
  expect(batch.data.map(({ metadata }) => metadata.source_url).sort()).toEqual(urls.slice(0, 3).sort());
  expect(visited(site).sort()).toEqual(["/a", "/a/", "/a?utm_source=x"]);
});

test("what cannot be read is listed with its reason", async () => {
  const site = await sites.start({
    "/ok": page("Ok"),
    "/file.zip": { headers: { "content-type": "application/zip" }, body: "PK\u0003\u0004" },
    "/cut": (_, response) => void response.destroy(),
  });
  const urls = ["/ok", "/file.zip", "/cut"].map(path => site.url + path);
  const id = await accepted({ urls });
  expect(await ended(id)).toMatchObject({ status: "completed", progress: { completed: 1, failed: 2 } });
  const found = (await errors(id)).map(({ url, status, code }) => [pathOf(url), status, code]);
  expect(found.sort()).toEqual([
    ["/cut", "failed", "target_unreachable"],
    ["/file.zip", "failed", "unsupported_media_type"],
  ]);
  const failed = await status(id, "?status=failed");
  expect(failed.data.map(({ metadata }) => metadata.source_url).sort()).toEqual(urls.slice(1).sort());
});

test.each<[string, object, string, string]>([
  ["no URL", { urls: [] }, "urls", "array_min"],
  ["too many", { urls: Array.from({ length: 1001 }, (_, n) => `https://a.test/${n}`) }, "urls", "array_max"],
  ["not a URL", { urls: ["https://a.test/", "b", "c"] }, "urls.1", "invalid_url"],
  ["a private address", { urls: ["https://a.test/", "http://10.0.0.1/"] }, "urls.1", "url_not_allowed"],
  ["too long a URL", { urls: [`https://a.test/${"x".repeat(2048)}`] }, "urls.0", "invalid_url"],
  ["none that is left", { urls: ["b", ""], ignore_invalid_urls: true }, "urls", "required"],
  [
    "a cookie for none of the hosts",
    {
      urls: ["https://a.test/", "https://b.test/"],
      request: { cookies: [{ name: "a", value: "b", domain: "c.test" }] },
    },
    "request.cookies.0.domain",
    "other_site",
  ],
  ["an option of crawls", { urls: ["https://a.test/"], crawler: {} }, "crawler", "unknown_field"],
])("refused: %s", async (_, body, field, code) => {
  const reply = await start(body);
  expect(reply.status).toBe(400);
  expect(reply.json<Refusal>().details).toContainEqual(expect.objectContaining({ field, code }));
});

test("URLs that cannot be read are left out when asked, and listed", async () => {
  const site = await sites.start({ "/": page("Home") });
  const reply = await start({ urls: ["b", `${site.url}/`, "http://10.0.0.1/"], ignore_invalid_urls: true });
  const { batch_id, ...answer } = reply.json<{ batch_id: string }>();
  expect(answer).toEqual({ version: "v1", status: "scraping", invalid_urls: ["b", "http://10.0.0.1/"] });
  expect((await ended(batch_id)).progress).toMatchObject({ discovered: 1, completed: 1 });
});

test("a thousand pages are paged through while they are read, each once", async () => {
  const site = await sites.start(({ url = "" }, response) => {
    response.setHeader("content-type", "text/html").end(page(url));
  });
  const urls = Array.from({ length: 1000 }, (_, n) => `${site.url}/${n}`);
  const id = await accepted({ urls });
  expect((await status(id)).progress.discovered).toBe(1000);
  const seen: string[] = [];
  let cursor = "";
  let pages = 0;
  await until(
    "the list ends",
    async () => {
      const some = await status(id, `?limit=50${cursor}`);
      if (some.status === "scraping") expect(some.next_cursor).not.toBeNull();
      seen.push(...some.data.map(({ metadata }) => metadata.source_url));
      cursor = `&cursor=${some.next_cursor}`;
      pages += 1;
      return some.next_cursor === null;
    },
    60_000,
  );
  expect(seen.toSorted()).toEqual(urls.toSorted());
  expect(site.hits).toHaveLength(1000);
  expect(pages).toBeGreaterThanOrEqual(20);
});

test("a cancelled batch keeps what it has, and lists what it has not read", async () => {
  const { urls, held, letGo, site } = await heldSite(8);
  const id = await accepted({ urls });
  await until("pages are under way", () => held.length > 0);
  const cancel = async () => {
    const reply = await crawler.request("DELETE", `/web/batch/${id}`);
    return [reply.status, reply.json()];
  };
  const answer = { batch_id: id, version: "v1", status: "cancelled" };
  expect(await cancel()).toEqual([200, answer]);
  expect(await cancel()).toEqual([200, answer]);
  const batch = await status(id);
  expect(batch).toMatchObject({ status: "cancelled", stop_reason: "cancelled", next_cursor: null });
  expect(batch.progress).toMatchObject({ discovered: 8, skipped: 8 });
  expect((await errors(id)).map(({ url, code }) => [url, code]).sort()).toEqual(
    urls.map(url => [url, "cancelled"]),
  );
  expect((await errors(id))[0]?.message).toBe("The batch was cancelled before this page was read.");
  const asked = site.hits.length;
  letGo();
  const other = await accepted({ urls: [`${site.url}/other`] });
  await ended(other);
  expect(site.hits.map(({ url }) => url).slice(asked)).toEqual(["/other"]);
  expect((await crawler.request("DELETE", `/web/batch/${other}`)).json<Refusal>()).toMatchObject({
    code: "already_finished",
    message: "This batch has ended already.",
  });
});

test("one request with an Idempotency-Key is one batch", async () => {
  const site = await sites.start({ "/": page("Home") });
  const headers = { "idempotency-key": "batch-once" };
  const urls = [`${site.url}/`];
  const ids = await Promise.all(Array.from({ length: 5 }, () => accepted({ urls }, { headers })));
  expect(new Set(ids).size).toBe(1);
  await ended(ids[0] ?? "");
  expect(site.hits).toHaveLength(1);
  const other = await start({ urls: [`${site.url}/other`] }, { headers });
  expect([other.status, other.json<Refusal>().code]).toEqual([409, "conflict"]);
  // The same key on another operation is another request.
  expect((await crawler.start({ url: urls[0] }, { headers })).status).toBe(200);
});

test("the options of a thousand hosts are checked once", async () => {
  const spend = jest.spyOn(RequestBudget.prototype, "spend");
  const urls = Array.from({ length: 1000 }, (_, at) => `http://h${at}.shop.example/`);
  const tags = (length: number) => Array.from({ length: 50 }, () => ".abc ".repeat(length / 5).trim());
  const batch = (length: number) => ({
    ...{ urls, js_render: { enabled: false } },
    request: { block_ads: false, include_tags: tags(length), exclude_tags: tags(length) },
  });
  const refused = await start(batch(500));
  expect(refused.json<Refusal>().details).toMatchObject([{ field: "request.include_tags.39" }]);
  expect(spend).toHaveBeenCalledTimes(40);
  spend.mockClear();
  const id = await accepted(batch(150));
  expect(spend).toHaveBeenCalledTimes(100);
  spend.mockRestore();
  await crawler.request("DELETE", `/web/batch/${id}`);
});

test("headers and cookies go to the hosts of the list, a cookie with a domain to its own alone", async () => {
  const other = await sites.start({ "/off": page("Off") });
  const site = await sites.start({
    "/a": page("A"),
    "/off": redirect(`http://b.example:${other.port}/off`),
  });
  const [a, b] = [`http://a.shop.example:${site.port}`, `http://b.shop.example:${site.port}`];
  const request = {
    block_ads: false,
    headers: { "x-mine": "1" },
    cookies: [
      { name: "all", value: "1" },
      { name: "own", value: "2", domain: "a.shop.example" },
    ],
  };
  const id = await accepted({ urls: [`${a}/a`, `${b}/a`, `${a}/off`], request });
  expect((await ended(id)).progress).toMatchObject({ completed: 3 });
  const sent = (hits: typeof site.hits) =>
    hits.map(({ url, headers }) => [headers.host, url, headers["x-mine"], headers.cookie].join(" ")).sort();
  expect(sent(site.hits)).toEqual([
    `a.shop.example:${site.port} /a 1 all=1; own=2`,
    `a.shop.example:${site.port} /off 1 all=1; own=2`,
    `b.shop.example:${site.port} /a 1 all=1`,
  ]);
  expect(sent(other.hits)).toEqual([`b.example:${other.port} /off  `]);
});

test("a batch sends its webhook its notices", async () => {
  const site = await sites.start({ "/": page("Home") });
  const key = await crawler.newKey("told-of-batches");
  const webhook = { url: `${receiver.url}/batch` };
  const reply = await start({ urls: [`${site.url}/`], webhook }, { key });
  const { batch_id, webhook_secret } = reply.json<{ batch_id: string; webhook_secret: string }>();
  receiver.trust(webhook_secret);
  const sent = () => receiver.received.filter(({ path }) => path === "/batch");
  await until("both are sent", () => sent().length === 2);
  expect(sent().map(({ event }) => event.type)).toEqual(["batch.started", "batch.completed"]);
  expect(sent().every(({ verified }) => verified)).toBe(true);
  expect(sent()[1]?.event.data.job).toEqual(
    expect.objectContaining({ batch_id, status: "completed", stop_reason: "finished" }),
  );
});

test("batches share the places and the lists of crawls, which tell them apart", async () => {
  const key = await crawler.newKey("batches", { concurrentCrawls: 2 });
  const { urls, letGo, site } = await heldSite(2);
  const crawl = await crawler.accepted({ url: `${site.url}/` }, { key });
  const batch = await accepted({ urls }, { key });
  const third = await start({ urls }, { key });
  expect([third.status, third.json<Refusal>().code]).toEqual([429, "rate_limited"]);
  const reply = await crawler.request("GET", "/web/crawl", { key });
  expect(reply.json<{ data: object[] }>().data).toMatchObject([
    { crawl_id: batch, kind: "batch", url: urls[0], status: "crawling", progress: { discovered: 2 } },
    { crawl_id: crawl, kind: "crawl", url: `${site.url}/`, status: "crawling" },
  ]);
  const all = await crawler.request("GET", "/internal/crawls?limit=2", { admin: true });
  expect(all.json<{ data: { crawl_id: string }[] }>().data.map(({ crawl_id }) => crawl_id)).toEqual([
    batch,
    crawl,
  ]);
  const get = async (path: string, options: Options = { key }) =>
    (await crawler.request("GET", path, options)).status;
  // Pages that show crawls show batches, too.
  expect(await get(`/web/crawl/${batch}`)).toBe(200);
  expect(await get(`/web/batch/${crawl}`)).toBe(404);
  expect(await get(`/web/batch/${crawl.replace("crw_", "bat_")}`)).toBe(404);
  expect(await get(`/web/crawl/${batch.replace("bat_", "crw_")}`)).toBe(404);
  expect(await get(`/web/batch/${batch}`, {})).toBe(404);
  const cancelled = await crawler.request("DELETE", `/internal/crawls/${batch}`, { admin: true });
  expect([cancelled.status, cancelled.json<{ crawl_id: string }>().crawl_id]).toEqual([200, batch]);
  letGo();
});

test("a stop hands a batch back, and the next start goes on with it; no page is asked for twice", async () => {
  const { urls, held, letGo, site } = await heldSite(30);
  const id = await accepted({ urls });
  await until("pages are under way", () => held.length > 0);
  const stopped = crawler.stop();
  await until("nothing is begun any more", () => crawler.context().closing.aborted);
  letGo();
  await stopped;
  expect(site.hits.length).toBeLessThan(30);
  crawler = await startService();
  const batch = await ended(id);
  expect(batch).toMatchObject({ status: "completed", progress: { discovered: 30, completed: 30 } });
  const asked = visited(site);
  expect(new Set(asked).size).toBe(asked.length);
});
