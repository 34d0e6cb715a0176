import type { ServiceSchema } from "moleculer";
import type { Config } from "../../mixins/config/config.ts";
import { crawlerService } from "../../services/crawler/crawler.service.ts";
import {
  type WatchTracker,
  watchIntervalMs,
  watchOverrides,
  watchServices,
} from "../suites/watches.suite.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Magpie, type Reply, startMagpie } from "../support/magpie.ts";
import { until } from "../support/until.ts";
import { untilWarm } from "../support/until-warm.ts";

const text = "A page with enough words in it to be read as it was sent, without any script at all. ".repeat(
  5,
);
const page = (links = "", head = "") =>
  `<!doctype html><title>Page</title>${head}<main><p>${text}</p>${links}</main>`;
const plain = (body: string) => ({ headers: { "content-type": "text/plain" }, body });
const robots = plain("User-agent: *\nContent-Signal: ai-train=no, search=yes");
const tdmrep = [
  { location: "/", "tdm-reservation": 0 },
  { location: "/novels/", "tdm-reservation": 1, "tdm-policy": "https://site.example/p.json" },
  { location: "/novels/free*", "tdm-reservation": 0 },
];
const fault = { status: 503, headers: {}, body: "" };

let sites: Site[];
let signals: Site;
let mixed: Site;
let faulty: Site;
let changing: Site;
let magpie: Magpie;
/** What the changing site answers. */
let said: { headers?: Record<string, string>; body: string };

beforeAll(async () => {
  signals = await startSite({ "/robots.txt": robots, "/": page() });
  mixed = await startSite({
    "/.well-known/tdmrep.json": JSON.stringify(tdmrep),
    "/": page('<a href="/header">A</a><a href="/novels/one">B</a><a href="/novels/free">C</a>'),
    "/header": { headers: { "content-usage": "train-ai=n" }, body: page() },
    "/page": page("", '<meta name="robots" content="noai">'),
    "/led": { status: 302, headers: { location: "/novels/one" } },
    "/novels/one": page(),
    "/novels/free": page(),
  });
  faulty = await startSite({ "/robots.txt": fault, "/": page() });
  changing = await startSite((_request, response) => {
    const { headers, body } = said;
    response.writeHead(200, { "content-type": "text/html", ...headers }).end(body);
  });
  sites = [signals, mixed, faulty, changing];
  const services: ((config: Config) => ServiceSchema)[] = [
    ...new Set([...watchServices, (config: Config) => crawlerService(config)]),
  ];
  magpie = await startMagpie(watchOverrides(watchIntervalMs), config =>
    services.map(service => service(config)),
  );
  await untilWarm(magpie.broker);
});
afterAll(async () => {
  await magpie?.stop();
  await Promise.all((sites ?? []).map(site => site.close()));
});

interface Key {
  id: string;
  key: string;
}
type Answer = { code: string; message: string; details?: { field: string }[]; data: Data };
type Data = { metadata: { content_usage?: { statements: { by: string }[] } } };

let made = 0;
async function keyFor(content_uses: string[] | null): Promise<Key> {
  made += 1;
  const body = { owner: "ann", name: `key ${made}`, content_uses };
  return (await magpie.request("POST", "/internal/keys", { admin: true, body })).json<{ data: Key }>().data;
}

async function scrape(url: string, content_uses?: string[], key?: string, more = {}): Promise<Reply> {
  const request = { ...(content_uses && { content_uses }) };
  const body = { url, timeout: 60_000, js_render: { enabled: false }, request, ...more };
  return await magpie.request("POST", "/web/scrape", { body, ...(key !== undefined && { key }) });
}

test.each<[string, () => string, string[], string | null]>([
  ["robots.txt", () => `${signals.url}/`, ["train_ai"], "its robots.txt says `content-signal: ai-train=no,"],
  ["robots.txt, for what it allows", () => `${signals.url}/`, ["search", "tdm"], null],
  [
    "a header",
    () => `${mixed.url}/header`,
    ["search", "train_ai"],
    "a header of its answer says `content-us",
  ],
  ["a header, of another use", () => `${mixed.url}/header`, ["ai_input"], null],
  ["the page", () => `${mixed.url}/page`, ["train_ai"], "the page says `robots: noai`"],
  ["tdmrep.json", () => `${mixed.url}/novels/one`, ["tdm"], "its tdmrep.json says `tdm-reservation: 1`"],
  ["tdmrep.json, by a redirect", () => `${mixed.url}/led`, ["tdm"], "its tdmrep.json says"],
  ["the longest path of tdmrep.json", () => `${mixed.url}/novels/free`, ["tdm", "train_ai"], null],
  ["nothing", () => `${mixed.url}/`, ["train_ai", "ai_input", "search", "tdm"], null],
])("a scrape for uses: %s", async (_by, url, uses, refusal) => {
  const reply = await scrape(url(), uses);
  const { code, message } = reply.json<Answer>();
  expect([reply.status, code]).toEqual(refusal === null ? [200, undefined] : [403, "content_refused"]);
  if (refusal !== null) expect(message).toContain(refusal);
});

test("what is read for a use has what the site's files say; without one they are not asked for", async () => {
  const statements = async (uses?: string[]) => {
    const reply = await scrape(`${mixed.url}/novels/free`, uses);
    return reply.json<Answer>().data.metadata.content_usage?.statements;
  };
  expect(await statements(["tdm"])).toEqual([{ by: "tdmrep.json", name: "tdm-reservation", value: "0" }]);
  expect(await statements()).toBeUndefined();
  const asked = mixed.hits.map(({ url }) => url);
  expect(asked.filter(url => url === "/robots.txt")).toHaveLength(1);
  expect(asked.filter(url => url === "/.well-known/tdmrep.json")).toHaveLength(1);
});

test("a host whose robots.txt fails is not read for a use", async () => {
  const reply = await scrape(`${faulty.url}/`, ["search"]);
  expect([reply.status, reply.json<Answer>().code]).toEqual([502, "target_unreachable"]);
  expect(reply.json<Answer>().message).toContain("its robots.txt cannot be read");
  expect((await scrape(`${faulty.url}/`)).status).toBe(200);
});

test("a key's uses hold for each of its scrapes, and an earlier answer to another use is none", async () => {
  const { id, key } = await keyFor(["train_ai"]);
  expect((await scrape(`${signals.url}/`, ["search"], key)).status).toBe(403);
  const other = await keyFor(null);
  const again = { max_age: 3_600_000 };
  expect((await scrape(`${signals.url}/`, undefined, other.key, again)).status).toBe(200);
  expect((await scrape(`${signals.url}/`, ["train_ai"], other.key, again)).status).toBe(403);
  const me = (await magpie.request("GET", "/users/me", { key })).json<{ data: { key: object } }>();
  expect(me.data.key).toMatchObject({ content_uses: ["train_ai"] });
  const body = { content_uses: null };
  await magpie.request("PATCH", `/internal/keys/${id}`, { admin: true, body });
  expect((await scrape(`${signals.url}/`, ["search"], key)).status).toBe(200);
});

test("nothing is kept of what is refused", async () => {
  const { key } = await keyFor(["tdm"]);
  const body = { url: `${mixed.url}/novels/one`, mode: "async", js_render: { enabled: false } };
  const { scrape_id } = (await magpie.request("POST", "/web/scrape", { body, key })).json<{
    scrape_id: string;
  }>();
  const status = async () => (await magpie.request("GET", `/web/scrape/${scrape_id}`, { key })).json();
  await until("it has ended", async () => (await status()).status !== "pending");
  expect(await status()).toMatchObject({ status: "failed", error: { code: "content_refused" } });
  expect(await status()).not.toHaveProperty("data");
});

test("a crawl passes over the pages that are refused, and a batch names them", async () => {
  const { key } = await keyFor(["train_ai"]);
  const ended = async (path: string, id: string) => {
    const status = async () => (await magpie.request("GET", `${path}/${id}?limit=100`, { key })).json();
    await until("it has ended", async () => !/crawling|scraping/.test(String((await status()).status)));
    return (await status()) as { data: { metadata: { final_url: string } }[] };
  };
  const body = { url: `${mixed.url}/`, crawler: { sitemaps: false }, js_render: { enabled: false } };
  const crawl = (await magpie.request("POST", "/web/crawl", { body, key })).json<{ crawl_id: string }>();
  const { data } = await ended("/web/crawl", crawl.crawl_id);
  const paths = data.map(({ metadata }) => new URL(metadata.final_url).pathname);
  expect(paths.sort()).toEqual(["/", "/novels/free"]);
  const errors = await magpie.request("GET", `/web/crawl/${crawl.crawl_id}/errors`, { key });
  const skipped = errors.json<{ data: { url: string }[] }>().data;
  expect(skipped.sort((one, other) => one.url.localeCompare(other.url))).toMatchObject([
    { url: `${mixed.url}/header`, status: "skipped", code: "content_refused" },
    { url: `${mixed.url}/novels/one`, status: "skipped", code: "content_refused" },
  ]);
  const urls = [`${mixed.url}/header`, `${mixed.url}/novels/free`];
  const wanted = { urls, js_render: { enabled: false } };
  const batch = await magpie.request("POST", "/web/batch", { body: wanted, key });
  const { batch_id } = batch.json<{ batch_id: string }>();
  expect((await ended("/web/batch", batch_id)).data).toHaveLength(1);
  const failed = await magpie.request("GET", `/web/batch/${batch_id}/errors`, { key });
  expect(failed.json()).toMatchObject({
    data: [{ url: urls[0], status: "failed", code: "content_refused" }],
  });
});

interface Row {
  id: string;
  problem: string | null;
  options?: object;
}

const tracked = async (key: string) =>
  (await magpie.request("GET", "/track", { key })).json<{ data: Row[] }>().data;
const track = (sid: string, key: string, options = {}) =>
  magpie.request("POST", "/track/web", { body: { sid, options }, key });

/** Polls what a key tracks. */
async function poll(key: string): Promise<Row> {
  const [{ id }] = (await tracked(key)) as [Row];
  const { context, pollScheduler } = magpie.broker.getLocalService("tracker") as unknown as WatchTracker;
  const began = Date.now();
  await context.sources.updateMany({ _id: id }, { $set: { dueAt: began - 1 } });
  pollScheduler.wake();
  await until("it was polled", async () => {
    const found = await context.sources.findById(id);
    return !found || (found.polledAt >= began && found.lease === undefined);
  });
  return ((await tracked(key)) as [Row])[0];
}

test("a watch of a page obeys its key and its own options, and looks on", async () => {
  const { key } = await keyFor(["train_ai"]);
  said = { headers: { "content-signal": "ai-train=no" }, body: page() };
  const refused = await track(`${changing.url}/a`, key);
  expect([refused.status, refused.json<Answer>().code]).toEqual([403, "content_refused"]);
  const body = { sid: `${changing.url}/a` };
  const preview = await magpie.request("POST", "/track/web/preview", { body, key });
  expect([preview.status, preview.json<Answer>().code]).toEqual([403, "content_refused"]);
  said = { body: page() };
  expect((await track(`${changing.url}/a`, key, { content_uses: ["search"] })).status).toBe(201);
  expect((await poll(key)).problem).toBeNull();
  expect((await tracked(key))[0]?.options).toEqual({ content_uses: ["search"] });
  said = { headers: { "content-usage": "search=n" }, body: page("<p>News</p>") };
  expect((await poll(key)).problem).toContain("a header of its answer says `content-usage: search=n`");
  said = { headers: { "content-signal": "ai-train=no" }, body: page("<p>News</p>") };
  expect((await poll(key)).problem).toContain("a header of its answer says `content-signal: ai-train=no`");
  said = { body: page("<p>Late news</p>") };
  expect((await poll(key)).problem).toBeNull();
  const events = await magpie.request("GET", "/events?type=web.page.changed", { key });
  const added = events.json<{ data: { data: { change: { added: string[] } } }[] }>().data;
  expect(added.map(({ data }) => data.change.added)).toEqual([["Late news"]]);
});

test("a key that comes to want other uses leaves a watch that it shares; the others read on", async () => {
  const [strict, free] = [await keyFor(null), await keyFor(null)];
  said = { body: page() };
  for (const { key } of [strict, free]) expect((await track(`${changing.url}/shared`, key)).status).toBe(201);
  const ids = async () => [(await tracked(strict.key))[0]?.id, (await tracked(free.key))[0]?.id];
  const [shared] = await ids();
  expect(await ids()).toEqual([shared, shared]);
  said = { headers: { "x-robots-tag": "noai" }, body: page() };
  const body = { content_uses: ["train_ai"] };
  await magpie.request("PATCH", `/internal/keys/${strict.id}`, { admin: true, body });
  await poll(free.key);
  await until("it has left", async () => new Set(await ids()).size === 2);
  expect((await poll(strict.key)).problem).toContain("a header of its answer says `x-robots-tag: noai`");
  expect((await poll(free.key)).problem).toBeNull();
});

test("a site is watched for uses", async () => {
  const { key } = await keyFor(["train_ai"]);
  const body = { sid: `${signals.url}/` };
  const refused = await magpie.request("POST", "/track/site", { body, key });
  expect([refused.status, refused.json<Answer>().code]).toEqual([403, "content_refused"]);
  const { key: other } = await keyFor(["search"]);
  expect((await magpie.request("POST", "/track/site", { body, key: other })).status).toBe(201);
});

test.each<[string, string, object, string]>([
  ["/web/scrape", "url", { request: { content_uses: ["ai-train"] } }, "request.content_uses.0"],
  ["/web/crawl", "url", { request: { content_uses: [] } }, "request.content_uses"],
  ["/track/web", "sid", { options: { content_uses: ["tdm", "tdm"] } }, "options.content_uses"],
])("what is no use is refused: %s", async (path, name, more, field) => {
  const body = { [name]: `${mixed.url}/`, ...more };
  const reply = await magpie.request("POST", path, { body });
  expect([reply.status, reply.json<Answer>().details?.map(each => each.field)]).toEqual([400, [field]]);
});

test("a feed has no such option, and a key no such use", async () => {
  const options = { content_uses: ["tdm"] };
  const reply = await magpie.request("POST", "/track/rss", { body: { sid: `${mixed.url}/`, options } });
  expect(reply.json<Answer>().details?.map(each => each.field)).toEqual(["options.content_uses"]);
  const body = { owner: "ann", name: "n", content_uses: ["all"] };
  const made = await magpie.request("POST", "/internal/keys", { admin: true, body });
  expect(made.json<Answer>().details?.map(each => each.field)).toEqual(["content_uses.0"]);
});
