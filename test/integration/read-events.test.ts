import { keyDeleted } from "../../services/contracts/events.ts";
import { MemoryLog, someEvents } from "../fakes/memory-log.ts";
import { type Magpie, type Reply, startMagpie } from "../support/magpie.ts";
import { until } from "../support/until.ts";

/** Written by hand: a change of the wire breaks it. */
interface Page {
  data: { id: string; type: string; seq: number; timestamp: string; data: unknown }[];
  next_after: number;
  more: boolean;
}

let log: MemoryLog;
let magpie: Magpie;
let made = 0;

beforeAll(async () => {
  log = new MemoryLog();
  magpie = await startMagpie({ keysPerOwner: 1000 }, undefined, { log });
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
  expect((await read(key, "?after=5")).json()).toEqual({ data: [], next_after: 5, more: false });
});

test("a key without events has an empty page", async () => {
  const { key } = await newKey();
  expect((await read(key)).json()).toEqual({ data: [], next_after: 0, more: false });
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

test("from a time on", async () => {
  const { id, key } = await newKey();
  await log.append(someEvents(id, 1, 2));
  expect(seqs(await read(key, "?since=2020-01-01T00:00:00Z"))).toEqual([1, 2]);
  expect(seqs(await read(key, "?since=2999-01-01T00:00:00Z"))).toEqual([]);
});

describe("waiting", () => {
  const waiting = () => {
    const gateway = magpie.broker.getLocalService("api") as unknown as {
      streams: { context: { registry: { size: number } } };
    };
    return gateway.streams.context.registry.size;
  };
  const isWaiting = () => until("it waits", () => waiting() === 1);

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
    expect((await reply).json()).toEqual({ data: [], next_after: 0, more: false });
  });

  test("ends with its key", async () => {
    const { id, key } = await newKey();
    const reply = read(key, "?wait_seconds=25");
    await isWaiting();
    await magpie.broker.broadcast(keyDeleted.name, { keyId: id });
    expect((await reply).json()).toEqual({ data: [], next_after: 0, more: false });
  });
});

test.each([
  ["after=-1", "after"],
  ["after=x", "after"],
  ["after=9", "after"],
  ["since=yesterday", "since"],
  ["after=0&since=2020-01-01T00:00:00Z", "since"],
  ["types=birds", "types.0"],
  ["wait_seconds=26", "wait_seconds"],
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
    { code: "expired", message: expect.stringContaining("read after 5") },
  ]);
  expect(seqs(await read(key))).toEqual([6, 7, 8, 9]);
});

test("nobody reads without a key", async () => {
  expect((await magpie.request("GET", "/events", { key: null })).status).toBe(401);
});
