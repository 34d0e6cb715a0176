import type { ServerResponse } from "node:http";
import type { ServiceBroker } from "moleculer";
import { toConfig } from "../../mixins/config/config.ts";
import { call } from "../../services/contracts/action.ts";
import { type Caller, defaultLimits } from "../../services/contracts/caller.ts";
import * as crawls from "../../services/contracts/crawler.contract.ts";
import * as scrapes from "../../services/contracts/scraper.contract.ts";
import type { CrawlerContext } from "../../services/crawler/context.ts";
import { crawlerService } from "../../services/crawler/crawler.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import type { ScraperContext } from "../../services/scraper/context.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Nodes, startNodes } from "../support/magpie-nodes.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startNats, type TestNats } from "../support/nats.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

const html = { "content-type": "text/html" };
const plain = { js_render: { enabled: false }, request: { block_ads: false } };
const text = `<p>${"Words of it. ".repeat(20)}</p>`;
const caller: Caller = { keyId: "k", owner: "default", limits: defaultLimits };

const mongo = await startMongo();
const inCluster = withMongo(mongo);

let servers: [TestNats, TestRedis];
let nodes: Nodes;
let site: Site;
let [now, most] = [0, 0];
const held = new Map<string, ServerResponse[]>();

beforeAll(async () => {
  servers = await Promise.all([startNats(), startRedis()]);
  site = await startSite((request, response) => answer(request.url ?? "/", response));
  const [nats, redis] = servers;
  if (!mongo.isThere) return;
  nodes = await startNodes(
    { natsUrl: nats.url, redisUrl: redis.url, mongoUrl: mongo.url, namespace: "web-nodes" },
    {
      egressAllow: ["127.0.0.1"],
      crawl: { concurrency: 4, hostConcurrency: 2 },
      browser: { ...toConfig({}).browser, path: "/nowhere" },
    },
    [keysService, webhookDispatcherService, scraperService, scraperService, crawlerService, crawlerService],
  );
});

afterAll(async () => {
  for (const response of [...held.values()].flat()) response.destroy();
  await nodes?.stop();
  await site?.close();
  await Promise.all([mongo, ...(servers ?? [])].map(server => server.stop()));
});

/** Pages below /held wait; each other one has two pages below it, four levels deep, and takes a while. */
function answer(path: string, response: ServerResponse): void {
  if (path === "/robots.txt") {
    response.writeHead(404).end();
    return;
  }
  if (path.startsWith("/held")) {
    held.set(path, [...(held.get(path) ?? []), response]);
    return;
  }
  now += 1;
  most = Math.max(most, now);
  response.once("close", () => {
    now -= 1;
  });
  const below = path.length < 5 ? [`${path}a`, `${path}b`] : [];
  const links = below.map(to => `<a href="${to}">${to}</a>`).join(" ");
  setTimeout(() => response.writeHead(200, html).end(`<main>${text}${links}${path}</main>`), 20);
}

const [scraperNodes, crawlerNodes] = [() => nodes.services.slice(2, 4), () => nodes.services.slice(4, 6)];

function contextOf(broker: ServiceBroker): CrawlerContext {
  return (broker.getLocalService("crawler") as unknown as { context: CrawlerContext }).context;
}

function jobsOf(broker: ServiceBroker): ScraperContext {
  return (broker.getLocalService("scraper") as unknown as { context: ScraperContext }).context;
}

async function newKey(limits: object): Promise<string> {
  const body = { owner: "default", name: "n", limits };
  const reply = await nodes.request("POST", "/internal/keys", { admin: true, body });
  return reply.json<{ data: { key: string } }>().data.key;
}

async function startCrawl(path: string, key: string): Promise<string> {
  const body = { url: site.url + path, crawler: { limit: 100, max_depth: 9, sitemaps: false }, ...plain };
  return (await nodes.request("POST", "/web/crawl", { body, key })).json<{ crawl_id: string }>().crawl_id;
}

const crawlStatus = async (id: string) =>
  (await nodes.request("GET", `/web/crawl/${id}`)).json<crawls.CrawlStatus>();
const scrapeStatus = async (id: string) =>
  (await nodes.request("GET", `/web/scrape/${id}`)).json<scrapes.ScrapeJob>();

inCluster.test(
  "crawls on both nodes read every page once, never more than two of the host's at a time",
  async () => {
    const key = await newKey({ concurrentCrawls: 4 });
    const ids = await Promise.all(Array.from({ length: 4 }, () => startCrawl("/", key)));
    await until(
      "all have ended",
      async () => (await Promise.all(ids.map(crawlStatus))).every(({ status }) => status === "completed"),
      200_000,
    );
    const ends = await Promise.all(ids.map(crawlStatus));
    expect(ends.map(({ progress }) => progress.completed)).toEqual(Array(4).fill(31));
    expect(most).toBe(2);
  },
);

inCluster.test("a crawl is cancelled on a node that does not drive it", async () => {
  const id = await startCrawl("/held-crawl", nodes.apiKey);
  const driver = () => crawlerNodes().find(node => contextOf(node).underWay.size > 0);
  await until("it is driven", () => driver() !== undefined && held.has("/held-crawl"));
  const [at, elsewhere] = [driver(), crawlerNodes().find(node => node !== driver())];
  const options = { nodeID: elsewhere?.nodeID ?? "", meta: { caller } };
  await call(nodes.broker as never, crawls.cancelCrawl, { crawl_id: id }, options);
  expect((await crawlStatus(id)).status).toBe("cancelled");
  for (const response of held.get("/held-crawl") ?? []) response.writeHead(200, html).end(text);
  await until("its driver has let go", () => at !== undefined && contextOf(at).underWay.size === 0);
  expect(await crawlStatus(id)).toMatchObject({
    status: "cancelled",
    progress: { completed: 0, skipped: 1 },
  });
});

inCluster.test("an equal scrape on another node answers within max_age", async () => {
  const scrapeAt = async (node: ServiceBroker | undefined) => {
    const options = { nodeID: node?.nodeID ?? "", meta: { caller } };
    const request = {
      url: `${site.url}/aged`,
      max_age: 3_600_000,
      timeout: 30_000,
      mode: "sync",
      ...plain,
    } as never;
    return (await call(nodes.broker as never, scrapes.scrape, request, options)) as scrapes.FinishedScrape;
  };
  const [one, other] = scraperNodes();
  const asked = () => site.hits.filter(({ url }) => url === "/aged").length;
  const first = await scrapeAt(one);
  expect((await scrapeAt(other)).data.metadata.cached_at).toBe(first.started_at);
  expect(asked()).toBe(1);
});

/** A synchronous scrape of a page that is held back, on one node: answered with 408, it goes on there. */
async function lateScrape(path: string, node: ServiceBroker | undefined): Promise<string> {
  const request = { url: site.url + path, mode: "sync", timeout: 1000, ...plain } as never;
  const options = { nodeID: node?.nodeID ?? "", meta: { caller } };
  const error = await call(nodes.broker as never, scrapes.scrape, request, options).catch(thrown => thrown);
  expect(error).toMatchObject({ type: "scrape_timeout" });
  return (error as { data: { scrape_id: string } }).data.scrape_id;
}

inCluster.test(
  "a late scrape is cancelled on a node that does not work on it, which then stops",
  async () => {
    const [one, other] = scraperNodes();
    const id = await lateScrape("/held-late", one);
    expect((await scrapeStatus(id)).status).toBe("pending");
    await call(
      nodes.broker as never,
      scrapes.cancelScrape,
      { scrape_id: id },
      { nodeID: other?.nodeID ?? "", meta: { caller } },
    );
    expect(await scrapeStatus(id)).toMatchObject({ status: "failed", error: { code: "cancelled" } });
    await until("the site is left", () => held.get("/held-late")?.[0]?.destroyed === true);
  },
);

inCluster.test(
  "what a node worked on that is gone is done by another; what a living one works on is not",
  async () => {
    const [gone, left] = scraperNodes();
    if (!gone || !left) throw new Error("There are not two scrapers");
    const [orphan, kept] = [await lateScrape("/held-orphan", gone), await lateScrape("/held-kept", left)];
    await gone.stop();
    await until("the other begins anew", () => held.get("/held-orphan")?.length === 2);
    for (const path of ["/held-orphan", "/held-kept"])
      for (const response of held.get(path) ?? []) response.writeHead(200, html).end(`<main>${text}</main>`);
    for (const id of [orphan, kept])
      await until("it has ended", async () => (await scrapeStatus(id)).status === "completed");
    expect(held.get("/held-kept")).toHaveLength(1);
    expect(jobsOf(left).runs.get(kept)).toBeUndefined();
  },
);
