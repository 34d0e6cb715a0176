import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { fail } from "../../services/contracts/errors.ts";
import { keyDeleted } from "../../services/contracts/events.ts";
import { MemoryLog, someEvents } from "../fakes/memory-log.ts";
import { seeded } from "../faults/random.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { rawHttp } from "../support/raw-http.ts";
import { refusedUpgrade, type StreamClient, streamClient } from "../support/stream-client.ts";
import { until } from "../support/until.ts";

/** Short, but for what a client of this process has to do in time: the machine may be busy. */
const options = {
  ...{ heartbeatMs: 100, recheckMs: 20 },
  ...{ pongMs: 3000, authMs: 2000, stallMs: 1000, closeMs: 2000, lingerMs: 30_000 },
};
const clients: StreamClient[] = [];
let log: MemoryLog;
let magpie: Magpie;
let made = 0;

beforeAll(async () => {
  log = new MemoryLog();
  magpie = await startMagpie({ keysPerOwner: 1000 }, undefined, { log, stream: options });
});

afterEach(async () => {
  for (const { socket } of clients) socket.terminate();
  await Promise.all(clients.splice(0).map(({ closed }) => closed));
});

afterAll(() => magpie.stop());

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

async function newKey(limits = {}): Promise<{ id: string; key: string }> {
  made += 1;
  const body = { owner: `o${made}`, name: "n", limits };
  const reply = await magpie.request("POST", "/internal/keys", { admin: true, body });
  return reply.json<{ data: { id: string; key: string } }>().data;
}

function isClosed({ socket }: StreamClient): boolean {
  return socket.readyState === socket.CLOSED;
}

function connectTo(path: string, headers: Record<string, string>, more?: { autoPong?: boolean }) {
  const client = streamClient(magpie.url, path, headers, more);
  clients.push(client);
  return client;
}

describe("getting in", () => {
  test("with the key in the upgrade's headers it says hello", async () => {
    const { id, key } = await newKey();
    await log.append(someEvents(id, 1, 3));
    const hello = await connectTo("/stream", { "x-api-key": key }).hello();
    expect(hello).toEqual({ type: "hello", seq: 3, oldest_seq: 1, heartbeat_ms: 100 });
  });

  test("with the key as a bearer token", async () => {
    const { id, key } = await newKey();
    await log.append(someEvents(id, 1, 2));
    const headers = { authorization: `bearer ${key}` };
    expect(await connectTo("/stream", headers).hello()).toMatchObject({ seq: 2 });
    const sse = await openSse("/stream/sse", headers);
    await until("it says hello", () => sse.text().includes('"seq":2,'));
    sse.stop();
  });

  test("the answer to the upgrade has the request's id and what is left of the window", async () => {
    const { key } = await newKey();
    const client = connectTo("/stream", { "x-api-key": key, "x-request-id": "mine-1" });
    const [{ headers }] = await once(client.socket, "upgrade");
    expect(headers).toMatchObject({
      "x-request-id": "mine-1",
      "ratelimit-policy": expect.stringMatching(/^"default";q=\d+;w=60$/),
      ratelimit: expect.stringMatching(/^"default";r=\d+;t=\d+$/),
    });
  });

  test("with the key in the first frame", async () => {
    const { id, key } = await newKey();
    await log.append(someEvents(id, 1, 3));
    const client = connectTo("/stream?after=1", {});
    await once(client.socket, "open");
    client.socket.send(JSON.stringify({ type: "auth", key }));
    await until("all is there", () => client.seqs().length === 2);
    expect(client.seqs()).toEqual([2, 3]);
  });

  test.each([
    ["another key", '{"type":"auth","key":"mk_nobody"}'],
    ["another frame", '{"type":"hello"}'],
    ["no JSON", "key"],
    ["a list", "[]"],
    ["null", "null"],
    ["a number for a key", '{"type":"auth","key":7}'],
    ["bytes", Buffer.from('{"type":"auth"}')],
    ["nothing in time", undefined],
  ])("a first frame with %s closes with 4401", async (_, frame) => {
    const client = connectTo("/stream", {});
    await once(client.socket, "open");
    if (frame !== undefined) client.socket.send(frame);
    expect(await client.closed).toEqual([4401, "unauthorized"]);
    expect(client.frames).toMatchObject([{ type: "error", code: "unauthorized" }]);
  });

  test.each([
    ["/stream", { "x-api-key": "mk_nobody" }, 401, "unauthorized", undefined],
    ["/stream", { "x-api-key": "" }, 401, "unauthorized", undefined],
    ["/stream", { authorization: "Bearer mk_nobody" }, 401, "unauthorized", undefined],
    ["/stream", { authorization: "Bearer" }, 401, "unauthorized", undefined],
    ["/stream", { authorization: "Bearer a", "x-api-key": "b" }, 400, "validation_failed", "authorization"],
    ["/stream?key=mk_1", {}, 400, "validation_failed", "key"],
    ["/stream?x-api-key=mk_1", {}, 400, "validation_failed", "x-api-key"],
    ["/stream?api-key=mk_1", {}, 400, "validation_failed", "api-key"],
    ["/stream?X-API-KEY=mk_1", {}, 400, "validation_failed", "X-API-KEY"],
    ["/stream?after=x", {}, 400, "validation_failed", "after"],
    ["/stream?after=-1", {}, 400, "validation_failed", "after"],
    ["/stream?after=1&after=2", {}, 400, "validation_failed", "after"],
    ["/stream?since=1", {}, 400, "validation_failed", "since"],
    ["/nowhere", {}, 404, "not_found", undefined],
    ["/webhook", {}, 401, "unauthorized", undefined],
  ])("an upgrade of %s with %j is refused by %i %s", async (path, headers, status, code, field) => {
    const refused = await refusedUpgrade(magpie.url, path, headers as Record<string, string>);
    expect([refused.status, refused.body.code]).toEqual([status, code]);
    expect(refused.body).toMatchObject({ status: "error", message: refused.body.error });
    expect(refused.body.request_id).toEqual(expect.any(String));
    if (field) expect(refused.body.details).toMatchObject([{ field }]);
    expect(JSON.stringify(refused.body)).not.toContain("mk_");
  });

  test("a broken handshake is refused in the envelope", async () => {
    const head = "GET /stream HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n";
    const answer = await rawHttp(magpie.url, head);
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*"code":"validation_failed"/s);
  });

  test("an upgrade behind a request without an answer is none; both are answered in turn", async () => {
    const upgrade = [
      ...["GET /stream HTTP/1.1", "host: x", "connection: upgrade, close", "upgrade: websocket"],
      ...["sec-websocket-version: 13", "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==", "x-api-key: wrong"],
    ].join("\r\n");
    const answer = await rawHttp(
      magpie.url,
      `GET /health/ready HTTP/1.1\r\nhost: x\r\n\r\n${upgrade}\r\n\r\n`,
    );
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual([expect.any(String), "HTTP/1.1 401"]);
  });

  test.each(["h2c", "h2c, websocket"])("an offer of %s leaves a request as it is", async upgrade => {
    const answer = await rawHttp(
      magpie.url,
      `GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: upgrade, close\r\nupgrade: ${upgrade}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("a GET without an upgrade says how to connect", async () => {
    const reply = await magpie.request("GET", "/stream");
    expect([reply.status, reply.json().code]).toEqual([400, "validation_failed"]);
    expect(reply.text).toContain("/stream/sse");
  });

  test("the rate limit counts connections, whichever way the key comes", async () => {
    const { key } = await newKey({ requestsPerMinute: 1 });
    await connectTo("/stream", { "x-api-key": key }).hello();
    const refused = await refusedUpgrade(magpie.url, "/stream", { "x-api-key": key });
    expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
    const client = connectTo("/stream", {});
    await once(client.socket, "open");
    client.socket.send(JSON.stringify({ type: "auth", key }));
    expect(await client.closed).toEqual([4429, "rate_limited"]);
  });
});

describe("events", () => {
  test("live: what comes after the hello, and only of the own key", async () => {
    const [{ id, key }, other] = [await newKey(), await newKey()];
    await log.append(someEvents(id, 1, 2));
    const client = connectTo("/stream", { "x-api-key": key });
    await client.hello();
    await log.append([...someEvents(other.id, 1, 1), ...someEvents(id, 3, 1)]);
    await until("it is there", () => client.frames.length === 2);
    expect(client.frames[1]).toEqual({ type: "event", event: (await log.read(id, 2, 1))[0] });
  });

  test("a lost hint delays an event to the next heartbeat at most", async () => {
    const { id, key } = await newKey();
    const client = connectTo("/stream", { "x-api-key": key });
    await client.hello();
    log.muted = true;
    await log.append(someEvents(id, 1, 1));
    log.muted = false;
    await until("it is there", () => client.seqs().length === 1);
  });

  test.each([
    ["older than what is kept", 3, 4410, "cursor_too_old"],
    ["ahead of the newest", 99, 4400, "validation_failed"],
  ])("a position %s is refused", async (_, after, closeCode, code) => {
    const { id, key } = await newKey();
    await log.append(someEvents(id, 1, 10));
    log.expireBefore(id, 5);
    const client = connectTo(`/stream?after=${after}`, { "x-api-key": key });
    expect(await client.closed).toEqual([closeCode, code]);
    expect(client.frames).toMatchObject([
      { type: "error", code, ...(closeCode === 4410 ? { oldest_seq: 5 } : {}) },
    ]);
  });

  test("the position just before the oldest is taken", async () => {
    const { id, key } = await newKey();
    await log.append(someEvents(id, 1, 10));
    log.expireBefore(id, 5);
    const client = connectTo("/stream?after=4", { "x-api-key": key });
    await until("all is there", () => client.seqs().length === 6);
    expect(client.seqs()).toEqual(numbers(5, 10));
  });

  test("nothing is lost or repeated while it catches up and connects anew, thousands of times", async () => {
    const { id, key } = await newKey({ requestsPerMinute: 1_000_000 });
    const random = seeded(11);
    const total = 6000;
    const seen: number[] = [];
    const writing = write(id, total, random);
    while (seen.length < total) {
      const client = streamClient(magpie.url, `/stream?after=${seen.at(-1) ?? 0}`, { "x-api-key": key });
      const wanted = 1 + Math.floor(random() * 400);
      const left = total - seen.length;
      await until("some are there", () => client.seqs().length >= Math.min(wanted, left) || isClosed(client));
      client.socket.terminate();
      await client.closed;
      seen.push(...client.seqs());
    }
    await writing;
    expect(seen).toEqual(numbers(1, total));
  });
});

describe("the end of a stream", () => {
  test("a deleted key's streams are closed, and no others", async () => {
    const { id, key } = await newKey();
    const [client, stays] = [
      connectTo("/stream", { "x-api-key": key }),
      connectTo("/stream", { "x-api-key": magpie.apiKey }),
    ];
    await Promise.all([client.hello(), stays.hello()]);
    await magpie.request("DELETE", `/internal/keys/${id}`, { admin: true });
    expect(await client.closed).toEqual([4401, "unauthorized"]);
    expect(stays.socket.readyState).toBe(stays.socket.OPEN);
  });

  test("the broadcast of a deletion closes at once", async () => {
    const { id, key } = await newKey();
    const client = connectTo("/stream", { "x-api-key": key });
    await client.hello();
    await magpie.broker.broadcast(keyDeleted.name, { keyId: id });
    expect(await client.closed).toEqual([4401, "unauthorized"]);
  });

  test("who answers pings stays, who does not is cut", async () => {
    const { key } = await newKey();
    const alive = connectTo("/stream", { "x-api-key": key });
    const dead = connectTo("/stream", { "x-api-key": key }, { autoPong: false });
    let pings = 0;
    alive.socket.on("ping", () => {
      pings += 1;
    });
    expect((await dead.closed)[0]).toBe(1006);
    await until("three pings", () => pings >= 3);
    expect(alive.socket.readyState).toBe(alive.socket.OPEN);
  });

  test("who is too slow is closed with 4408, holds little, and resumes without a gap", async () => {
    const { id, key } = await newKey();
    const total = 400;
    const client = connectTo("/stream", { "x-api-key": key });
    await client.hello();
    client.socket.pause();
    await log.append(someEvents(id, 1, total, "x".repeat(50_000)));
    await until("the server has given up", () => openStreams() === 0);
    // Longer than others have for the closing handshake.
    await delay(options.closeMs + 500);
    client.socket.resume();
    expect((await client.closed)[0]).toBe(4408);
    const first = client.seqs();
    expect(first).toEqual(numbers(1, first.length));
    expect(first.length).toBeLessThan(total);
    const again = connectTo(`/stream?after=${first.length}`, { "x-api-key": key });
    await until("all is there", () => first.length + again.seqs().length === total);
    expect([...first, ...again.seqs()]).toEqual(numbers(1, total));
  });

  test("a frame above 64 KB ends it with 1009", async () => {
    const { key } = await newKey();
    const client = connectTo("/stream", { "x-api-key": key });
    await client.hello();
    client.socket.send("x".repeat(64 * 1024 + 1));
    expect((await client.closed)[0]).toBe(1009);
  });

  test("whatever else a client says is left alone", async () => {
    const { id, key } = await newKey();
    const client = connectTo("/stream", { "x-api-key": key });
    await client.hello();
    for (const text of ["{", "hello", JSON.stringify({ type: "auth", key: "x" })]) client.socket.send(text);
    await log.append(someEvents(id, 1, 1));
    await until("it is there", () => client.seqs().length === 1);
  });

  test("a log that breaks ends the stream with an error, without details", async () => {
    const { id, key } = await newKey();
    const client = connectTo("/stream", { "x-api-key": key });
    await client.hello();
    log.duringRead = () => Promise.reject(new Error("secret-inside"));
    await log.append(someEvents(id, 1, 1));
    expect(await client.closed).toEqual([1011, "internal_error"]);
    log.duringRead = async () => undefined;
    expect(JSON.stringify(client.frames)).not.toContain("secret-inside");
  });

  test("a log that cannot be reached at the start is overloaded: connect again", async () => {
    const { key } = await newKey();
    const { bounds } = log;
    log.bounds = () => Promise.reject(fail("overloaded", "Away."));
    const client = connectTo("/stream", { "x-api-key": key });
    expect(await client.closed).toEqual([1013, "overloaded"]);
    expect(client.frames.at(-1)).toMatchObject({ type: "error", code: "overloaded", retry_after: 1 });
    const sse = await magpie.request("GET", "/stream/sse", { key });
    expect([sse.status, sse.json().code]).toEqual([503, "overloaded"]);
    log.bounds = bounds;
  });
});

describe("server-sent events", () => {
  test("carry the same events, with their seq as id, a hello and comments", async () => {
    const { id, key } = await newKey();
    await log.append(someEvents(id, 1, 2));
    const sse = await openSse("/stream/sse?after=1", { "x-api-key": key });
    await log.append(someEvents(id, 3, 1));
    await until("all is there", () => sse.text().includes("id: 3\n") && sse.text().includes("\n: "));
    expect(sse.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(sse.text()).toMatch(/^retry: \d+\nevent: hello\ndata: {"type":"hello","seq":2,"oldest_seq":1,/);
    const [event] = await log.read(id, 2, 1);
    expect(sse.text()).toContain(`id: 3\ndata: ${JSON.stringify(event)}\n\n`);
    expect(sse.text()).not.toContain("id: 1\n");
    sse.stop();
  });

  test("Last-Event-ID takes precedence over after", async () => {
    const { id, key } = await newKey();
    await log.append(someEvents(id, 1, 3));
    const sse = await openSse("/stream/sse?after=0", { "x-api-key": key, "last-event-id": "2" });
    await until("it is there", () => sse.text().includes("id: 3\n"));
    expect(sse.text()).not.toMatch(/id: [12]\n/);
    sse.stop();
  });

  test.each<[string, Record<string, string>, number, string, string]>([
    ["/stream/sse?after=1", {}, 410, "expired", ""],
    ["/stream/sse", { "last-event-id": "1" }, 410, "expired", ""],
    ["/stream/sse?after=99", {}, 400, "validation_failed", "after"],
    ["/stream/sse?after=7", { "last-event-id": "99" }, 400, "validation_failed", "last-event-id"],
    ["/stream/sse", { "last-event-id": "x" }, 400, "validation_failed", "last-event-id"],
    ["/stream/sse?key=x", {}, 400, "validation_failed", "key"],
    ["/stream/sse", { "x-api-key": "mk_nobody" }, 401, "unauthorized", ""],
  ])("%s with %j is %i %s", async (path, headers, status, code, field) => {
    const { id, key } = await newKey();
    await log.append(someEvents(id, 1, 10));
    log.expireBefore(id, 5);
    const reply = await magpie.request("GET", path, { key, headers });
    expect([reply.status, reply.json().code]).toEqual([status, code]);
    if (status === 410) expect(reply.json().oldest_seq).toBe(5);
    if (field) expect(reply.json().details).toMatchObject([{ field }]);
  });

  test("come from the WebSocket's address as well, for a client that asks for them", async () => {
    const { id, key } = await newKey();
    await log.append(someEvents(id, 1, 2));
    const sse = await openSse("/stream?after=1", { "x-api-key": key, accept: "text/event-stream" });
    await until("all is there", () => sse.text().includes("id: 2\n"));
    expect(sse.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    sse.stop();
  });

  test("HEAD answers without a stream", async () => {
    const reply = await magpie.request("HEAD", "/stream/sse");
    expect([reply.status, reply.text]).toEqual([200, ""]);
  });

  test("who takes nothing is cut, and learns why when it reads on after the next heartbeat", async () => {
    const { id, key } = await newKey();
    const { hostname, port } = new URL(magpie.url);
    const other = await openSse("/stream/sse", { "x-api-key": key });
    const socket = connect(Number(port), hostname).pause();
    socket.write(`GET /stream/sse HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-api-key: ${key}\r\n\r\n`);
    await until("both are open", () => openStreams() === 2);
    await log.append(someEvents(id, 1, 400, "x".repeat(50_000)));
    await until("the server has given up", () => openStreams() === 1);
    const heartbeats = () => other.text().split(": still here").length;
    const before = heartbeats();
    await until("heartbeats have passed", () => heartbeats() > before + 2);
    let text = "";
    socket.setEncoding("utf8").on("data", chunk => {
      text = (text + chunk).slice(-1000);
    });
    socket.resume();
    await once(socket, "close");
    expect(text).toMatch(/event: error\ndata: .*too_slow/);
    other.stop();
  });
});

test("a stop closes with 1001, ends SSE, and ends", async () => {
  const other = await startMagpie({}, undefined, { log, stream: options });
  const headers = { "x-api-key": other.apiKey };
  const [client, waiting] = [
    streamClient(other.url, "/stream", headers),
    streamClient(other.url, "/stream", {}),
  ];
  await Promise.all([client.hello(), once(waiting.socket, "open")]);
  const sse = await openSse("/stream/sse", headers, other.url);
  await other.stop();
  expect(await client.closed).toEqual([1001, ""]);
  expect((await waiting.closed)[0]).toBe(1001);
  await sse.ended;
});

function openStreams(): number {
  const api = magpie.broker.getLocalService("api") as unknown as {
    streams: { context: { registry: { size: number } } };
  };
  return api.streams.context.registry.size;
}

async function write(id: string, total: number, random: () => number): Promise<void> {
  for (let next = 1; next <= total; ) {
    const count = Math.min(1 + Math.floor(random() * 20), total - next + 1);
    await log.append(someEvents(id, next, count));
    next += count;
    await delay(random() < 0.5 ? 0 : 1);
  }
}

async function openSse(path: string, headers: Record<string, string>, url = magpie.url) {
  const stop = new AbortController();
  const response = await fetch(url + path, { headers, signal: stop.signal });
  let text = "";
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  })();
  ended.catch(() => undefined);
  return { headers: response.headers, text: () => text, ended, stop: () => stop.abort() };
}
