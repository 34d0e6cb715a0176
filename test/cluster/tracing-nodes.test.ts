import { toConfig } from "../../mixins/config/config.ts";
import { crawlerService } from "../../services/crawler/crawler.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Nodes, startNodes } from "../support/magpie-nodes.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startNats, type TestNats } from "../support/nats.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: { stringValue: string } }[];
}

const mongo = await startMongo();
const inCluster = withMongo(mongo);

let servers: [TestNats, TestRedis];
let nodes: Nodes;
let receiver: Receiver;
let site: Site;
let collector: Site;
let exported = "";
const spans: Span[] = [];

beforeAll(async () => {
  servers = await Promise.all([startNats(), startRedis()]);
  receiver = await startReceiver();
  site = await startSite({ "/": "<!doctype html><title>A page</title><p>Words.</p>" });
  collector = await startSite(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    exported += body;
    for (const { scopeSpans } of JSON.parse(body).resourceSpans)
      for (const scope of scopeSpans) spans.push(...scope.spans);
    response.end("{}");
  });
  const [nats, redis] = servers;
  if (!mongo.isThere) return;
  const settings = toConfig({ EGRESS_ALLOW: "127.0.0.1/32", WEBHOOK_ALLOW_HTTP: "true" });
  const { egressAllow, webhooks, browser } = settings;
  const tracing = { endpoint: collector.url, headers: {}, serviceName: "magpie", ratio: 1 };
  nodes = await startNodes(
    { natsUrl: nats.url, redisUrl: redis.url, mongoUrl: mongo.url, namespace: "tracing-nodes" },
    { egressAllow, webhooks, tracing, browser: { ...browser, path: "/nowhere" } },
    [keysService, scraperService, crawlerService, webhookDispatcherService],
  );
});

afterAll(async () => {
  await nodes?.stop();
  await Promise.all([receiver, site, collector].map(each => each?.close()));
  await Promise.all([mongo, ...(servers ?? [])].map(server => server.stop()));
});

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const clientSpan = "00f067aa0ba902b7";
const secret = "a-secret-of-the-request";

const named = (name: string) => spans.find(span => span.name === name && span.traceId === traceId);
const nodeOf = (span: Span | undefined) =>
  span?.attributes.find(({ key }) => key === "service.instance.id")?.value.stringValue;

/** The names of a span and of those above it, up to the client's. */
function pathOf(spanId: string | undefined): string[] {
  const span = spans.find(each => each.spanId === spanId);
  return span ? [span.name, ...pathOf(span.parentSpanId)] : [spanId ?? "none"];
}

inCluster.test(
  "one trace goes from a request over the gateway to the worker and on to the webhook",
  async () => {
    const reply = await nodes.request("POST", "/web/scrape", {
      headers: { traceparent: `00-${traceId}-${clientSpan}-01` },
      body: {
        url: `${site.url}/?token=${secret}`,
        mode: "async",
        js_render: { enabled: false },
        request: { headers: { authorization: `Bearer ${secret}` } },
        webhook: { url: `${receiver.url}/hook`, headers: { "x-own": secret }, events: ["completed"] },
      },
    });
    expect(reply.status).toBe(202);
    await until("the webhook has the notice", () => receiver.received.length > 0);
    const [notice] = receiver.received;
    await until("its span is exported", () => named("deliver webhook") !== undefined);
    await until("so is the request's", () => named("POST /web/scrape") !== undefined);
    const [delivered, ran, asked] = ["deliver webhook", "run scrape", "POST /web/scrape"].map(named);
    // The receiver continues the trace below our request.
    expect(notice?.headers.traceparent).toBe(`00-${traceId}-${delivered?.spanId}-01`);
    expect(notice?.headers["x-own"]).toBe(secret);
    expect(delivered?.kind).toBe(3);
    expect(pathOf(delivered?.spanId)).toEqual([
      "deliver webhook",
      "webhook-dispatcher.announceJob",
      "scraper.scrape",
      "POST /web/scrape",
      clientSpan,
    ]);
    expect(pathOf(ran?.spanId)).toEqual(["run scrape", "scraper.scrape", "POST /web/scrape", clientSpan]);
    expect(new Set([delivered, ran, asked].map(nodeOf)).size).toBe(3);
  },
);

inCluster.test("the notice of a crawl is in the trace of its request", async () => {
  const own = "c".repeat(32);
  const reply = await nodes.request("POST", "/web/crawl", {
    headers: { traceparent: `00-${own}-${clientSpan}-01` },
    body: { url: `${site.url}/`, webhook: { url: `${receiver.url}/crawl`, events: ["completed"] } },
  });
  expect(reply.status).toBe(200);
  await until("the webhook has the notice", () => receiver.received.some(({ path }) => path === "/crawl"));
  const notice = receiver.received.find(({ path }) => path === "/crawl");
  expect(notice?.headers.traceparent).toMatch(new RegExp(`^00-${own}-[0-9a-f]{16}-01$`));
});

inCluster.test("strangers get no trace, and no span has what the request holds", async () => {
  expect(site.hits.length).toBeGreaterThan(0);
  expect(site.hits.every(({ headers }) => headers.traceparent === undefined)).toBe(true);
  for (const held of [secret, nodes.apiKey, site.url, receiver.url, "127.0.0.1"])
    expect(exported).not.toContain(held);
});
