import { Webhook } from "standardwebhooks";
import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Magpie, type Reply, type RequestOptions, startMagpie } from "../support/magpie.ts";
import { type StreamClient, streamClient } from "../support/stream-client.ts";
import { until } from "../support/until.ts";

/** Written by hand: a change of the wire breaks them. */
interface Source {
  id: string;
  source: string;
  externalId: string;
  username: string;
  name: string;
}

interface Hook {
  id: string;
  apiKey: string;
  name: string | null;
  url: string;
  status: string;
  secret?: string;
}

interface RssEvent {
  id: string;
  type: string;
  timestamp: string;
  seq: number;
  data: { source: Source | null; item?: { id: string; title: string } };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const endpoint = "https://hooks.example.com/magpie";

let site: Site;
let magpie: Magpie;
let items = 2;
let made = 0;
const received: { headers: Record<string, string>; body: string }[] = [];

const services = (config: Parameters<typeof keysService>[0]) => [
  keysService(config),
  trackerService(config),
  webhookDispatcherService(config),
  connectorsService(config),
];

beforeAll(async () => {
  site = await startSite(async (request, response) => {
    if (request.url === "/feed.xml" || request.url === "/other.xml")
      return response.writeHead(200, { "content-type": "application/rss+xml" }).end(feed());
    if (request.url === "/blog") return response.writeHead(200, { "content-type": "text/html" }).end(blog);
    if (request.url === "/plain") return response.writeHead(200, { "content-type": "text/plain" }).end("Hi");
    if (request.method !== "POST") return response.writeHead(404).end();
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    received.push({ headers: request.headers as Record<string, string>, body });
    return response.writeHead(204).end();
  });
  magpie = await startMagpie(
    { egressAllow: [`127.0.0.1:${site.port}`], pollMinIntervalMs: 50, keysPerOwner: 1000 },
    services,
  );
});

afterAll(async () => {
  await magpie.stop();
  await site.close();
});

const blog = `<!doctype html><html><head><title>Blog</title>
<link rel="alternate" type="application/rss+xml" href="/feed.xml"></head><body><p>Hello.</p></body></html>`;

function feed(): string {
  const entries = Array.from({ length: items }, (_, at) => items - at).map(
    number => `<item><guid isPermaLink="false">i${number}</guid><title>Item ${number}</title></item>`,
  );
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>The Feed</title><link>${site.url}/</link>
<description>d</description>${entries.join("")}</channel></rss>`;
}

async function newKey(limits = {}): Promise<string> {
  made += 1;
  const body = { owner: `t${made}`, name: "n", limits };
  const reply = await magpie.request("POST", "/internal/keys", { admin: true, body });
  return reply.json<{ data: { key: string } }>().data.key;
}

function expectRefusal(reply: Reply, status: number, code: string, field?: string): void {
  const body = reply.json<{ code: string; error: string; message: string; details?: { field: string }[] }>();
  expect([reply.status, body.code]).toEqual([status, code]);
  expect(body.message).toBe(body.error);
  expect(body.error).toMatch(/\.$/);
  if (field) expect(body.details?.map(each => each.field)).toContain(field);
}

describe("tracking", () => {
  const source = () => ({
    id: expect.stringMatching(uuid),
    source: "RSS",
    externalId: `${site.url}/feed.xml`,
    username: `127.0.0.1:${site.port}`,
    name: "The Feed",
  });

  test("201 when new, 200 with the same source when tracked already, one id for every key", async () => {
    const [a, b] = [await newKey(), await newKey()];
    const body = { sid: `${site.url}/feed.xml` };
    const first = await magpie.request("POST", "/track/rss", { key: a, body });
    expect(first.status).toBe(201);
    expect(first.json()).toEqual({ data: source(), message: expect.any(String) });
    const again = await magpie.request("POST", "/track/rss", { key: a, body });
    expect([again.status, again.json().data]).toEqual([200, first.json().data]);
    const other = await magpie.request("POST", "/track/rss", { key: b, body });
    expect([other.status, other.json().data]).toEqual([201, first.json().data]);
  });

  test("a page that names a feed is tracked as that feed", async () => {
    const key = await newKey();
    const reply = await magpie.request("POST", "/track/web", { key, body: { sid: `${site.url}/blog` } });
    expect([reply.status, reply.json().data]).toEqual([201, source()]);
  });

  test("find is over what the calling key tracks", async () => {
    const [key, other] = [await newKey(), await newKey()];
    const tracked = await magpie.request("POST", "/track/rss", {
      key,
      body: { sid: `${site.url}/feed.xml` },
    });
    const found = await magpie.request("GET", "/track/rss/find?query=the%20FEED", { key });
    expect([found.status, found.json()]).toEqual([
      200,
      {
        data: [
          {
            ...tracked.json<{ data: Source }>().data,
            createdAt: expect.stringMatching(iso),
            updatedAt: expect.stringMatching(iso),
          },
        ],
        total: 1,
        page: 1,
        limit: 20,
        next_cursor: null,
        message: expect.any(String),
      },
    ]);
    const second = await magpie.request("GET", "/track/rss/find?query=feed&page=2&limit=1", { key });
    expect(second.json()).toMatchObject({ data: [], total: 1, page: 2, limit: 1 });
    const empty = await magpie.request("GET", "/track/rss/find?query=feed", { key: other });
    expect(empty.json()).toMatchObject({ data: [], total: 0 });
  });

  test.each([
    ["eid", "the body"],
    ["eid", "the query"],
    ["iid", "the body"],
    ["iid", "the query"],
  ])("it ends by %s in %s, once", async (name, place) => {
    const key = await newKey();
    const tracked = await magpie.request("POST", "/track/rss", {
      key,
      body: { sid: `${site.url}/feed.xml` },
    });
    const { data } = tracked.json<{ data: Source }>();
    const id = { [name]: name === "eid" ? data.externalId : data.id };
    const untrack = (options: RequestOptions = {}) =>
      place === "the body"
        ? magpie.request("DELETE", "/track/rss", { ...options, body: id })
        : magpie.request("DELETE", `/track/rss?${new URLSearchParams(id)}`, options);
    expectRefusal(await untrack(), 404, "not_found");
    const ended = await untrack({ key });
    expect([ended.status, ended.json()]).toEqual([200, { data, message: expect.any(String) }]);
    expectRefusal(await untrack({ key }), 404, "not_found");
  });

  test("a key tracks as many sources as its limit says", async () => {
    const key = await newKey({ trackedSources: 1 });
    const first = await magpie.request("POST", "/track/rss", { key, body: { sid: `${site.url}/feed.xml` } });
    expect(first.status).toBe(201);
    const second = await magpie.request("POST", "/track/rss", {
      key,
      body: { sid: `${site.url}/other.xml` },
    });
    expectRefusal(second, 403, "forbidden");
    const again = await magpie.request("POST", "/track/rss", { key, body: { sid: `${site.url}/feed.xml` } });
    expect(again.status).toBe(200);
  });

  test.each<[string, string, unknown, number, string, string]>([
    ["POST", "/track/rss", {}, 400, "validation_failed", "sid"],
    ["POST", "/track/rss", { sid: "" }, 400, "validation_failed", "sid"],
    ["POST", "/track/rss", { sid: 7 }, 400, "validation_failed", "sid"],
    ["POST", "/track/rss", { sid: "no url" }, 400, "invalid_url", "sid"],
    ["POST", "/track/rss", { sid: "ftp://example.com/x" }, 400, "url_not_allowed", "sid"],
    ["POST", "/track/rss", { sid: "http://10.0.0.1/feed" }, 400, "url_not_allowed", "sid"],
    ["POST", "/track/web", { sid: "http://169.254.169.254/" }, 400, "url_not_allowed", "sid"],
    ["POST", "/track/web", { sid: "http://localhost/" }, 400, "url_not_allowed", "sid"],
    [
      "POST",
      "/track/rss",
      { sid: `https://example.com/${"x".repeat(2048)}` },
      400,
      "validation_failed",
      "sid",
    ],
    ["POST", "/track/rss", { sid: `https://example.com/${"ü".repeat(700)}` }, 400, "invalid_url", "sid"],
    ["POST", "/track/rss", { sid: "SITE/plain" }, 400, "validation_failed", "sid"],
    ["POST", "/track/rss", { sid: "SITE/none" }, 404, "not_found", ""],
    ["POST", "/track/rss", { sid: "SITE/feed.xml", extra: 1 }, 400, "validation_failed", "extra"],
    ["POST", "/track/gazette", { sid: "SITE/feed.xml" }, 400, "validation_failed", "source"],
    ["POST", "/track/RSS", { sid: "SITE/feed.xml" }, 400, "validation_failed", "source"],
    ["POST", "/track/microblog", { sid: "someone" }, 404, "not_found", ""],
    ["DELETE", "/track/rss", {}, 400, "validation_failed", "eid"],
    ["DELETE", "/track/rss", { eid: "a", iid: "b" }, 400, "validation_failed", "eid"],
    ["DELETE", "/track/gazette", { eid: "a" }, 400, "validation_failed", "source"],
    ["DELETE", "/track/rss", { eid: "https://example.com/" }, 404, "not_found", ""],
    ["DELETE", "/track/messenger", { iid: "x" }, 404, "not_found", ""],
    ["DELETE", "/track/rss", undefined, 400, "validation_failed", "eid"],
    ["DELETE", "/track/rss?eid=a&iid=b", undefined, 400, "validation_failed", "eid"],
    ["DELETE", "/track/rss?eid=a", { eid: "a" }, 400, "validation_failed", "eid"],
    ["DELETE", "/track/rss?eid=a", { iid: "b" }, 400, "validation_failed", "eid"],
    ["DELETE", "/track/rss?eid=a&eid=b", undefined, 400, "validation_failed", "eid"],
    ["DELETE", "/track/rss?eid=", undefined, 400, "validation_failed", "eid"],
    ["DELETE", "/track/rss?sid=a", undefined, 400, "validation_failed", "sid"],
    ["DELETE", "/track/rss?eid=https://example.com/", undefined, 404, "not_found", ""],
    ["DELETE", "/track-user?username=a-b", undefined, 400, "validation_failed", "username"],
    ["DELETE", "/track-user?username=a", { username: "a" }, 400, "validation_failed", "username"],
    ["DELETE", "/track-chat?channelId=1", { channelId: "1" }, 400, "validation_failed", "channelId"],
    ["DELETE", "/track-chat", undefined, 400, "validation_failed", "channelId"],
    ["PATCH", "/track/rss?iid=a", { options: {} }, 400, "validation_failed", "iid"],
    ["GET", "/track/rss/find", undefined, 400, "validation_failed", "query"],
    ["GET", "/track/rss/find?query=", undefined, 400, "validation_failed", "query"],
    ["GET", "/track/rss/find?query=a&page=0", undefined, 400, "validation_failed", "page"],
    ["GET", "/track/rss/find?query=a&page=1.5", undefined, 400, "validation_failed", "page"],
    ["GET", "/track/rss/find?query=a&limit=0", undefined, 400, "validation_failed", "limit"],
    ["GET", "/track/rss/find?query=a&limit=101", undefined, 400, "validation_failed", "limit"],
    ["GET", "/track/rss/find?query=a&limit=x", undefined, 400, "validation_failed", "limit"],
    ["GET", "/track/gazette/find?query=a", undefined, 400, "validation_failed", "source"],
  ])("%s %s with %j is %i %s %s", async (method, path, body, status, code, field) => {
    const text = body === undefined ? undefined : JSON.stringify(body).replace("SITE", site.url);
    expectRefusal(await magpie.request(method, path, { body: text }), status, code, field);
  });
});

describe("the webhook", () => {
  test("is registered, overwritten, changed, shown and removed", async () => {
    const key = await newKey();
    const none = await magpie.request("GET", "/webhook", { key });
    expect([none.status, none.json()]).toEqual([200, { data: null, message: expect.any(String) }]);
    const first = await magpie.request("POST", "/webhook", { key, body: { url: endpoint, name: "one" } });
    expect(first.status).toBe(201);
    expect(first.json()).toEqual({
      data: {
        id: expect.any(String),
        apiKey: key,
        name: "one",
        url: endpoint,
        status: "ACTIVE",
        ordering: "conversation",
        batch: null,
        secret: expect.stringMatching(/^whsec_/),
      },
      message: expect.any(String),
    });
    const { id } = first.json<{ data: Hook }>().data;
    const second = await magpie.request("POST", "/webhook", { key, body: { url: `${endpoint}/2` } });
    expect(second.json<{ data: Hook }>().data).toMatchObject({ id, url: `${endpoint}/2`, status: "ACTIVE" });
    expect(second.status).toBe(200);
    expect(second.json<{ data: Hook }>().data).toMatchObject({ name: "one" });
    const body = { url: `${endpoint}/2`, name: null };
    const unnamed = await magpie.request("POST", "/webhook", { key, body });
    expect(unnamed.json<{ data: Hook }>().data).toMatchObject({ name: null });
    const changed = await magpie.request("PATCH", "/webhook", { key });
    expect(changed.status).toBe(200);
    expect(Object.keys(changed.json<{ data: Hook }>().data).sort()).toEqual([
      "apiKey",
      "batch",
      "id",
      "name",
      "ordering",
      "status",
      "url",
    ]);
    const shown = await magpie.request("GET", "/webhook", { key });
    expect(shown.json().data).toBe(`${endpoint}/2`);
    const removed = await magpie.request("DELETE", "/webhook", { key });
    expect([removed.status, removed.json()]).toEqual([200, { message: expect.any(String) }]);
  });

  test.each<[string, string, unknown]>([
    ["PATCH", "/webhook", {}],
    ["DELETE", "/webhook", {}],
    ["POST", "/webhook/test", {}],
    ["POST", "/webhook/replay", { since: "2026-01-01T00:00:00Z" }],
  ])("%s %s without one is 404", async (method, path, body) => {
    const key = await newKey();
    expectRefusal(await magpie.request(method, path, { key, body }), 404, "not_found");
  });

  test.each<[string, string, unknown, number, string, string]>([
    ["POST", "/webhook", {}, 400, "validation_failed", "url"],
    ["POST", "/webhook", { url: "hooks.example.com" }, 400, "invalid_url", "url"],
    ["POST", "/webhook", { url: "http://hooks.example.com/" }, 400, "url_not_allowed", "url"],
    ["POST", "/webhook", { url: "https://u:p@hooks.example.com/" }, 400, "url_not_allowed", "url"],
    ["POST", "/webhook", { url: "https://192.168.0.1/" }, 400, "url_not_allowed", "url"],
    [
      "POST",
      "/webhook",
      { url: `https://hooks.example.com/${"x".repeat(2048)}` },
      400,
      "validation_failed",
      "url",
    ],
    ["POST", "/webhook", { url: endpoint, name: "" }, 400, "validation_failed", "name"],
    ["POST", "/webhook", { url: endpoint, status: "ACTIVE" }, 400, "validation_failed", "status"],
    ["PATCH", "/webhook", { url: null }, 400, "validation_failed", "url"],
    ["PATCH", "/webhook", { url: "http://10.0.0.1/" }, 400, "url_not_allowed", "url"],
    ["PATCH", "/webhook", { rotate_secret: "yes" }, 400, "validation_failed", "rotate_secret"],
    ["POST", "/webhook/replay", {}, 400, "validation_failed", "since"],
    ["POST", "/webhook/replay", { since: "yesterday" }, 400, "validation_failed", "since"],
    ["POST", "/webhook/replay", { since: "2026-02-30" }, 400, "validation_failed", "since"],
    ["POST", "/webhook/replay", { since: "2026-02-30T10:00:00Z" }, 400, "validation_failed", "since"],
    ["GET", "/webhook/deliveries?status=lost", undefined, 400, "validation_failed", "status"],
    ["GET", "/webhook/deliveries?limit=101", undefined, 400, "validation_failed", "limit"],
    ["GET", "/webhook/deliveries?cursor=x", undefined, 400, "validation_failed", "cursor"],
    ["PUT", "/webhook", {}, 405, "method_not_allowed", ""],
  ])("%s %s with %j is %i %s %s", async (method, path, body, status, code, field) => {
    expectRefusal(await magpie.request(method, path, { body }), status, code, field);
  });
});

test("a new item reaches the webhook, signed, and the stream, with one and the same body", async () => {
  const other = await startMagpie(
    {
      egressAllow: [`127.0.0.1:${site.port}`],
      pollMinIntervalMs: 50,
      webhooks: { allowHttp: true, backoffMs: [20, 20, 20, 20] },
    },
    services,
  );
  let client: StreamClient | undefined;
  try {
    const hook = await other.request("POST", "/webhook", { body: { url: `${site.url}/hook` } });
    const { secret = "" } = hook.json<{ data: Hook }>().data;
    const tracked = await other.request("POST", "/track/rss", { body: { sid: `${site.url}/feed.xml` } });
    client = streamClient(other.url, "/stream", { "x-api-key": other.apiKey });
    await client.hello();
    received.length = 0;
    items += 1;
    await until("it is delivered", () => received.length === 1);
    const [delivery] = received;
    const event = new Webhook(secret).verify(delivery?.body ?? "", delivery?.headers ?? {}) as RssEvent;
    expect(event).toMatchObject({
      id: delivery?.headers["webhook-id"],
      type: "rss.item.created",
      timestamp: expect.stringMatching(iso),
      seq: 1,
      data: { source: tracked.json().data, item: { id: "i3", title: "Item 3" } },
    });
    await until("it is streamed", () => client?.seqs().length === 1);
    expect(client.frames[1]).toEqual({ type: "event", event });

    const test = await other.request("POST", "/webhook/test");
    const { event_id } = test.json<{ data: { event_id: string } }>().data;
    await until("the test is delivered", () => received.length === 2);
    expect(JSON.parse(received[1]?.body ?? "")).toMatchObject({ id: event_id, type: "webhook.test", seq: 2 });

    const listed = async () => (await other.request("GET", "/webhook/deliveries?limit=1")).json<Deliveries>();
    await until("it is logged", async () => (await listed()).data[0]?.event_id === event_id);
    const page = await listed();
    expect(page.data).toEqual([
      {
        id: expect.any(String),
        event_id,
        seq: 2,
        url: `${site.url}/hook`,
        webhook_id: expect.any(String),
        type: "webhook.test",
        attempt: 1,
        outcome: "succeeded",
        http_status: 204,
        error: null,
        duration_ms: expect.any(Number),
        answer: "",
        at: expect.stringMatching(iso),
      },
    ]);
    const next = await other.request("GET", `/webhook/deliveries?limit=1&cursor=${page.next_cursor}`);
    expect(next.json<Deliveries>().data.map(each => each.event_id)).toEqual([event.id]);

    const replay = await other.request("POST", "/webhook/replay", { body: { since: event.timestamp } });
    expect(replay.json()).toEqual({ data: { events: 2 }, message: expect.any(String) });
    await until("both come again", () => received.length === 4);
    expect(received.slice(2).map(({ body }) => body)).toEqual(received.slice(0, 2).map(({ body }) => body));
    expect(client.seqs()).toEqual([1, 2]);
  } finally {
    client?.socket.terminate();
    await other.stop();
  }
});

interface Deliveries {
  data: { event_id: string }[];
  next_cursor: string | null;
}

test("the document tells what a webhook receives", async () => {
  const reply = await magpie.request("GET", "/openapi.json", { key: null });
  const { webhooks } = reply.json<{ webhooks: Record<string, { post: { requestBody: Body } }> }>();
  expect(Object.keys(webhooks)).toEqual([
    "microblog.post.created",
    "chatserver.message.created",
    "messenger.message.created",
    "microblog.post.updated",
    "microblog.post.deleted",
    "chatserver.message.updated",
    "chatserver.message.deleted",
    "messenger.message.updated",
    "messenger.message.deleted",
    "rss.item.created",
    "rss.item.updated",
    "web.page.changed",
    "web.item.created",
    "site.page.added",
    "site.page.changed",
    "site.page.removed",
    "site.page.moved",
    "site.changed",
    "site.checked",
    "search.result.found",
    "source.failing",
    "source.recovered",
    "source.gone",
    "source.gap",
    "monitor.page",
    "monitor.checked",
    "quota.warning",
    "quota.exceeded",
    "endpoint.failing",
    "endpoint.failed",
    "endpoint.recovered",
    "webhook.test",
    "event.erased",
    "batch",
    "job",
  ]);
  // Notices of jobs have types of their own.
  for (const [type, { post }] of Object.entries(webhooks).filter(([name]) => name !== "job"))
    expect(post.requestBody.content["application/json"].example).toMatchObject({ type });
});

interface Body {
  content: { "application/json": { example: object } };
}
