import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceSchema } from "moleculer";
import type { Config } from "../../mixins/config/config.ts";
import { actions, handle } from "../../services/contracts/action.ts";
import { keyDeleted, type SourcesRetagged, sourcesRetagged } from "../../services/contracts/events.ts";
import { sourcesOfTags } from "../../services/contracts/source-lists.contract.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { MemoryLog, someEvents } from "../fakes/memory-log.ts";
import { type Magpie, type Reply, startMagpie } from "../support/magpie.ts";
import { until } from "../support/until.ts";

/** Written by hand: a change of the wire breaks it. */
interface Page {
  data: { id: string; type: string; seq: number; timestamp: string; data: unknown }[];
  next_after: number;
  next_cursor: number | null;
  more: boolean;
}

let log: MemoryLog;
let magpie: Magpie;
let made = 0;
/** The sources under each tag, by key. */
const tagged = new Map<string, Record<string, string[]>>();

const tracker: ServiceSchema = {
  name: "tracker",
  actions: actions(
    handle(sourcesOfTags, "public", ({ params: { keyId, tags } }) => {
      const ofKey = tagged.get(keyId) ?? {};
      return { ids: tags.flatMap(tag => ofKey[tag] ?? []) };
    }),
  ),
};

beforeAll(async () => {
  log = new MemoryLog();
  const services = (config: Config) => [keysService(config), tracker];
  magpie = await startMagpie({ keysPerOwner: 1000 }, services, { log });
});

afterAll(() => magpie.stop());

async function newKey(): Promise<{ id: string; key: string }> {
  made += 1;
  const body = { owner: `o${made}`, name: "n" };
  const reply = await magpie.request("POST", "/internal/keys", { admin: true, body });
  return reply.json<{ data: { id: string; key: string } }>().data;
}

const read = (key: string, query = "") => magpie.request("GET", `/events${query}`, { key });
const seqs = (reply: Reply) => reply.json<Page>().data.map(({ seq }) => seq);

const waiting = () => {
  const gateway = magpie.broker.getLocalService("api") as unknown as {
    streams: { context: { registry: { size: number } } };
  };
  return gateway.streams.context.registry.size;
};
const isWaiting = () => until("it waits", () => waiting() === 1);

test("a page at a time, each event once", async () => {
  const { id, key } = await newKey();
  await log.append(someEvents(id, 1, 5));
  const first = await read(key, "?limit=2");
  expect([first.status, first.json()]).toMatchObject([200, { next_after: 2, more: true }]);
  expect(first.json<Page>().data[0]).toEqual({
    id: expect.any(String),
    type: expect.any(String),
    seq: 1,
    timestamp: expect.any(String),
    data: expect.any(Object),
  });
  const rest = await read(key, "?after=2&limit=100");
  expect(seqs(rest)).toEqual([3, 4, 5]);
  expect(rest.json()).toMatchObject({ next_after: 5, more: false });
  expect((await read(key, "?after=5")).json()).toEqual({
    data: [],
    next_after: 5,
    next_cursor: null,
    more: false,
  });
});

test("until a time: what is before it, and no waiting for more once it has passed", async () => {
  const { id, key } = await newKey();
  await log.append(someEvents(id, 1, 3));
  await sleep(5);
  const time = new Date().toISOString();
  await sleep(5);
  await log.append(someEvents(id, 4, 2));
  const first = await read(key, `?until=${time}&limit=2`);
  expect([seqs(first), first.json()]).toMatchObject([[1, 2], { next_after: 2, more: true }]);
  const rest = await read(key, `?until=${time}&after=2&wait_seconds=25`);
  expect([seqs(rest), rest.json()]).toMatchObject([[3], { next_after: 3, more: false }]);
  expect((await read(key, `?until=${time}&after=3&wait_seconds=25`)).json()).toMatchObject({
    data: [],
    more: false,
  });
  expect(seqs(await read(key, `?since=${time}`))).toEqual([4, 5]);
  expect((await read(key, "?until=noon")).status).toBe(400);
});

test("a key without events has an empty page", async () => {
  const { key } = await newKey();
  expect((await read(key)).json()).toEqual({ data: [], next_after: 0, next_cursor: null, more: false });
});

test("only of some types, and the position passes the others", async () => {
  const { id, key } = await newKey();
  const mixed = someEvents(id, 1, 6).map((event, at) => ({
    ...event,
    type: at % 3 === 0 ? ("webhook.test" as const) : ("rss.item.created" as const),
  }));
  await log.append(mixed);
  const reply = await read(key, "?types=webhook.test");
  expect(seqs(reply)).toEqual([1, 4]);
  expect(reply.json<Page>().next_after).toBe(6);
  expect(seqs(await read(key, "?types=webhook.test&types=rss.item.created"))).toHaveLength(6);
});

describe("a filter", () => {
  const source = (id: string, kind = "RSS") => ({ id, source: kind, externalId: id, username: id, name: id });
  const from = (keyId: string, n: number, of: ReturnType<typeof source>) =>
    someEvents(keyId, n, 1).map(event => ({ ...event, data: { ...event.data, source: of } }));

  test("by sources, kinds and tags; what it leaves out is passed over", async () => {
    const { id, key } = await newKey();
    tagged.set(id, { birds: ["s1", "s3"], daily: ["s2"] });
    await log.append(["s1", "s2", "s3", "s1"].flatMap((name, at) => from(id, at, source(name))));
    await log.append([...from(id, 5, source("s4", "WEB")), ...someEvents(id, 6, 1)]);
    expect(seqs(await read(key, "?source=s1"))).toEqual([1, 4]);
    expect(seqs(await read(key, "?sources=s1&sources=s2"))).toEqual([1, 2, 4]);
    expect(seqs(await read(key, "?source=web"))).toEqual([5]);
    expect(seqs(await read(key, "?tag=birds"))).toEqual([1, 3, 4]);
    expect(seqs(await read(key, "?tag=birds&tag=daily&source=s2"))).toEqual([2]);
    expect(seqs(await read(key, "?tag=none"))).toEqual([]);
    expect(seqs(await read(key, "?type=rss.item.created&tag=birds&after=1"))).toEqual([3, 4]);
    expect((await read(key, "?source=s2")).json()).toMatchObject({ next_after: 6, more: false });
    const first = await read(key, "?source=s1&limit=1");
    expect([seqs(first), first.json()]).toMatchObject([[1], { more: true }]);
    expect(seqs(await read(key, `?source=s1&after=${first.json<Page>().next_after}`))).toEqual([4]);
  });

  test("has the tags as they are when they change", async () => {
    const { id, key } = await newKey();
    tagged.set(id, { birds: [] });
    await log.append(from(id, 1, source("s1")));
    expect(seqs(await read(key, "?tag=birds"))).toEqual([]);
    tagged.set(id, { birds: ["s1"] });
    await magpie.broker.broadcast(sourcesRetagged.name, { keyId: id } satisfies SourcesRetagged);
    expect(seqs(await read(key, "?tag=birds"))).toEqual([1]);
  });

  test("a request that waits goes on while nothing comes that is wanted", async () => {
    const { id, key } = await newKey();
    const reply = read(key, "?source=s1&wait=25");
    await isWaiting();
    const reads = log.reads;
    await log.append(from(id, 1, source("s2")));
    await until("it has looked, and waits again", () => log.reads > reads && waiting() === 1);
    await log.append(from(id, 2, source("s1")));
    expect(await reply.then(each => each.json())).toMatchObject({ data: [{ seq: 2 }], next_after: 2 });
  });

  test("one that waits without success has passed what it left out", async () => {
    const { id, key } = await newKey();
    const reply = read(key, "?source=s1&wait_seconds=1");
    await isWaiting();
    await log.append(from(id, 1, source("s2")));
    expect((await reply).json()).toEqual({ data: [], next_after: 1, next_cursor: null, more: false });
  });

  test("one that waits reads a log of any length to its end", async () => {
    const { id, key } = await newKey();
    const length = 26_000;
    await log.append(someEvents(id, 1, length));
    await log.append(from(id, length + 1, source("s1")));
    expect((await read(key, "?source=s1")).json()).toEqual({
      data: [],
      next_after: 25_000,
      next_cursor: 25_000,
      more: true,
    });
    expect(seqs(await read(key, "?source=s1&wait=25"))).toEqual([length + 1]);
  });
});

test("from a time on", async () => {
  const { id, key } = await newKey();
  await log.append(someEvents(id, 1, 2));
  expect(seqs(await read(key, "?since=2020-01-01T00:00:00Z"))).toEqual([1, 2]);
  expect(seqs(await read(key, "?since=2999-01-01T00:00:00Z"))).toEqual([]);
});

describe("waiting", () => {
  test("ends with the first event", async () => {
    const { id, key } = await newKey();
    const reply = read(key, "?wait_seconds=25");
    await isWaiting();
    await log.append(someEvents(id, 1, 1));
    expect(seqs(await reply)).toEqual([1]);
    expect(waiting()).toBe(0);
  });

  test("finds an event whose hint was lost", async () => {
    const { id, key } = await newKey();
    const reply = read(key, "?wait_seconds=25");
    await isWaiting();
    log.muted = true;
    await log.append(someEvents(id, 1, 1));
    log.muted = false;
    expect(seqs(await reply)).toEqual([1]);
  });

  test("ends when the client leaves", async () => {
    const { key } = await newKey();
    const leave = new AbortController();
    const headers = { "x-api-key": key };
    const reply = fetch(`${magpie.url}/events?wait_seconds=25`, { headers, signal: leave.signal });
    const left = expect(reply).rejects.toThrow();
    await isWaiting();
    leave.abort();
    await left;
    await until("nobody waits", () => waiting() === 0);
  });

  test("ends when the gateway stops, with an answer", async () => {
    const other = await startMagpie({}, undefined, { log: new MemoryLog() });
    const reply = other.request("GET", "/events?wait_seconds=25");
    const gateway = other.broker.getLocalService("api") as unknown as {
      streams: { context: { registry: { size: number } } };
    };
    await until("it waits", () => gateway.streams.context.registry.size === 1);
    await other.stop();
    expect((await reply).json()).toEqual({ data: [], next_after: 0, next_cursor: null, more: false });
  });

  test("ends with its key", async () => {
    const { id, key } = await newKey();
    const reply = read(key, "?wait_seconds=25");
    await isWaiting();
    await magpie.broker.broadcast(keyDeleted.name, { keyId: id });
    expect((await reply).json()).toEqual({ data: [], next_after: 0, next_cursor: null, more: false });
  });
});

test.each([
  ["after=-1", "after"],
  ["after=x", "after"],
  ["after=9", "after"],
  ["since=yesterday", "since"],
  ["after=0&since=2020-01-01T00:00:00Z", "since"],
  ["types=birds", "types.0"],
  ["type=birds", "types.0"],
  ["source=", "sources.0"],
  ["tag=a,b", "tags.0"],
  ["tag=a&tags=b", "tag"],
  ["wait_seconds=26", "wait_seconds"],
  ["wait=26", "wait_seconds"],
  ["limit=0", "limit"],
  ["colour=blue", "colour"],
])("%s is a 400 that names the field", async (query, field) => {
  const { key } = await newKey();
  const reply = await read(key, `?${query}`);
  const { code, details } = reply.json<{ code: string; details: { field: string }[] }>();
  expect([reply.status, code, details[0]?.field]).toEqual([400, "validation_failed", field]);
});

test("a position whose events have expired is a 410 that says where to go on", async () => {
  const { id, key } = await newKey();
  await log.append(someEvents(id, 1, 9));
  log.expireBefore(id, 6);
  const reply = await read(key, "?after=2");
  expect([reply.status, reply.json()]).toMatchObject([
    410,
    { code: "expired", message: expect.stringContaining("read after 5"), oldest_seq: 6 },
  ]);
  expect(seqs(await read(key))).toEqual([6, 7, 8, 9]);
});

test("nobody reads without a key", async () => {
  expect((await magpie.request("GET", "/events", { key: null })).status).toBe(401);
});
