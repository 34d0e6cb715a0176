import { randomBytes } from "node:crypto";
import { type Config, toConfig } from "../../mixins/config/config.ts";
import type { WithBlobs } from "../../mixins/store/blobs/blobs.mixin.ts";
import { adminService } from "../../services/admin/admin.service.ts";
import type { Route } from "../../services/api/routes/route.ts";
import { routes } from "../../services/api/routes/routes.ts";
import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { crawlerService } from "../../services/crawler/crawler.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Magpie, type Reply, type RequestOptions, startMagpie } from "../support/magpie.ts";
import { type Nodes, startNodes } from "../support/magpie-nodes.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startNats, type TestNats } from "../support/nats.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

const services = [
  keysService,
  scraperService,
  crawlerService,
  webhookDispatcherService,
  trackerService,
  connectorsService,
  () => adminService(),
];
const overrides: Partial<Config> = {
  egressAllow: ["127.0.0.1"],
  webhooks: { allowHttp: true, backoffMs: [10] },
  browser: { ...toConfig({}).browser, path: "/nowhere" },
  social: { ...toConfig({}).social, sandboxEveryMs: null },
  trustedProxies: ["127.0.0.1"],
};

const page = `<html lang="en"><title>A page</title><main><p>${"Words of it. ".repeat(20)}</p></main></html>`;
const large = page.replace("</p>", `</p><!--${"x".repeat(3_000_000)}-->`);

const mongo = await startMongo();
const inCluster = withMongo(mongo);

let servers: [TestNats, TestRedis];
let site: Site;
let embedded: Magpie;
let nodes: Nodes;

beforeAll(async () => {
  servers = await Promise.all([startNats(), startRedis()]);
  site = await startSite((request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(request.url === "/large" ? large : page);
  });
  embedded = await startMagpie(overrides, config => services.map(service => service(config)));
  const [nats, redis] = servers;
  if (!mongo.isThere) return;
  const urls = { natsUrl: nats.url, redisUrl: redis.url, mongoUrl: mongo.url };
  nodes = await startNodes({ ...urls, namespace: "api-nodes" }, overrides, services);
  await Promise.all([usageOf(embedded), usageOf(nodes)]);
});

/** Requests are counted after they were answered: until the first one is, usage has another shape. */
async function usageOf({ request }: Pick<Magpie, "request">): Promise<void> {
  await until("its first requests are counted", async () => {
    return (await request("GET", "/users/me/usage")).json<{ data: unknown[] }>().data.length > 0;
  });
}

afterAll(async () => {
  await Promise.all([embedded?.stop(), nodes?.stop()]);
  await site?.close();
  await Promise.all([mongo, ...(servers ?? [])].map(server => server.stop()));
});

type Ask = [method: string, path: string, options?: RequestOptions];

/** What a client does wrong, on every route. Only what all of them refuse, or answer without a trace. */
function mistakes({ method, path, auth }: Route): Ask[] {
  const at = path.replaceAll(/\{\w+\}/g, "unknown-id");
  const admin = auth === "admin";
  const bodies = method === "GET" || method === "DELETE" ? [] : [{}, { unknown_field: 1 }, "{", [], "1"];
  return [
    [method, at, { key: null }],
    [method, at, { key: "not-a-key", headers: { "x-forwarded-for": addressOf(path) } }],
    [method, `${at}?limit=many&unknown=1`, { admin }],
    ...bodies.map((body): Ask => [method, at, { admin, body }]),
    [method, at, { admin, headers: { "content-type": "text/plain" } }],
    ...(method === "DELETE" ? [[method, at, { admin }] as Ask] : []),
  ];
}

/** A client for each route: no gateway refuses it for its wrong keys while the other one has already forgotten them. */
function addressOf(path: string): string {
  return `192.0.2.${1 + routes.findIndex(route => route.path === path)}`;
}

/** A snapshot is that of a folder, and a cluster has none: it refuses in words of its own. */
const asked = routes.filter(({ action, name }) => action.kind === "service" && name !== "takeSnapshot");

/** What must be the same wherever the services are: of a refusal every word, of an answer its shape. */
function lookOf({ status, headers, text }: Reply): unknown {
  const type = headers.get("content-type");
  const kept = { status, type, allow: headers.get("allow"), retryAfter: headers.get("retry-after") !== null };
  if (!type?.includes("json")) return kept;
  const { request_id: _, ...body } = Object(JSON.parse(text)) as Record<string, unknown>;
  return { ...kept, body: status >= 400 ? body : shapeOf(body) };
}

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}

inCluster.test(
  "one who sends too many wrong keys is refused the same with the keys on another node",
  async () => {
    const ask: Ask = [
      "GET",
      "/webhook",
      { key: "not-a-key", headers: { "x-forwarded-for": "198.51.100.1" } },
    ];
    let replies = await both(...ask);
    await until("both refuse it", async () => {
      replies = await both(...ask);
      return replies.every(({ status }) => status === 429);
    });
    const [here, there] = replies.map(reply => withoutSeconds(lookOf(reply)));
    expect(there).toEqual(here);
  },
);

/** Of what is to be done in how many seconds: the number is the clock's. */
function withoutSeconds(look: unknown): unknown {
  return JSON.parse(JSON.stringify(look).replaceAll(/(?<="retry_after":|again in )\d+/g, "0"));
}

async function both(...ask: Ask): Promise<[Reply, Reply]> {
  return await Promise.all([embedded.request(...ask), nodes.request(...ask)]);
}

inCluster.test.each(asked.map(route => [`${route.method} ${route.path}`, route] as const))(
  "%s refuses the same with its service on another node",
  async (_, route) => {
    for (const ask of mistakes(route)) {
      const replies = await both(...ask);
      const [here, there] = replies.map(lookOf);
      expect({ ask, ...Object(there) }).toEqual({ ask, ...Object(here) });
      expect(replies[1].status).not.toBe(500);
    }
  },
);

/** Requests that work, one after another, and what each brings for the next: ids differ, shapes do not. */
const works: [name: string, ask: (brought: Record<string, string>) => Ask, bring?: string][] = [
  [
    "a key is made",
    () => ["POST", "/internal/keys", { admin: true, body: { owner: "o", name: "n" } }],
    "data.id",
  ],
  ["keys are listed", () => ["GET", "/internal/keys", { admin: true }]],
  ["one's own are", () => ["GET", "/users/me/api-keys"]],
  ["a key is changed", ({ id }) => ["PATCH", `/internal/keys/${id}`, { admin: true, body: { name: "m" } }]],
  ["a key is deleted", ({ id }) => ["DELETE", `/internal/keys/${id}`, { admin: true }]],
  ["a page is read", () => ["POST", "/web/scrape", { body: scrapeOf("/") }], "scrape_id"],
  ["it is had again", ({ id }) => ["GET", `/web/scrape/${id}`]],
  ["it has ended", ({ id }) => ["DELETE", `/web/scrape/${id}`]],
  ["a large page is read", () => ["POST", "/web/scrape", { body: scrapeOf("/large", ["raw_html"]) }]],
  ["a page is to be read", () => ["POST", "/web/scrape", { body: { ...scrapeOf("/"), mode: "async" } }]],
  ["a webhook is registered", () => ["POST", "/webhook", { body: { url: `${site.url}/hook` } }]],
  ["it is asked for", () => ["GET", "/webhook"]],
  ["it is removed", () => ["DELETE", "/webhook"]],
  ["a user is tracked", () => ["POST", "/track-user", { body: { username: "ada" } }]],
  ["all users are listed", () => ["GET", "/tracked-users"]],
];

function scrapeOf(path: string, formats = ["markdown"]) {
  const plain = { js_render: { enabled: false }, request: { block_ads: false } };
  return { url: site.url + path, output: { formats }, ...plain };
}

inCluster.test("what works has the same shape with the services on other nodes", async () => {
  const brought: [Record<string, string>, Record<string, string>] = [{}, {}];
  for (const [name, ask, bring] of works) {
    const replies = await Promise.all([
      embedded.request(...ask(brought[0])),
      nodes.request(...ask(brought[1])),
    ]);
    const [here, there] = replies.map(lookOf);
    expect({ name, ...Object(there) }).toEqual({ name, ...Object(here) });
    expect({ name, isFault: replies[0].status >= 500 }).toEqual({ name, isFault: false });
    if (bring)
      for (const [n, reply] of replies.entries())
        Object.assign(brought[n] ?? {}, { id: valueAt(reply, bring) });
  }
});

inCluster.test(
  "an administrator sees events of other nodes as they come, and what each node has done",
  async () => {
    const { url, adminKey, services: brokers, request } = nodes;
    const stop = new AbortController();
    const headers = { "x-admin-key": adminKey };
    const stream = await fetch(`${url}/internal/events?type=webhook.test`, { headers, signal: stop.signal });
    let text = "";
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of stream.body ?? []) text += decoder.decode(chunk, { stream: true });
    })();
    await until("it began", () => text.includes("event: hello"));
    await request("POST", "/webhook", { body: { url: `${site.url}/hook` } });
    const sent = (await request("POST", "/webhook/test")).json<{ data: { event_id: string } }>();
    await until("the event came", () => text.includes(sent.data.event_id));
    stop.abort();
    await reading.catch(() => undefined);
    const [, key] = /"key_id":"(\w+)"/.exec(text) ?? [];
    expect((await request("GET", "/users/me")).json()).toMatchObject({ data: { key: { id: key } } });
    await until("the nodes have counted it", async () => {
      const { rates } = await overviewOf(nodes);
      return [rates.series.events, rates.series.delivered].every(counts => counts?.some(count => count > 0));
    });
    await brokers.at(-1)?.destroyService("$magpie");
    let overview = await overviewOf(nodes);
    const unanswered = () =>
      overview.nodes.filter(({ answered }) => !answered).map(({ services }) => services);
    await until("all but one answer in time", async () => {
      overview = await overviewOf(nodes);
      return unanswered().length === 1;
    });
    expect(overview.nodes).toHaveLength(services.length + 1);
    expect(unanswered()).toEqual([["admin"]]);
    expect(overview.counts).toMatchObject({ keys: 1, sources: expect.any(Number), endpoints: 1 });
    await request("DELETE", "/webhook");
  },
);

interface Overview {
  nodes: { id: string; services: string[]; answered: boolean }[];
  counts: Record<string, number | null>;
  rates: { series: Record<string, number[]> };
}

async function overviewOf({ request }: Nodes): Promise<Overview> {
  return (await request("GET", "/internal/overview", { admin: true })).json<{ data: Overview }>().data;
}

inCluster.test("a crawl whose services are on other nodes reads the same pages", async () => {
  const body = { ...scrapeOf("/"), crawler: { limit: 5 } };
  const ends = await Promise.all(
    [embedded, nodes].map(async magpie => {
      const { crawl_id } = (await magpie.request("POST", "/web/crawl", { body })).json<{
        crawl_id: string;
      }>();
      const status = async () =>
        (await magpie.request("GET", `/web/crawl/${crawl_id}`)).json<{ status: string }>();
      await until("the crawl ends", async () => (await status()).status !== "crawling");
      return shapeOf(await status());
    }),
  );
  expect(ends[1]).toEqual(ends[0]);
});

inCluster.test("a screenshot is read from another node, byte by byte, by its owner alone", async () => {
  const scraper = nodes.services[1]?.getLocalService("scraper") as unknown as WithBlobs;
  const bytes = randomBytes(2_000_000);
  const meta = { contentType: "image/png", ttlMs: 60_000 };
  const [own, other] = [
    await scraper.blobs.put(bytes, { owner: "default", ...meta }),
    await scraper.blobs.put(bytes, { owner: "another", ...meta }),
  ];
  const get = (key: string) =>
    fetch(`${nodes.url}/web/screenshot/${key}`, { headers: { "x-api-key": nodes.apiKey } });
  const reply = await get(own);
  expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "image/png"]);
  expect(Buffer.from(await reply.arrayBuffer()).equals(bytes)).toBe(true);
  expect((await get(other)).status).toBe(404);
});

function valueAt(reply: Reply, path: string): string {
  const inner = path.split(".").reduce<unknown>((value, name) => Object(value)[name], reply.json());
  return String(inner);
}
