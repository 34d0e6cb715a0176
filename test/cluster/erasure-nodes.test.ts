import { BSON } from "mongodb";
import { createClient } from "redis";
import { closeMongo, openMongo } from "../../mixins/cluster/mongo.ts";
import { toConfig } from "../../mixins/config/config.ts";
import { apiService } from "../../services/api/api.service.ts";
import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { crawlerService } from "../../services/crawler/crawler.service.ts";
import { historyService } from "../../services/history/history.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type RequestOptions, request } from "../support/magpie.ts";
import { type Nodes, startNodes } from "../support/magpie-nodes.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startNats, type TestNats } from "../support/nats.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

const mongo = await startMongo();
const inCluster = withMongo(mongo);
const namespace = "erasure-nodes";

/** What a feed says is in its name, and nowhere else. */
const feeds = { shared: "Nachtigallin", gone: "Zaunkönigin", stays: "Wiedehopfin" };
const news = new Set<string>();

let servers: [TestNats, TestRedis];
let nodes: Nodes;
let site: Site;

beforeAll(async () => {
  servers = await Promise.all([startNats(), startRedis()]);
  site = await startSite((asked, response) => {
    const [, name = "", what] = (asked.url ?? "").split("/");
    const mark = feeds[name as "gone"];
    if (mark === undefined) return response.end("heard");
    const item = (n: number) => `<item><guid>${n}</guid><title>${mark} says ${n}</title></item>`;
    const items = news.has(name) ? [item(2), item(1)] : [item(1)];
    const rss = `<rss version="2.0"><channel><title>${mark}</title>${items.join("")}</channel></rss>`;
    const page = `<html lang="en"><title>${mark}</title><main><p>${`${mark} says it. `.repeat(20)}</p></main></html>`;
    response.setHeader("content-type", what === "feed" ? "application/rss+xml" : "text/html; charset=utf-8");
    return response.end(what === "feed" ? rss : page);
  });
  const [nats, redis] = servers;
  if (!mongo.isThere) return;
  const cluster = { natsUrl: nats.url, redisUrl: redis.url, mongoUrl: mongo.url, namespace };
  const overrides = {
    egressAllow: ["127.0.0.1"],
    browser: { ...toConfig({}).browser, path: "/nowhere" },
    social: { ...toConfig({}).social, sandboxEveryMs: null },
    webhooks: { allowHttp: true, backoffMs: [100] },
    pollMinIntervalMs: 1000,
  };
  nodes = await startNodes(cluster, overrides, [
    ...[keysService, keysService, trackerService, trackerService, connectorsService, historyService],
    ...[scraperService, crawlerService, webhookDispatcherService, webhookDispatcherService],
    config => apiService(config),
  ]);
}, 300_000);

afterAll(async () => {
  await nodes?.stop();
  await site?.close();
  await Promise.all([mongo, ...(servers ?? [])].map(server => server.stop()));
});

async function ask<Data>(
  method: string,
  path: string,
  options: RequestOptions,
  url = nodes.url,
): Promise<Data> {
  const reply = await request(url, method, path, options);
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
  return reply.json<Data & Record<string, unknown>>();
}

interface Holder {
  id: string;
  key: string;
}

/** A key that tracks two feeds and has left something in every service. */
async function fill(owner: string, own: keyof typeof feeds): Promise<Holder> {
  const body = { owner, name: "n", limits: { requestsPerMinute: 1_000_000 } };
  const { data } = await ask<{ data: Holder }>("POST", "/internal/keys", { admin: true, body });
  const as = { key: data.key };
  await ask("POST", "/webhook", { ...as, body: { url: `${site.url}/hook` } });
  for (const name of ["shared", own])
    await ask("POST", "/track/rss", { ...as, body: { sid: `${site.url}/${name}/feed` } });
  const url = `${site.url}/${own}/page`;
  const scraped = { url, mode: "async", output: { formats: ["markdown"] }, js_render: { enabled: false } };
  const { scrape_id } = await ask<{ scrape_id: string }>("POST", "/web/scrape", { ...as, body: scraped });
  const crawled = { url, crawler: { limit: 1 }, js_render: { enabled: false } };
  const { crawl_id } = await ask<{ crawl_id: string }>("POST", "/web/crawl", { ...as, body: crawled });
  for (const path of [`/web/scrape/${scrape_id}`, `/web/crawl/${crawl_id}`])
    await until(
      "it ends",
      async () => (await ask<{ status: string }>("GET", path, as)).status === "completed",
    );
  return data;
}

type Told = { seq: number; id: string; type: string; data: { source: { externalId: string } | null } };

async function logOf({ key }: Holder, url = nodes.url): Promise<Told[]> {
  return (await ask<{ data: Told[] }>("GET", "/events?limit=100", { key }, url)).data;
}

/** The collections that hold a text, in their documents. */
async function collectionsWith(text: string): Promise<string[]> {
  const options = { mongoUrl: mongo.url, namespace };
  const { db, name } = await openMongo(options);
  const found: string[] = [];
  for (const { name: collection } of await db.listCollections().toArray())
    if (collection.startsWith(name("")))
      for await (const document of db.collection(collection).find())
        if (BSON.EJSON.stringify(document).includes(text)) found.push(collection.slice(name("").length));
  await closeMongo(options);
  return [...new Set(found)].sort();
}

async function erase(body: object): Promise<string[]> {
  const { data } = await ask<{ data: { id: string } }>("POST", "/internal/erasures", { admin: true, body });
  type Shown = { data: { state: string; found: { kind: string }[] } };
  let shown: Shown["data"] | undefined;
  await until("it ends", async () => {
    shown = (await ask<Shown>("GET", `/internal/erasures/${data.id}`, { admin: true })).data;
    return shown.state !== "running";
  });
  expect(shown?.state).toBe("completed");
  return shown?.found.map(({ kind }) => kind) ?? [];
}

inCluster.test(
  "a source, a key and an owner are erased on all nodes, and those who stay keep theirs",
  async () => {
    const second = nodes.services.at(-1)?.getLocalService("api") as unknown as { address: string };
    const gateways = [nodes.url, second.address];
    const [one, two, stays] = [
      await fill("gone & co", "gone"),
      await fill("gone & co", "gone"),
      await fill("stays", "stays"),
    ];
    const all = [one, two, stays];
    for (const name of ["shared", "gone", "stays"]) news.add(name);
    for (const holder of all) {
      await until("both feeds are told", async () => (await logOf(holder)).length >= 2);
      await until("both are delivered", async () => {
        const { data } = await ask<{ data: unknown[] }>("GET", "/webhook/deliveries", { key: holder.key });
        return data.length >= 2;
      });
    }
    // Both gateways have read the bodies, and keep them in memory.
    const before = await Promise.all(all.map(holder => logOf(holder, gateways[1])));
    expect(await collectionsWith(feeds.shared)).toContain("log_bodies");

    const eid = `${site.url}/shared/feed`;
    expect(await erase({ source: "rss", eid })).toEqual(
      expect.arrayContaining(["sources", "subscriptions", "pasts of sources", "events"]),
    );
    expect(await collectionsWith(feeds.shared)).toEqual([]);
    expect(await collectionsWith(eid)).toEqual([]);
    const without = before.map(log =>
      log.map(event =>
        event.data.source?.externalId === eid
          ? { ...event, type: "event.erased", data: { source: null } }
          : event,
      ),
    );
    for (const url of gateways)
      expect(await Promise.all(all.map(holder => logOf(holder, url)))).toEqual(without);

    expect(await erase({ key_id: one.id })).toEqual(
      expect.arrayContaining([
        "keys",
        "endpoints",
        "deliveries",
        "scrapes",
        "crawls",
        "subscriptions",
        "events",
      ]),
    );
    expect(await collectionsWith(one.id)).toEqual([]);
    for (const url of gateways)
      expect(await request(url, "GET", "/events", { key: one.key })).toHaveProperty("status", 401);
    expect(await logOf(two)).toEqual(without[1]);

    await erase({ owner: "gone & co" });
    for (const trace of [two.id, "gone & co"]) expect(await collectionsWith(trace)).toEqual([]);
    const redis = await createClient({ url: servers[1].url }).connect();
    const streams = await redis.keys(`${namespace}:log:of:*`);
    redis.destroy();
    expect(streams.map(name => name.split(":").at(-1))).toEqual([stays.id]);
    expect(await logOf(stays, gateways[1])).toEqual(without[2]);
    const { data } = await ask<{ data: { externalId: string }[] }>("GET", "/track", { key: stays.key });
    expect(data.map(({ externalId }) => externalId)).toEqual([`${site.url}/stays/feed`]);
  },
  400_000,
);
