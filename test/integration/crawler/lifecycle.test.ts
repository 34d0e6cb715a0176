import { mkdtemp } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pageId, pagesOf, type StoredCrawl } from "../../../services/crawler/crawls.store.ts";
import { expireCrawls } from "../../../services/crawler/maintenance/expire-crawls.ts";
import {
  cancelCrawlsOfDeletedKeys,
  giveUpStalled,
} from "../../../services/crawler/maintenance/reconcile-crawls.ts";
import { writePage } from "../../../services/crawler/pages/page-record.ts";
import type { KeysContext } from "../../../services/keys/context.ts";
import { removeFolder } from "../../support/folders.ts";
import type { Handler, Routes } from "../../support/http-site.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { until } from "../../support/until.ts";
import { type Crawl, type Crawler, pathOf, type Refusal, startCrawler } from "./crawler.ts";
import { page, pageWith, Sites, visited } from "./site.ts";

const sites = new Sites();
let crawler: Crawler;
let dataDir: string;
let receiver: Receiver;

const start = () => startCrawler({ dataDir });
const lettingGo: (() => void)[] = [];

afterEach(() => {
  for (const letGo of lettingGo.splice(0)) letGo();
});

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "magpie-crawler-"));
  receiver = await startReceiver();
  crawler = await start();
});

afterAll(async () => {
  await crawler?.stop();
  await sites.close();
  await receiver?.close();
  await removeFolder(dataDir);
});

/** A site whose pages, but for the first, are held back until they are let go. */
async function heldSite(count: number) {
  const held: ServerResponse[] = [];
  let isHeld = true;
  const paths = Array.from({ length: count }, (_, n) => `/p${n}`);
  const routes: Routes = { "/": page("Home", ...paths) };
  for (const path of paths)
    routes[path] = (_, response) => {
      response.setHeader("content-type", "text/html");
      if (isHeld) held.push(response);
      else response.end(page(path));
    };
  const site = await sites.start(routes);
  const letGo = () => {
    isHeld = false;
    for (const response of held.splice(0)) response.end(page("Held"));
  };
  lettingGo.push(letGo);
  return { site, url: `${site.url}/`, held, letGo };
}

function sums({ progress }: Crawl): number[] {
  const { discovered, completed, failed, skipped } = progress;
  return [discovered, completed + failed + skipped];
}

async function cancel(id: string): Promise<[number, unknown]> {
  const reply = await crawler.request("DELETE", `/web/crawl/${id}`);
  return [reply.status, reply.json()];
}

test("a key has so many crawls at a time, and a place again when one ends", async () => {
  const key = await crawler.newKey("crowd", { concurrentCrawls: 2 });
  const { url, letGo } = await heldSite(2);
  const replies = await Promise.all(Array.from({ length: 6 }, () => crawler.start({ url }, { key })));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429, 429]);
  const refusal = replies.find(({ status }) => status === 429)?.json<Refusal>();
  expect(refusal).toMatchObject({ code: "rate_limited", retry_after: expect.any(Number) });
  letGo();
  await until("a place is free", async () => (await crawler.start({ url }, { key })).status === 200);
});

test("crawls are listed by key and status, and an administrator cancels any", async () => {
  const key = await crawler.newKey("lists");
  const { url, held } = await heldSite(3);
  const first = await crawler.accepted({ url }, { key });
  await until("pages are under way", () => held.length > 0);
  const list = async (path: string, options: object) => {
    const reply = await crawler.request("GET", path, options);
    expect(reply.status).toBe(200);
    return reply.json<{ data: Record<string, unknown>[] }>().data;
  };
  const [running] = await list("/web/crawl?status=crawling", { key });
  expect(running).toEqual({
    crawl_id: first,
    kind: "crawl",
    key_id: expect.any(String),
    url,
    status: "crawling",
    progress: expect.objectContaining({ completed: 1, failed: 0, skipped: 0 }),
    started_at: expect.any(String),
    ended_at: null,
    expires_at: null,
  });
  const remove = (id: string, options: object) =>
    crawler.request("DELETE", `/internal/crawls/${id}`, options);
  expect((await remove(first, { key })).status).toBe(401);
  const cancelled = await remove(first, { admin: true });
  const answer = { crawl_id: first, version: "v1", status: "cancelled" };
  expect([cancelled.status, cancelled.json()]).toEqual([200, answer]);
  expect((await remove(first, { admin: true })).json()).toEqual(answer);
  expect((await remove("crw_none", { admin: true })).status).toBe(404);
  expect((await crawler.status(first, "", { key })).status).toBe("cancelled");
  const second = await crawler.accepted({ url }, { key });
  const ids = (rows: Record<string, unknown>[]) => rows.map(({ crawl_id }) => crawl_id);
  expect(ids(await list("/web/crawl", { key }))).toEqual([second, first]);
  expect(ids(await list("/web/crawl?limit=1", { key }))).toEqual([second]);
  expect(ids(await list(`/web/crawl?limit=1&cursor=${second}`, { key }))).toEqual([first]);
  const ofKey = `/internal/crawls?key_id=${running?.key_id}`;
  expect(ids(await list(`${ofKey}&status=cancelled`, { admin: true }))).toEqual([first]);
  expect(ids(await list(ofKey, { admin: true }))).toEqual([second, first]);
  const refusal = await crawler.request("GET", "/web/crawl?status=lost", { key });
  expect(refusal.json<Refusal>().details?.map(({ field }) => field)).toEqual(["status"]);
});

test("a cancelled crawl ends at once, keeps what it has, and stays cancelled", async () => {
  const { url, held, site } = await heldSite(20);
  const id = await crawler.accepted({ url });
  await until("pages are under way", () => held.length > 0);
  const answer = { crawl_id: id, version: "v1", status: "cancelled" };
  expect(await cancel(id)).toEqual([200, answer]);
  const crawl = await crawler.status(id);
  expect(crawl).toMatchObject({ status: "cancelled", stop_reason: "cancelled", next_cursor: null });
  expect(crawl.data).toHaveLength(1);
  expect(sums(crawl)).toEqual([21, 21]);
  expect(crawl.progress).toMatchObject({ completed: 1, skipped: 20 });
  expect(await cancel(id)).toEqual([200, answer]);
  const asked = visited(site).length;
  for (const response of held) response.end(page("Too late"));
  const other = await heldSite(0);
  await crawler.ended(await crawler.accepted({ url: other.url }));
  expect((await crawler.status(id)).progress).toEqual(crawl.progress);
  expect(visited(site)).toHaveLength(asked);
});

test("paging while it crawls skips nothing and repeats nothing", async () => {
  const { url, held, letGo } = await heldSite(25);
  const id = await crawler.accepted({ url, crawler: { limit: 26 } });
  await until("pages are under way", () => held.length > 0);
  const seen: string[] = [];
  const counts: number[] = [];
  let cursor = "";
  await until("the list ends", async () => {
    const some = await crawler.status(id, `?limit=3${cursor}`);
    if (seen.length > 0) letGo();
    seen.push(...some.data.map(({ metadata }) => pathOf(metadata.final_url)));
    counts.push(some.progress.completed);
    if (some.status === "crawling") expect(some.next_cursor).not.toBeNull();
    cursor = `&cursor=${some.next_cursor}`;
    return some.next_cursor === null;
  });
  expect(seen).toHaveLength(26);
  expect(new Set(seen).size).toBe(26);
  expect(counts).toEqual([...counts].sort((a, b) => a - b));
});

test("one request with an Idempotency-Key is one crawl, however often it comes", async () => {
  const { url, site } = await heldSite(0);
  const headers = { "idempotency-key": "once" };
  const ids = await Promise.all(Array.from({ length: 5 }, () => crawler.accepted({ url }, { headers })));
  expect(new Set(ids).size).toBe(1);
  await crawler.ended(ids[0] ?? "");
  expect(await crawler.accepted({ url }, { headers })).toBe(ids[0]);
  expect(visited(site)).toHaveLength(1);
  const other = await crawler.start({ url, crawler: { limit: 3 } }, { headers });
  expect([other.status, other.json<Refusal>().code]).toEqual([409, "conflict"]);
});

test("a crawl sends its webhook the wanted notices, once and signed", async () => {
  const { url } = await heldSite(0);
  const key = await crawler.newKey("told");
  const webhook = { url: `${receiver.url}/told`, headers: { "x-mine": "1" } };
  const reply = await crawler.start({ url, webhook }, { key });
  const { crawl_id, webhook_secret } = reply.json<{ crawl_id: string; webhook_secret: string }>();
  receiver.trust(webhook_secret);
  const sent = () => receiver.received.filter(({ path }) => path === "/told");
  await until("both are sent", () => sent().length === 2);
  expect(sent().map(({ event }) => event.type)).toEqual(["crawl.started", "crawl.completed"]);
  const [, last] = sent();
  expect([last?.verified, last?.headers["x-mine"]]).toEqual([true, "1"]);
  expect(last?.event.data.job).toMatchObject({
    crawl_id,
    status: "completed",
    stop_reason: "finished",
    progress: { completed: 1 },
  });
  expect(new Set(sent().map(({ id }) => id)).size).toBe(2);
});

test("a crawl tells its webhook of each page that has ended, and of its end after them", async () => {
  const { url } = await heldSite(0);
  const key = await crawler.newKey("pages");
  const webhook = { url: `${receiver.url}/pages`, events: ["page", "completed"], metadata: { mine: [1] } };
  const reply = await crawler.start({ url, webhook }, { key });
  const { crawl_id, webhook_secret } = reply.json<{ crawl_id: string; webhook_secret: string }>();
  receiver.trust(webhook_secret);
  const sent = () => receiver.received.filter(({ path }) => path === "/pages");
  await until("both are sent", () => sent().length === 2);
  const page = sent().find(({ event }) => String(event.type) === "crawl.page");
  expect(page?.verified).toBe(true);
  expect(page?.event.data).toMatchObject({
    metadata: { mine: [1] },
    job: { crawl_id, url, page: { markdown: expect.any(String), metadata: { status_code: 200 } } },
  });
});

test("a cancelled crawl sends `failed`, if that is wanted", async () => {
  const { url, held } = await heldSite(2);
  const webhook = { url: `${receiver.url}/cancelled`, events: ["failed"] };
  const id = await crawler.accepted({ url, webhook });
  await until("pages are under way", () => held.length > 0);
  await cancel(id);
  const sent = () => receiver.received.filter(({ path }) => path === "/cancelled");
  await until("it is sent", () => sent().length > 0);
  expect(sent().map(({ event }) => [event.type, event.data.job])).toEqual([
    [
      "crawl.failed",
      expect.objectContaining({ status: "cancelled", error: expect.objectContaining({ code: "cancelled" }) }),
    ],
  ]);
});

test("the crawls of a key that is deleted end", async () => {
  const { url, held } = await heldSite(3);
  const admin = { admin: true };
  const made = await crawler.request("POST", "/internal/keys", {
    ...admin,
    body: { owner: "gone", name: "k" },
  });
  const { id: keyId, key } = made.json<{ data: { id: string; key: string } }>().data;
  const id = await crawler.accepted({ url }, { key });
  await until("pages are under way", () => held.length > 0);
  await crawler.request("DELETE", `/internal/keys/${keyId}`, admin);
  await until(
    "it is cancelled",
    async () => (await crawler.context().crawls.findById(id))?.status === "cancelled",
  );
});

test("the crawls of a key that was deleted unheard of end, and no others", async () => {
  const { url, held } = await heldSite(3);
  const [gone, left] = await Promise.all([
    crawler.accepted({ url }, { key: await crawler.newKey("unheard") }),
    crawler.accepted({ url }, { key: await crawler.newKey("left") }),
  ]);
  await until("pages are under way", () => held.length > 1);
  const context = crawler.context();
  const { keyId = "" } = (await context.crawls.findById(gone)) ?? {};
  const { context: keys } = crawler.broker.getLocalService("keys") as unknown as { context: KeysContext };
  await keys.keys.remove(keyId);
  await cancelCrawlsOfDeletedKeys(context);
  const states = await Promise.all([gone, left].map(id => context.crawls.findById(id)));
  expect(states.map(crawl => crawl?.status)).toEqual(["cancelled", "crawling"]);
});

test("a run that has lost its crawl cannot overwrite the page of a later one", async () => {
  const crawl = { _id: "crw_fenced" } as StoredCrawl;
  const context = crawler.context();
  const keep = (fence: number, content: Parameters<typeof writePage>[2]) =>
    writePage({ context, crawl, fence }, "page", content);
  const stored = () => context.pages.findById(pageId("crw_fenced", "page"));
  const error = { code: "upstream_error", message: "No." };
  await keep(2, { bytes: 0, error, statusCode: 503 });
  await expect(keep(1, { bytes: 7, original: "other" })).rejects.toMatchObject({ type: "conflict" });
  expect(await stored()).toMatchObject({ fence: 2, error, statusCode: 503 });
  await keep(3, { bytes: 7, original: "other" });
  expect(await stored()).toEqual({
    _id: pageId("crw_fenced", "page"),
    ...{ fence: 3, bytes: 7, original: "other", writtenAt: expect.any(String) },
  });
});

test("a crawl that ends its workers again and again is given up", async () => {
  const { url, held } = await heldSite(3);
  const id = await crawler.accepted({ url });
  await until("pages are under way", () => held.length > 0);
  await giveUpStalled(crawler.context(), id);
  const crawl = await crawler.status(id);
  expect(crawl).toMatchObject({ status: "failed", stop_reason: "given_up", error: { code: "stalled" } });
  expect(sums(crawl)).toEqual([4, 4]);
});

test("an answer holds at most 10 MB, and the next one goes on from there", async () => {
  const big = (name: string) => page(name).replace("</main>", `</main><!--${"x".repeat(4_000_000)}-->`);
  const site = await sites.start({
    "/": page("Home", "/1", "/2", "/3"),
    "/1": big("1"),
    "/2": big("2"),
    "/3": big("3"),
  });
  const id = await crawler.accepted({ url: `${site.url}/`, output: { formats: ["raw_html"] } });
  expect((await crawler.ended(id)).progress.completed).toBe(4);
  const first = await crawler.request("GET", `/web/crawl/${id}`);
  expect(first.text.length).toBeLessThan(10_000_000);
  const { data, next_cursor } = first.json<Crawl>();
  expect(data).toHaveLength(3);
  const last = await crawler.status(id, `?cursor=${next_cursor}`);
  expect([last.data.length, last.next_cursor]).toEqual([1, null]);
});

test("a stop hands a crawl back, and the next start goes on with it; no page is asked for twice", async () => {
  const { url, held, letGo, site } = await heldSite(30);
  const id = await crawler.accepted({ url });
  await until("pages are under way", () => held.length > 0);
  const stopped = crawler.stop();
  await until("nothing is begun any more", () => crawler.context().closing.aborted);
  letGo();
  await stopped;
  expect(visited(site).length).toBeLessThan(31);
  crawler = await start();
  const crawl = await crawler.ended(id);
  expect(crawl).toMatchObject({ status: "completed", stop_reason: "finished" });
  expect(crawl.progress).toMatchObject({ discovered: 31, completed: 31 });
  const asked = visited(site);
  expect(new Set(asked).size).toBe(asked.length);
});

test.each([
  ["is there", true],
  ["fails", false],
])(
  "a copy that was read before a stop is not read again, and waits on for its original, which then %s",
  async (_, isThere) => {
    let asked = 0;
    // A host that is busy is left alone: the other page has to come through first.
    const other = Promise.withResolvers<void>();
    const original: Handler = async (_, response) => {
      asked += 1;
      response.setHeader("content-type", "text/html").setHeader("retry-after", "5");
      if (asked === 1) await other.promise;
      if (asked === 1) response.writeHead(503).end();
      else if (isThere) response.end(page("Original"));
      else response.destroy();
    };
    const copy = pageWith('<link rel="canonical" href="/original">', "Copy", "/only-here");
    const site = await sites.start({
      "/": page("Home", "/copy"),
      "/copy": copy,
      "/original": original,
      "/only-here": (_, response) => {
        response.setHeader("content-type", "text/html").end(page("Only here"), other.resolve);
      },
    });
    const id = await crawler.accepted({ url: `${site.url}/` });
    await until("nothing but the original is left", async () => {
      const { completed, running, queued } = (await crawler.status(id)).progress;
      return completed === 2 && running === 1 && queued === 1;
    });
    await crawler.stop();
    crawler = await start();
    const kept = isThere ? "/original" : "/copy";
    expect(await crawler.pages(id)).toEqual(["/", "/only-here", kept].sort());
    expect(Object.keys(await crawler.errors(id))).toEqual([isThere ? "/copy" : "/original"]);
    expect(visited(site).filter(path => path === "/copy")).toHaveLength(1);
  },
);

test("a crawl that lost its job is taken up again at the next start", async () => {
  const { url } = await heldSite(1);
  const { crawls } = crawler.context();
  await crawls.insert({
    ...{ _id: "crw_lost", keyId: "k", owner: "default", status: "crawling", slot: 0, notified: [] },
    startedAt: new Date().toISOString(),
    request: {
      url,
      crawler: {
        ...{ limit: 1, include: [], exclude: [], max_depth: 0, sitemaps: false },
        ...{ include_entire_domain: false, include_subdomains: false, include_external_links: false },
      },
      output: { formats: ["markdown"], screenshot: "viewport" },
      request: { device: "desktop", only_main_content: true, block_ads: false, skip_tls_verification: true },
      js_render: { enabled: false },
      proxy: { location: "US" },
    },
  });
  await crawler.stop();
  crawler = await start();
  expect(await crawler.ended("crw_lost")).toMatchObject({ status: "completed", stop_reason: "limit" });
});

test("results expire a day after the end, and are forgotten later", async () => {
  const { url } = await heldSite(0);
  const id = await crawler.accepted({ url });
  await crawler.ended(id);
  const context = crawler.context();
  const stored = () => context.pages.count(pagesOf(id));
  const answer = async (path: string) => (await crawler.request("GET", `/web/crawl/${id}${path}`)).status;
  expect([await stored(), await answer("")]).toEqual([1, 200]);
  const past = new Date(0).toISOString();
  await context.crawls.update(id, { $set: { expiresAt: past } });
  expect([await answer(""), await answer("/errors")]).toEqual([410, 410]);
  await expireCrawls(context);
  expect([await stored(), await context.crawls.findById(id), await answer("")]).toEqual([0, null, 410]);
  expect(await context.frontier.counts(id)).toMatchObject({ discovered: 0 });
  await context.tombstones.update(id, { $set: { forgetAt: past } });
  await expireCrawls(context);
  expect(await answer("")).toBe(404);
});
