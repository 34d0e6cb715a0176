import type { ServerResponse } from "node:http";
import type { Service } from "moleculer";
import { type Config, toConfig } from "../../mixins/config/config.ts";
import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import type { TrackerContext } from "../../services/tracker/context.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Magpie, type Reply, startMagpie } from "../support/magpie.ts";
import { until } from "../support/until.ts";

/** Written by hand: a change of the wire breaks them. */
interface Row {
  id: string;
  source: string;
  externalId: string;
  username: string;
  name: string;
  health: string;
  failures: number;
  problem: string | null;
  polled_at: string;
  due_at: string;
  last_event_at: string | null;
  muted: unknown[];
  tags: string[];
  tracked_at: string;
}

interface List<Of> {
  data: Of[];
  next_cursor: string | null;
  message: string;
}

interface Refusal {
  code: string;
  message: string;
  retry_after?: number;
  details?: { field: string }[];
}

const hour = 3_600_000;
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let site: Site;
let magpie: Magpie;
let made = 0;
/** What the feeds answer instead of themselves. */
let broken: { status: number; headers?: Record<string, string> } | undefined;
let items = 1;
/** Second requests of slow pages wait for this. */
const slow = Promise.withResolvers<void>();

const services = (config: Config) => [
  keysService(config),
  trackerService(config),
  connectorsService(config),
  scraperService(config),
];

beforeAll(async () => {
  site = await startSite(async (request, response) => {
    const [, folder, name = ""] = (request.url ?? "").split("/");
    if (folder === "feed" && broken) return response.writeHead(broken.status, broken.headers).end();
    if (folder === "feed") return response.writeHead(200, { "content-type": "text/xml" }).end(feed(name));
    // The first request is the plain fetch, which looks for a feed.
    if (folder === "slow" && hitsOf("/slow/") > 1) await slow.promise;
    if (folder === "page" || folder === "slow") return html(response, page(name));
    if (folder === "long") return html(response, page("x".repeat(30_000)));
    if (folder === "blog")
      return html(response, `<link rel="alternate" type="application/rss+xml" href="/feed/blog"><p>Hello.`);
    return response.writeHead(404).end();
  });
  const { browser, searchPath, social } = toConfig({
    BROWSER_PATH: process.env.BROWSER_PATH,
    PATH: process.env.PATH,
  });
  const config = {
    egressAllow: [`127.0.0.1:${site.port}`],
    pollMinIntervalMs: hour,
    keysPerOwner: 1000,
    social: { ...social, sandboxEveryMs: null },
    browser,
    searchPath,
  };
  magpie = await startMagpie(config, services);
});
afterAll(async () => {
  slow.resolve();
  await magpie.stop();
  await site.close();
});
beforeEach(() => {
  broken = undefined;
});

function html(response: ServerResponse, body: string) {
  return response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html>${body}`);
}

function page(name: string): string {
  const text = "The stock of nest boxes is counted on every first day of the month, and shown here in full.";
  return `<title>Page ${name.slice(0, 20)}</title><main><h1>Stock</h1><p>${text}</p><p>Kind: ${name}.</p></main>`;
}

function hitsOf(path: string): number {
  return site.hits.filter(({ url }) => url === path).length;
}

function feed(name: string): string {
  const entries = Array.from({ length: items }, (_, at) => items - at).map(
    n => `<item><guid>g${n}</guid><title>Item ${n}</title><link>https://example.com/${n}</link>
      <pubDate>${new Date(Date.UTC(2026, 0, n)).toUTCString()}</pubDate></item>`,
  );
  return `<rss version="2.0"><channel><title>Feed ${name}</title><link>https://example.com/</link>
    <description>d</description>${entries.join("")}</channel></rss>`;
}

async function newKey(limits = {}): Promise<string> {
  made += 1;
  const body = { owner: `t${made}`, name: "n", limits };
  const reply = await magpie.request("POST", "/internal/keys", { admin: true, body });
  return reply.json<{ data: { key: string } }>().data.key;
}

async function track(key: string, sid: string, source = "rss"): Promise<string> {
  const reply = await magpie.request("POST", `/track/${source}`, { key, body: { sid } });
  expect(reply.status).toBe(201);
  return reply.json<{ data: { id: string } }>().data.id;
}

async function rows(key: string, query = ""): Promise<Row[]> {
  const reply = await magpie.request("GET", `/track${query}`, { key });
  expect(reply.status).toBe(200);
  return reply.json<List<Row>>().data;
}

async function row(key: string, id: string): Promise<Row> {
  const found = (await rows(key)).find(each => each.id === id);
  if (!found) throw new Error(`The key does not track ${id}`);
  return found;
}

function expectRefusal(reply: Reply, status: number, code: string, field = ""): Refusal {
  const body = reply.json<Refusal>();
  expect([reply.status, body.code]).toEqual([status, code]);
  expect(body.message).toMatch(/\.$/);
  if (field !== "") expect(body.details?.map(each => each.field)).toContain(field);
  return body;
}

/** As if the last poll of the source had been long ago. */
async function forgetPoll(id: string): Promise<void> {
  const { context } = magpie.broker.getLocalService("tracker") as Service & { context: TrackerContext };
  await context.sources.update(id, { $set: { polledAt: 0 }, $unset: { askedAt: true } });
}

function pollNow(key: string, iid: string): Promise<Reply> {
  return magpie.request("POST", "/track/rss/poll", { key, body: { iid } });
}

/** Has a source polled, and waits for the outcome. */
async function polled(key: string, id: string): Promise<Row> {
  await forgetPoll(id);
  expect((await pollNow(key, id)).status).toBe(202);
  await until("it is polled", async () => Date.parse((await row(key, id)).polled_at) > 0);
  return row(key, id);
}

describe("the sources of a key", () => {
  test("are listed with the state of their polling, the latest first", async () => {
    const [key, other] = [await newKey(), await newKey()];
    const first = await track(key, `${site.url}/feed/one`);
    const second = await track(key, `${site.url}/page/two`, "web");
    await track(other, `${site.url}/feed/three`);
    expect((await rows(key)).map(({ id }) => id)).toEqual([second, first]);
    expect(await row(key, first)).toEqual({
      id: expect.stringMatching(uuid),
      source: "RSS",
      externalId: `${site.url}/feed/one`,
      username: `127.0.0.1:${site.port}`,
      name: "Feed one",
      health: "ok",
      failures: 0,
      problem: null,
      polled_at: expect.stringMatching(iso),
      due_at: expect.stringMatching(iso),
      last_event_at: null,
      muted: [],
      tags: [],
      tracked_at: expect.stringMatching(iso),
    });
  });

  test("have the tags of each key, which change with a request and filter the list", async () => {
    const [key, other] = [await newKey(), await newKey()];
    const sid = `${site.url}/feed/tagged`;
    const body = { sid, options: { tags: [" birds ", "daily"] } };
    const { data } = (await magpie.request("POST", "/track/rss", { key, body })).json<{ data: Row }>();
    const plain = await track(key, `${site.url}/feed/untagged`);
    await track(other, sid);
    const change = (options: object) =>
      magpie.request("PATCH", "/track/rss", { key, body: { iid: data.id, options } });
    const tagged = async (of: string) => (await rows(key, `?tag=${of}`)).map(({ id }) => id);
    expect([await tagged("birds"), await tagged("daily"), await tagged("bird")]).toEqual([
      [data.id],
      [data.id],
      [],
    ]);
    expect((await row(other, data.id)).tags).toEqual([]);
    expect((await change({})).status).toBe(200);
    expect((await row(key, data.id)).tags).toEqual(["birds", "daily"]);
    expect((await magpie.request("POST", "/track/rss", { key, body: { sid } })).status).toBe(200);
    expect((await row(key, data.id)).tags).toEqual(["birds", "daily"]);
    expect((await change({ tags: ["weekly"] })).json()).toMatchObject({ data: { id: data.id } });
    expect([await tagged("birds"), await tagged("weekly")]).toEqual([[], [data.id]]);
    expect((await row(key, plain)).tags).toEqual([]);
    const options = { tags: ["again"] };
    expect((await magpie.request("POST", "/track/rss", { key, body: { sid, options } })).status).toBe(200);
    expect((await row(key, data.id)).tags).toEqual(["again"]);
  });

  test("are not changed with a field that is wrong, nor by a key that does not track them", async () => {
    const [key, other] = [await newKey(), await newKey()];
    const iid = await track(key, `${site.url}/feed/own`);
    const change = (body: object, by = key) => magpie.request("PATCH", "/track/rss", { key: by, body });
    const tags = ["a"];
    expectRefusal(await change({ iid }), 400, "validation_failed", "options");
    expectRefusal(await change({ options: { tags } }), 400, "validation_failed", "eid");
    expectRefusal(await change({ iid, options: { tag: "a" } }), 400, "validation_failed", "options.tag");
    for (const wrong of [["a,b"], [""], ["a", "a"], ["a\nb"], ["x".repeat(65)]]) {
      const { details } = expectRefusal(
        await change({ iid, options: { tags: wrong } }),
        400,
        "validation_failed",
      );
      expect(details?.[0]?.field).toMatch(/^options\.tags/);
    }
    expectRefusal(await change({ iid, options: { tags } }, other), 404, "not_found");
    expectRefusal(await magpie.request("GET", "/track?tag=a,b", { key }), 400, "validation_failed", "tag");
  });

  test("are tracked many at once, each with its tags", async () => {
    const key = await newKey();
    const items = [
      { source: "rss", sid: `${site.url}/feed/many`, options: { tags: ["birds"] } },
      { source: "web", sid: `${site.url}/page/many` },
      { source: "rss", sid: "http://10.0.0.1/feed" },
    ];
    const ask = (body: object) => magpie.request("POST", "/track/batch", { key, body });
    interface Batch {
      data: { id: string; state: string; entries: { status: string; data?: Row; error?: Refusal }[] };
    }
    const batchOf = async (id: string) =>
      (await magpie.request("GET", `/track-batches/${id}`, { key })).json<Batch>();
    const { data } = (await ask({ items })).json<Batch>();
    await until("it has ended", async () => (await batchOf(data.id)).data.state === "completed");
    const { entries } = (await batchOf(data.id)).data;
    expect(entries.map(({ status, error }) => error?.code ?? status)).toEqual([
      "tracked",
      "tracked",
      "url_not_allowed",
    ]);
    expect((await rows(key)).map(({ id, tags }) => [id, tags])).toEqual(
      expect.arrayContaining([
        [entries[0]?.data?.id, ["birds"]],
        [entries[1]?.data?.id, []],
      ]),
    );
    expectRefusal(await ask({ items: [] }), 400, "validation_failed", "items");
    expectRefusal(await ask({ items: [{ source: "rss" }] }), 400, "validation_failed", "items.0.sid");
    expectRefusal(
      await ask({ items: [items[0], { source: "no", sid: "a" }] }),
      400,
      "validation_failed",
      "items.1.source",
    );
    expectRefusal(await magpie.request("GET", "/track-batches/trk_none", { key }), 404, "not_found");
    expectRefusal(
      await magpie.request("GET", `/track-batches/${data.id}`, { key: await newKey() }),
      404,
      "not_found",
    );
  });

  test("are filtered by kind, health and text, and read page by page", async () => {
    const key = await newKey();
    const names = ["ant", "bee", "cow"];
    for (const name of names) await track(key, `${site.url}/feed/${name}`);
    await track(key, `${site.url}/blog/`, "web");
    const named = async (query: string) => (await rows(key, query)).map(({ name }) => name);
    expect(await named("?source=rss")).toEqual(["Feed blog", "Feed cow", "Feed bee", "Feed ant"]);
    expect(await named("?source=web")).toEqual(["Feed blog"]);
    expect(await named("?query=FEED%20b")).toEqual(["Feed blog", "Feed bee"]);
    expect(await named("?query=/feed/ant&health=ok")).toEqual(["Feed ant"]);
    expect(await named("?health=gone")).toEqual([]);
    const page = (await magpie.request("GET", "/track?limit=3", { key })).json<List<Row>>();
    expect(page.data.map(({ name }) => name)).toEqual(["Feed blog", "Feed cow", "Feed bee"]);
    const rest = await magpie.request("GET", `/track?limit=3&cursor=${page.next_cursor}`, { key });
    expect(rest.json()).toEqual({
      data: [expect.objectContaining({ name: "Feed ant" })],
      next_cursor: null,
      message: expect.any(String),
    });
  });

  test("say why a poll failed and what to do, and when an event last came of one", async () => {
    const key = await newKey();
    const id = await track(key, `${site.url}/feed/refuses`);
    broken = { status: 403 };
    const refused = await polled(key, id);
    expect(refused).toMatchObject({ health: "ok", failures: 1, last_event_at: null });
    expect(refused.problem).toMatch(/^The site has answered 403 since .* UTC: it refuses Magpie\. Ask /);
    const all = await magpie.request("GET", `/internal/sources?query=${site.url}/feed/refuses`, {
      admin: true,
    });
    expect(all.json<List<Row>>().data).toEqual([
      expect.objectContaining({ id, keys: 1, failures: 1, problem: refused.problem, last_event_at: null }),
    ]);
    broken = undefined;
    items += 1;
    const mended = await polled(key, id);
    expect(mended).toMatchObject({ failures: 0, problem: null, last_event_at: mended.polled_at });
    const again = await polled(key, id);
    expect([again.problem, again.last_event_at]).toEqual([null, mended.last_event_at]);
  });
});

describe("poll now", () => {
  test("polls at once, and not again within 30 s", async () => {
    const key = await newKey();
    const id = await track(key, `${site.url}/feed/now`);
    const early = expectRefusal(await pollNow(key, id), 429, "rate_limited");
    expect(early.retry_after).toBeGreaterThan(0);
    expect(early.retry_after).toBeLessThanOrEqual(30);
    await forgetPoll(id);
    const hits = hitsOf("/feed/now");
    const accepted = await pollNow(key, id);
    expect([accepted.status, accepted.json()]).toEqual([
      202,
      { data: { due_at: expect.stringMatching(iso) }, message: expect.any(String) },
    ]);
    await until("it is polled", async () => Date.parse((await row(key, id)).polled_at) > 0);
    expect(hitsOf("/feed/now")).toBe(hits + 1);
    expectRefusal(await pollNow(key, id), 429, "rate_limited");
  });

  test("obeys the wait that the site has asked for", async () => {
    const key = await newKey();
    const id = await track(key, `${site.url}/feed/wait`);
    broken = { status: 429, headers: { "retry-after": "600" } };
    await polled(key, id);
    await forgetPoll(id);
    const { message, retry_after } = expectRefusal(await pollNow(key, id), 429, "rate_limited");
    expect(message).toMatch(/The site has asked Magpie to wait/);
    expect(retry_after).toBeGreaterThan(500);
  });

  test("administrators poll any source; a key only what it tracks", async () => {
    const [key, other] = [await newKey(), await newKey()];
    const id = await track(key, `${site.url}/feed/whose`);
    await forgetPoll(id);
    expectRefusal(await pollNow(other, id), 404, "not_found");
    const asPage = await magpie.request("POST", "/track/microblog/poll", { key, body: { iid: id } });
    expectRefusal(asPage, 404, "not_found");
    const any = await magpie.request("POST", `/internal/sources/${id}/poll`, { admin: true });
    expect(any.status).toBe(202);
    const none = await magpie.request("POST", "/internal/sources/none/poll", { admin: true });
    expectRefusal(none, 404, "not_found");
  });
});

test("an administrator ends the tracking of a source for all keys", async () => {
  const [a, b] = [await newKey({ trackedSources: 1 }), await newKey()];
  const id = await track(a, `${site.url}/feed/removed`);
  await track(b, `${site.url}/feed/removed`);
  const kept = await track(b, `${site.url}/feed/kept`);
  const removed = await magpie.request("DELETE", `/internal/sources/${id}`, { admin: true });
  expect([removed.status, removed.text]).toEqual([204, ""]);
  expect([await rows(a), (await rows(b)).map(each => each.id)]).toEqual([[], [kept]]);
  // The place in the key's limit is free again.
  await track(a, `${site.url}/feed/another`);
  const again = await magpie.request("DELETE", `/internal/sources/${id}`, { admin: true });
  expectRefusal(again, 404, "not_found");
});

describe("a preview", () => {
  const preview = (key: string, source: string, sid: string) =>
    magpie.request("POST", `/track/${source}/preview`, { key, body: { sid } });

  test("of a feed shows its newest items", async () => {
    const key = await newKey();
    const sid = `${site.url}/feed/shown`;
    items = 12;
    const reply = await preview(key, "rss", sid);
    items = 2;
    const newest = Array.from({ length: 10 }, (_, at) => 12 - at);
    expect([reply.status, reply.json()]).toEqual([
      200,
      {
        data: {
          source: "RSS",
          sid,
          name: "Feed shown",
          url: sid,
          text: null,
          items: newest.map(n => ({
            title: `Item ${n}`,
            url: `https://example.com/${n}`,
            published_at: new Date(Date.UTC(2026, 0, n)).toISOString(),
          })),
        },
        message: "This is what would be watched.",
      },
    ]);
    expect(await rows(key)).toEqual([]);
  });

  test("of a page shows the text that is compared, or the feed that the page names", async () => {
    const key = await newKey();
    const shown = (await preview(key, "web", `${site.url}/page/oak`)).json<{
      data: Record<string, unknown>;
    }>();
    expect(shown.data).toEqual({
      source: "WEB",
      sid: `${site.url}/page/oak`,
      name: "Page oak",
      url: `${site.url}/page/oak`,
      text: expect.stringMatching(/The stock of nest boxes[\s\S]*Kind: oak\./),
      items: null,
      view: {
        text: expect.stringMatching(/Kind: oak\./),
        fields: null,
        lines_ignored: 0,
        would_fire: null,
        why: expect.stringMatching(/does not track the page, .*next change decides/),
        change: null,
        past: null,
      },
      outline: null,
    });
    const blog = (await preview(key, "web", `${site.url}/blog/`)).json<{ data: Record<string, unknown> }>();
    expect(blog.data).toMatchObject({ source: "RSS", url: `${site.url}/feed/blog`, text: null });
    const long = (await preview(key, "web", `${site.url}/long/`)).json<{
      data: { text: string };
      message: string;
    }>();
    expect(Buffer.byteLength(long.data.text)).toBeLessThanOrEqual(20 * 1024);
    expect(long.message).toMatch(/The text is cut at 20 KB\.$/);
    expect(await rows(key)).toEqual([]);
  });

  test("of an account shows its name and newest posts; of a gated channel that it must be asked", async () => {
    const key = await newKey();
    for (const text of ["The first.", "The second."]) {
      const body = { platform: "microblog", username: "magpie_daily", text };
      await magpie.request("POST", "/internal/sandbox/post", { admin: true, body });
    }
    const account = (await preview(key, "microblog", "magpie_daily")).json<{
      data: { items: Record<string, unknown>[] };
    }>();
    expect(account.data).toMatchObject({ source: "MICROBLOG", name: "Magpie Daily", url: null, text: null });
    expect(account.data.items.slice(0, 2)).toEqual(
      ["The second.", "The first."].map(title => ({
        title,
        url: null,
        published_at: expect.stringMatching(iso),
      })),
    );
    const sid = "https://messenger.example/+innernest2026";
    const gated = (await preview(key, "messenger", sid)).json<{ data: unknown; message: string }>();
    const named = { source: "MESSENGER", network: "sandbox", sid, name: sid };
    expect(gated.data).toEqual({ ...named, url: null, text: null, items: null });
    expect(gated.message).toMatch(/must approve Magpie first/);
  });

  test("takes a scrape slot of the key while a page is read", async () => {
    const key = await newKey({ concurrentScrapes: 1 });
    const first = preview(key, "web", `${site.url}/slow/`);
    await until("the page is read", () => hitsOf("/slow/") === 2);
    const second = expectRefusal(await preview(key, "web", `${site.url}/page/a`), 429, "rate_limited");
    expect(second.retry_after).toBe(1);
    const body = { url: `${site.url}/page/a` };
    expectRefusal(await magpie.request("POST", "/web/scrape", { key, body }), 429, "rate_limited");
    expect((await preview(key, "rss", `${site.url}/feed/a`)).status).toBe(200);
    slow.resolve();
    expect((await first).status).toBe(200);
    expect((await preview(key, "web", `${site.url}/page/a`)).status).toBe(200);
  });
});

test.each<[string, string, unknown, number, string, string, boolean?]>([
  ["GET", "/track?source=gazette", undefined, 400, "validation_failed", "source"],
  ["GET", "/track?health=well", undefined, 400, "validation_failed", "health"],
  ["GET", "/track?query=", undefined, 400, "validation_failed", "query"],
  ["GET", "/track?limit=201", undefined, 400, "validation_failed", "limit"],
  ["GET", "/track?cursor=x", undefined, 400, "validation_failed", "cursor"],
  ["GET", "/track?page=1", undefined, 400, "validation_failed", "page"],
  ["GET", "/track/joins?status=lost", undefined, 400, "validation_failed", "status"],
  ["GET", "/internal/sources?health=well", undefined, 400, "validation_failed", "health", true],
  ["GET", "/internal/sources", undefined, 401, "unauthorized", ""],
  ["POST", "/internal/sources/x/poll", undefined, 401, "unauthorized", ""],
  ["DELETE", "/internal/sources/x", undefined, 401, "unauthorized", ""],
  ["POST", "/track/rss/poll", {}, 400, "validation_failed", "iid"],
  ["POST", "/track/gazette/poll", { iid: "x" }, 400, "validation_failed", "source"],
  ["POST", "/track/rss/poll", { iid: "x" }, 404, "not_found", ""],
  ["POST", "/track/rss/preview", {}, 400, "validation_failed", "sid"],
  ["POST", "/track/gazette/preview", { sid: "x" }, 400, "validation_failed", "source"],
  ["POST", "/track/rss/preview", { sid: "no url" }, 400, "invalid_url", "sid"],
  ["POST", "/track/web/preview", { sid: "http://169.254.169.254/" }, 400, "url_not_allowed", "sid"],
  ["POST", "/track/rss/preview", { sid: "SITE/page/x" }, 400, "validation_failed", "sid"],
  ["POST", "/track/rss/preview", { sid: "SITE/none" }, 404, "not_found", ""],
  ["POST", "/track/web/preview", { sid: "SITE/none" }, 404, "not_found", ""],
  ["POST", "/track/microblog/preview", { sid: "someone" }, 404, "not_found", ""],
])("%s %s with %j is %i %s %s", async (method, path, body, status, code, field, admin = false) => {
  const text = body === undefined ? undefined : JSON.stringify(body).replace("SITE", site.url);
  expectRefusal(await magpie.request(method, path, { body: text, admin }), status, code, field);
});
