import { spawnSync } from "node:child_process";
import { type Config, toConfig } from "../../mixins/config/config.ts";
import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { crawlerService } from "../../services/crawler/crawler.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { page, pages } from "../docs/pages.ts";
import { problemsOfMetrics } from "../k8s/metrics-lint.ts";
import { expressions } from "../k8s/monitoring.ts";
import { type Selector, selectorsOf } from "../k8s/promql.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { withPromtool } from "../support/promtool.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

let magpie: Magpie;
let site: Site;
let receiver: Receiver;
let items = 1;

const item = (n: number) =>
  `<item><guid>g${n}</guid><title>Item ${n}</title><link>${site.url}/${n}</link></item>`;
const feed = () =>
  `<rss version="2.0"><channel><title>News</title>${Array.from({ length: items }, (_, n) => item(n)).join("")}</channel></rss>`;
const html = `<!doctype html><title>Page</title><main><p>${"A bird that collects things. ".repeat(20)}</p><a href="/other">Other</a></main>`;

/** One service that has polled, delivered, scraped, crawled, streamed and refused. */
beforeAll(async () => {
  receiver = await startReceiver();
  site = await startSite((request, response) =>
    request.url === "/feed"
      ? response.writeHead(200, { "content-type": "application/rss+xml" }).end(feed())
      : response
          .writeHead(request.url === "/robots.txt" ? 404 : 200, { "content-type": "text/html" })
          .end(html),
  );
  const { egressAllow, webhooks, social, pollMinIntervalMs } = toConfig({
    EGRESS_ALLOW: "127.0.0.1/32",
    WEBHOOK_ALLOW_HTTP: "true",
    WEBHOOK_BACKOFF: "1ms",
    POLL_MIN_INTERVAL: "50ms",
  });
  const overrides = {
    ...{ egressAllow, webhooks, pollMinIntervalMs, social: { ...social, sandboxEveryMs: null } },
    proxies: { AT: ["http://127.0.0.1:1"] },
  };
  magpie = await startMagpie(overrides, (config: Config) => [
    keysService(config),
    trackerService(config),
    connectorsService(config),
    scraperService(config),
    crawlerService(config),
    webhookDispatcherService(config),
  ]);
  await ask("POST", "/webhook", { url: `${receiver.url}/hook` });
  await ask("POST", "/track/rss", { sid: `${site.url}/feed` });
  await until(
    "the feed was polled",
    async () => (await metric("magpie_polls_total", { kind: "rss", outcome: "ok" })) > 0,
  );
  receiver.behave(() => (receiver.received.length === 0 ? 500 : 200));
  items += 1;
  await until("a delivery after its retry", () => receiver.taken().length > 0);
  await ask("POST", "/web/scrape", { url: site.url, js_render: { enabled: false } });
  await ask("POST", "/web/scrape", { url: "http://10.0.0.1/" });
  await ask("POST", "/web/crawl", { url: site.url, crawler: { limit: 2, sitemaps: false } });
  await until(
    "two pages of the crawl",
    async () => (await metric("magpie_crawl_pages_total", { outcome: "completed" })) === 2,
  );
}, 60_000);
afterAll(async () => {
  await magpie?.stop();
  await site?.close();
  await receiver?.close();
});

const ask = (method: string, path: string, body?: unknown) => magpie.request(method, path, { body });
const exposed = async () => (await magpie.request("GET", "/metrics", { key: null })).text;

/** The value of the sample with these labels; NaN for none. */
async function metric(name: string, labels: Record<string, string> = {}): Promise<number> {
  const text = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const line = (await exposed())
    .split("\n")
    .find(
      each =>
        each.startsWith(text.length > 0 ? `${name}{` : `${name} `) && text.every(pair => each.includes(pair)),
    );
  return Number(line?.split(" ").at(-1) ?? Number.NaN);
}

test("what happens is counted where it happens", async () => {
  expect(await metric("magpie_poll_delay_seconds_count")).toBeGreaterThan(1);
  expect(await metric("magpie_events_total", { type: "rss.item.created" })).toBe(1);
  await until(
    "the outcome is counted",
    async () => (await metric("magpie_deliveries_total", { outcome: "succeeded" })) === 1,
  );
  expect(await metric("magpie_deliveries_total", { outcome: "failed" })).toBe(1);
  expect(await metric("magpie_deliveries_total", { outcome: "dead" })).toBe(0);
  expect(await metric("magpie_delivery_failures_total", { class: "status_5xx" })).toBe(1);
  expect(await metric("magpie_delivery_failures_total", { class: "tls_expired" })).toBe(0);
  expect(await metric("magpie_delivery_seconds_count")).toBe(1);
  expect(await metric("magpie_scrapes_total", { outcome: "completed", engine: "http" })).toBe(1);
  expect(await metric("magpie_egress_refused_total", { reason: "private_address" })).toBeGreaterThan(0);
});

test("the state of what all nodes share is counted by this one", async () => {
  expect(await metric("magpie_endpoints", { status: "ACTIVE" })).toBe(1);
  expect(await metric("magpie_sources", { kind: "rss", health: "failing" })).toBe(0);
  expect(await metric("magpie_platform_live", { kind: "microblog", driver: "sandbox" })).toBe(1);
});

test("streams are counted while they are open", async () => {
  expect(await metric("magpie_streams")).toBe(0);
  const ending = new AbortController();
  const headers = { "x-api-key": magpie.apiKey };
  const stream = await fetch(`${magpie.url}/stream/sse`, { headers, signal: ending.signal });
  expect(stream.status).toBe(200);
  expect(await metric("magpie_streams")).toBe(1);
  ending.abort();
  await until("the stream was closed", async () => (await metric("magpie_streams")) === 0);
});

test("a node says its version and its disk", async () => {
  const [line] = (await exposed()).split("\n").filter(each => each.startsWith("magpie_build_info{"));
  expect(line).toMatch(/^magpie_build_info\{version="\d+\.\d+\.\d+"\} 1$/);
  const [free, size] = [await metric("magpie_disk_free_bytes"), await metric("magpie_disk_size_bytes")];
  expect(free).toBeGreaterThan(0);
  expect(free).toBeLessThanOrEqual(size);
});

test("no metric has a key, a source or an address", async () => {
  const text = await exposed();
  const keys = await magpie.request("GET", "/internal/keys", { admin: true });
  const [key] = keys.json<{ data: { id: string }[] }>().data;
  for (const secret of [magpie.apiKey, key?.id ?? "", "127.0.0.1", "10.0.0.1", "http:"])
    expect(text).not.toContain(secret);
});

test("the page for operators names each of our metrics, and no other", async () => {
  const names = new Set([...(await exposed()).matchAll(/^# TYPE (magpie_\w+)/gm)].map(([, name]) => name));
  const rows = page("docs/operations/monitoring.md").match(/^\| `magpie_.*$/gm) ?? [];
  const described = rows.flatMap(row =>
    [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  expect([...new Set(described)].sort()).toEqual([...names].sort());
});

test("every metric that a page for operators names is among the metrics", async () => {
  const text = await exposed();
  const operations = [...pages].flatMap(([path, each]) =>
    path.startsWith("docs/operations/") ? [each] : [],
  );
  const named = [...operations.join().matchAll(/`((?:magpie|moleculer|process)_[a-z_]+)`/g)];
  expect(named.length).toBeGreaterThan(20);
  expect(named.map(([, name]) => name).filter(name => !text.includes(`# TYPE ${name} `))).toEqual([]);
});

test("names, labels, types and units are those of Prometheus", async () => {
  const text = await exposed();
  expect(problemsOfMetrics(text)).toEqual([]);
  expect([...text.matchAll(/^# TYPE /gm)].length).toBeGreaterThan(30);
  // Counters that only failures and other nodes have are looked at, too.
  expect(text).toMatch(/^moleculer_request_error_total\{.*error_type="/m);
  expect(text).toContain("# TYPE moleculer_transporter_packets_sent_bytes_total counter");
});

withPromtool.test("promtool finds nothing in the metrics", async () => {
  const input = await exposed();
  const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input, encoding: "utf8" });
  expect(`${stdout}${stderr}`).toBe("");
  expect(status).toBe(0);
});

/** Prometheus adds the namespace; statuses are of what was asked. */
const ofOthers = ["namespace", "status"];

function matches({ matchers }: Selector, sample: string): boolean {
  return matchers
    .filter(({ label }) => !ofOthers.includes(label))
    .every(({ label, operator, value }) => {
      const [, found = ""] = sample.match(new RegExp(`[{,]${label}="([^"]*)"`)) ?? [];
      const isEqual = operator.includes("~") ? new RegExp(`^(?:${value})$`).test(found) : found === value;
      return operator.startsWith("!") ? !isEqual : isEqual;
    });
}

test("alerts and dashboard find what they ask for", async () => {
  const samples = (await exposed()).split("\n");
  const asked = expressions().flatMap(selectorsOf);
  const isThere = (selector: Selector) =>
    samples.some(each => each.split(/[{ ]/, 1)[0] === selector.metric && matches(selector, each));
  expect(asked.length).toBeGreaterThan(50);
  expect(asked.filter(selector => !isThere(selector))).toEqual([]);
  // What nobody looks at need not be counted.
  const used = new Set(asked.map(({ metric }) => metric.replace(/_(bucket|sum|count)$/, "")));
  const ours = [...samples.join("\n").matchAll(/^# TYPE (magpie_\w+)/gm)].map(([, name = ""]) => name);
  expect(ours.filter(name => !used.has(name))).toEqual(["magpie_scrapes_running"]);
});

test("without a collector a delivery has no place in a trace", () => {
  expect(receiver.received.map(({ headers }) => headers.traceparent)).toEqual([undefined, undefined]);
});
