import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { feedOverrides } from "../suites/feeds-out.suite.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { callTool, httpClient } from "../support/mcp-client.ts";
import { refusedUpgrade, streamClient } from "../support/stream-client.ts";
import { until } from "../support/until.ts";

interface Key {
  id: string;
  key: string;
  last_used_at: string | null;
}

const end = "2026-12-01T00:00:00.000Z";
const before = Date.parse(end) - 1;
let now = before;
let magpie: Magpie;

beforeAll(async () => {
  magpie = await startMagpie(
    feedOverrides,
    config => [
      keysService(config, () => now),
      trackerService(config),
      connectorsService(config),
      scraperService(config),
      webhookDispatcherService(config),
    ],
    { now: () => now, stream: { recheckMs: 20 } },
  );
});
beforeEach(() => {
  now = before;
});
afterAll(() => magpie.stop());

let owners = 0;

async function keyWith(bounds: object): Promise<Key> {
  owners += 1;
  const body = { owner: `owner ${owners}`, name: "n", ...bounds };
  const made = await magpie.request("POST", "/internal/keys", { admin: true, body });
  expect(made.status).toBe(201);
  return made.json<{ data: Key }>().data;
}

const change = (id: string, body: object) =>
  magpie.request("PATCH", `/internal/keys/${id}`, { admin: true, body });

test("a key ends at its time on every way in, and works again with a later end", async () => {
  const { id, key } = await keyWith({ expires_at: end });
  const made = await magpie.request("POST", "/feeds", { key, body: {} });
  const feed = new URL(made.json<{ data: { atom_url: string } }>().data.atom_url).pathname;
  const ways: (() => Promise<{ status: number; text: string }>)[] = [
    () => magpie.request("GET", "/users/me", { key }),
    () => magpie.request("GET", "/users/me", { key: null, headers: { authorization: `Bearer ${key}` } }),
    () => magpie.request("POST", "/web/scrape", { key, body: "{" }),
    () => magpie.request("POST", "/v2/scrape", { key, body: {} }),
    () => magpie.request("GET", "/stream/sse", { key }),
    () => magpie.request("POST", "/mcp", { key, body: {} }),
    () => magpie.request("GET", "/users/me", { admin: true, headers: { "x-key-id": id } }),
    () => magpie.request("GET", feed, { key: null }),
    () => magpie.request("POST", "/session", { key: null, body: { api_key: key } }),
  ];
  const first = await ways[0]?.();
  expect([first?.status, (await ways[7]?.())?.status]).toEqual([200, 200]);
  now = Date.parse(end);
  for (const [at, way] of ways.entries()) {
    const { status, text } = await way();
    expect([at, status, text]).toEqual([
      at,
      401,
      expect.stringContaining("expired at 2026-12-01T00:00:00.000Z"),
    ]);
    if (at !== 3) expect(text).toContain('"key_expired"');
  }
  expect((await refusedUpgrade(magpie.url, "/stream", { "x-api-key": key })).body.code).toBe("key_expired");
  const framed = streamClient(magpie.url, "/stream", {});
  framed.socket.on("open", () => framed.socket.send(JSON.stringify({ type: "auth", key })));
  expect(await framed.closed).toEqual([4401, "key_expired"]);
  expect((await change(id, { expires_at: "2027-01-01T00:00:00Z" })).status).toBe(200);
  expect((await ways[0]?.())?.status).toBe(200);
});

test("open streams end with the key, and with its scope", async () => {
  const [expiring, narrowed] = [await keyWith({ expires_at: end }), await keyWith({})];
  const streams = [expiring, narrowed].map(({ key }) =>
    streamClient(magpie.url, "/stream", { "x-api-key": key }),
  );
  for (const stream of streams) await stream.hello();
  await change(narrowed.id, { scopes: ["scrape"] });
  expect(await streams[1]?.closed).toEqual([4403, "insufficient_scope"]);
  now = Date.parse(end);
  expect(await streams[0]?.closed).toEqual([4401, "key_expired"]);
});

test("a WebSocket and a feed need a scope, as requests do", async () => {
  const { id, key } = await keyWith({ scopes: ["track"] });
  expect((await refusedUpgrade(magpie.url, "/stream", { "x-api-key": key })).status).toBe(403);
  expect((await refusedUpgrade(magpie.url, "/v2/crawl/crw_x", { "x-api-key": key })).status).toBe(403);
  const framed = streamClient(magpie.url, "/stream", {});
  framed.socket.on("open", () => framed.socket.send(JSON.stringify({ type: "auth", key })));
  expect(await framed.closed).toEqual([4403, "insufficient_scope"]);
  const made = await magpie.request("POST", "/feeds", { key, body: {} });
  const feed = new URL(made.json<{ data: { json_url: string } }>().data.json_url).pathname;
  expect((await magpie.request("GET", feed, { key: null })).status).toBe(200);
  await change(id, { scopes: ["scrape"] });
  await until("the gateway forgets the key", async () => {
    const reply = await magpie.request("GET", feed, { key: null });
    return reply.status === 403 && reply.json().code === "insufficient_scope";
  });
});

test("an MCP client sees the tools that its key may call; another one is an error of the tool", async () => {
  const { key } = await keyWith({ scopes: ["read"] });
  const client = await httpClient("modern", magpie.url, { "x-api-key": key });
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["scrape", "read_events", "list_sources", "crawl_status"]));
  for (const other of ["track", "untrack", "crawl", "map", "batch"]) expect(names).not.toContain(other);
  const scrape = tools.find(({ name }) => name === "scrape");
  expect(Object.keys(scrape?.inputSchema.properties ?? {})).not.toContain("url");
  const refused = await callTool(client, "track", { source: "rss", sid: "https://example.com/" });
  expect([refused.isError, refused.text]).toEqual([
    true,
    expect.stringMatching(/^insufficient_scope: .*`track`/),
  ]);
  expect((await callTool(client, "scrape", { url: "https://example.com/" })).text).toMatch(
    /^insufficient_scope/,
  );
  expect((await callTool(client, "list_sources", {})).isError).toBe(false);
  await client.close();
});

test("who acts as a key has its scopes", async () => {
  const { id } = await keyWith({ scopes: ["read"] });
  const headers = { "x-key-id": id };
  expect((await magpie.request("GET", "/events", { admin: true, headers })).status).toBe(200);
  const refused = await magpie.request("POST", "/feeds", { admin: true, headers, body: {} });
  expect([refused.status, refused.json().scopes]).toEqual([403, ["track"]]);
});

test("lists show the minute of the latest request", async () => {
  const { id, key } = await keyWith({});
  const shown = async () => {
    const listed = await magpie.request("GET", "/internal/keys", { admin: true });
    return listed.json<{ data: Key[] }>().data.find(each => each.id === id)?.last_used_at;
  };
  expect(await shown()).toBeNull();
  const since = Math.floor(Date.now() / 60_000) * 60_000;
  await magpie.request("GET", "/event-types", { key });
  await until("the count is written", async () => (await shown()) !== null);
  const at = Date.parse((await shown()) ?? "");
  expect([at % 60_000, at >= since]).toEqual([0, true]);
});
