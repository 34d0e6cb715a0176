import type { Client } from "@modelcontextprotocol/client";
import { historyService } from "../../services/history/history.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { MemoryLog, someEvents } from "../fakes/memory-log.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { type Era, eras, httpClient, unfenced } from "../support/mcp-client.ts";
import { until } from "../support/until.ts";

let log: MemoryLog;
let magpie: Magpie;
let made = 0;
const clients: Client[] = [];

beforeAll(async () => {
  log = new MemoryLog();
  magpie = await startMagpie(
    { keysPerOwner: 1000 },
    config => [keysService(config), trackerService(config), historyService(config)],
    {
      log,
    },
  );
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.close()));
});
afterAll(() => magpie.stop());

async function newKey(more: object = {}): Promise<{ id: string; key: string }> {
  made += 1;
  const body = { owner: `s${made}`, name: "n", ...more };
  const reply = await magpie.request("POST", "/internal/keys", { admin: true, body });
  return reply.json<{ data: { id: string; key: string } }>().data;
}

interface Told {
  uri: string;
  _meta?: Record<string, unknown>;
}

/** A client, and what it was told of resources. */
async function connect(era: Era, key: string): Promise<{ client: Client; told: Told[] }> {
  const client = await httpClient(era, magpie.url, { "x-api-key": key });
  clients.push(client);
  const told: Told[] = [];
  client.setNotificationHandler(
    "notifications/resources/updated",
    ({ params }) => void told.push(params as Told),
  );
  return { client, told };
}

/** Subscribes as the revision does. */
async function subscribe(era: Era, client: Client, ...uris: string[]): Promise<() => Promise<void>> {
  if (era === "modern") {
    const subscription = await client.listen({ resourceSubscriptions: uris });
    return () => subscription.close();
  }
  for (const uri of uris) await client.subscribeResource({ uri });
  return async () => {
    for (const uri of uris) await client.unsubscribeResource({ uri });
  };
}

const seqsOf = (told: Told[], uri: string) =>
  told.filter(each => each.uri === uri).map(each => each._meta?.["magpie/seq"]);

const itemsOf = (keyId: string, from: number, count: number, id = "src_1") =>
  someEvents(keyId, from, count).map(event => ({
    ...event,
    type: "rss.item.created" as const,
    data: { source: { id, source: "RSS" as const, externalId: id, username: id, name: id } },
  }));

describe.each(eras)("the official client of the %s era", era => {
  test("is told after an append, and reads on from its last event", async () => {
    const { id, key } = await newKey();
    await log.append(itemsOf(id, 1, 2));
    const { client, told } = await connect(era, key);
    await subscribe(era, client, "magpie://events");
    await log.append(itemsOf(id, 3, 2));
    await until("it is told", () => seqsOf(told, "magpie://events").includes(4));
    const { contents } = await client.readResource({ uri: "magpie://events?after=2" });
    const [{ text = "" } = {}] = contents as { text?: string }[];
    const { facts, content } = unfenced(text);
    expect(facts).toContain("next_after: 4.");
    expect(content.split("\n").map(line => JSON.parse(line).seq)).toEqual([3, 4]);
    expect(told.some(({ _meta }) => Number(_meta?.["magpie/seq"]) <= 2)).toBe(false);
  });

  test("is told at once what came while it was away", async () => {
    const { id, key } = await newKey();
    await log.append(itemsOf(id, 1, 3));
    const { client, told } = await connect(era, key);
    await subscribe(era, client, "magpie://events?after=1");
    await until("it is told", () => seqsOf(told, "magpie://events?after=1").length > 0);
    expect(seqsOf(told, "magpie://events?after=1")).toEqual([3]);
  });

  test("is told of the sources that it names, and of no other key's", async () => {
    const { id, key } = await newKey();
    const other = await newKey();
    const { client, told } = await connect(era, key);
    await subscribe(era, client, "magpie://sources/a", "magpie://sources/b");
    await log.append([...itemsOf(other.id, 1, 1, "a"), ...itemsOf(id, 1, 1, "c"), ...itemsOf(id, 2, 1, "b")]);
    await until("it is told", () => told.length > 0);
    await log.append(itemsOf(id, 3, 1, "a"));
    await until("it is told", () => told.length > 1);
    expect(told.map(({ uri, _meta }) => [uri, _meta?.["magpie/seq"]])).toEqual([
      ["magpie://sources/b", 2],
      ["magpie://sources/a", 3],
    ]);
  });

  test("is told nothing more once it has unsubscribed", async () => {
    const { id, key } = await newKey();
    const { client, told } = await connect(era, key);
    const end = await subscribe(era, client, "magpie://events");
    await log.append(itemsOf(id, 1, 1));
    await until("it is told", () => told.length === 1);
    await end();
    await log.append(itemsOf(id, 2, 1));
    await subscribe(era, client, "magpie://sources/src_1");
    await log.append(itemsOf(id, 3, 1));
    await until("it is told of the other", () => seqsOf(told, "magpie://sources/src_1").length > 0);
    expect(seqsOf(told, "magpie://events")).toEqual([1]);
  });

  test("finds the resources, and is refused what is none", async () => {
    const { key } = await newKey();
    const { client } = await connect(era, key);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(["magpie://events"]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "magpie://events{?after}",
      "magpie://sources/{id}{?after}",
    ]);
    await expect(client.readResource({ uri: "magpie://keys" })).rejects.toThrow(/magpie:\/\/events/);
    await expect(client.readResource({ uri: "magpie://sources/none" })).rejects.toThrow(/not_found/);
    await expect(subscribe(era, client, "file:///etc/passwd")).rejects.toThrow();
    await expect(subscribe(era, client, "magpie://events?after=9")).rejects.toThrow();
  });

  test("without the scope to read, is told nothing", async () => {
    const { key } = await newKey({ scopes: ["scrape"] });
    const { client } = await connect(era, key);
    await expect(subscribe(era, client, "magpie://events")).rejects.toThrow();
    await expect(client.readResource({ uri: "magpie://events" })).rejects.toThrow(/insufficient_scope/);
  });

  test("whose key is deleted has its stream ended", async () => {
    const { id, key } = await newKey();
    const { client } = await connect(era, key);
    const before = openReaders();
    await subscribe(era, client, "magpie://events");
    await until("it is open", () => openReaders() > before);
    await magpie.request("DELETE", `/internal/keys/${id}`, { admin: true });
    await until("it has ended", () => openReaders() <= before);
  });
});

function openReaders(): number {
  const gateway = magpie.broker.getLocalService("api") as unknown as {
    streams: { context: { registry: { size: number } } };
  };
  return gateway.streams.context.registry.size;
}

describe("a session of 2025", () => {
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  };
  const accept = { accept: "application/json, text/event-stream" };
  const begin = async (key: string) => {
    const reply = await magpie.request("POST", "/mcp", { key, headers: accept, body: initialize });
    return reply.headers.get("mcp-session-id") ?? "";
  };

  test("belongs to its key, and ends", async () => {
    const [mine, other] = [await newKey(), await newKey()];
    const id = await begin(mine.key);
    expect(id).toMatch(/^[\w-]{22}$/);
    const headers = { "mcp-session-id": id };
    const end = (key: string) => magpie.request("DELETE", "/mcp", { key, headers });
    expect((await end(other.key)).status).toBe(404);
    expect((await end(mine.key)).status).toBe(204);
    expect((await magpie.request("GET", "/mcp", { key: mine.key, headers })).status).toBe(404);
  });

  test("keeps what it has subscribed to while its stream is away", async () => {
    const { id: keyId, key } = await newKey();
    const session = await begin(key);
    const headers = { ...accept, "mcp-session-id": session };
    const body = { jsonrpc: "2.0", id: 2, method: "resources/subscribe", params: { uri: "magpie://events" } };
    const answer = await magpie.request("POST", "/mcp", { key, headers, body });
    expect(answer.text).toContain('"magpie/seq":0');
    await log.append(itemsOf(keyId, 1, 2));
    const first = new AbortController();
    const open = (signal: AbortSignal) =>
      fetch(`${magpie.url}/mcp`, { headers: { "x-api-key": key, "mcp-session-id": session }, signal });
    expect(await untilText(await open(first.signal), '"magpie/seq":2')).toContain("resources/updated");
    first.abort();
    await log.append(itemsOf(keyId, 3, 1));
    const second = new AbortController();
    const text = await untilText(await open(second.signal), '"magpie/seq":3');
    expect(text).not.toContain('"magpie/seq":2');
    second.abort();
  });
});

/** Reads a stream until it has this text. */
async function untilText({ body }: Response, wanted: string): Promise<string> {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  for (let text = ""; ; ) {
    const { value, done } = await reader.read();
    text += decoder.decode(value, { stream: true });
    if (text.includes(wanted)) return text;
    if (done) throw new Error(`the stream ended: ${text}`);
  }
}
