import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { fail } from "../../services/contracts/errors.ts";
import { subKey } from "../../services/domain/key/seal.ts";
import { signSession } from "../../services/domain/session/session-token.ts";
import { MemoryLog, someEvents } from "../fakes/memory-log.ts";
import { adminKey, apiKey, type Magpie, startMagpie } from "../support/magpie.ts";
import { until } from "../support/until.ts";

const options = { heartbeatMs: 100, stallMs: 500, closeMs: 2000, lingerMs: 30_000 };
let log: MemoryLog;
let magpie: Magpie;

beforeEach(async () => {
  log = new MemoryLog();
  magpie = await startMagpie({}, undefined, { log, stream: options });
});
afterEach(() => magpie.stop());

interface Frame {
  event: string;
  data: Record<string, unknown>;
}

interface Stream {
  answer: IncomingMessage;
  text(): string;
  frames(event: string): Frame["data"][];
  ended: Promise<unknown>;
}

const asAdmin = { "x-admin-key": adminKey };

async function open(query = "", headers: Record<string, string> = asAdmin): Promise<Stream> {
  const request = get(`${magpie.url}/internal/events${query}`, { headers, agent: false });
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  let text = "";
  answer.setEncoding("utf8").on("data", chunk => {
    text += chunk;
  });
  const frames = (event: string) =>
    text
      .split("\n\n")
      .map(read)
      .flatMap(frame => (frame?.event === event ? [frame.data] : []));
  const ended = once(answer, "close");
  const stream = { answer, text: () => text, frames, ended };
  if (answer.statusCode === 200) await until("hello", () => frames("hello").length === 1);
  return stream;
}

function read(block: string): Frame | undefined {
  const data = /^data: (.*)$/m.exec(block)?.[1];
  return data ? { event: /^event: (.*)$/m.exec(block)?.[1] ?? "message", data: JSON.parse(data) } : undefined;
}

test("an administrator sees the events of all keys, as they are appended", async () => {
  await log.append(someEvents("ann", 1, 2));
  await new Promise(resolve => setTimeout(resolve, 2));
  const stream = await open();
  expect(stream.answer.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
  expect(stream.frames("hello")).toEqual([{ type: "hello", heartbeat_ms: 100 }]);
  await log.append([...someEvents("ann", 3, 1), ...someEvents("bob", 1, 1)]);
  await until("both came", () => stream.frames("message").length === 2);
  const [ofAnn] = await log.read("ann", 2, 1);
  const [ofBob] = await log.read("bob", 0, 1);
  const expected = [
    { key_id: "ann", ...ofAnn },
    { key_id: "bob", ...ofBob },
  ];
  expect(stream.frames("message")).toEqual(expect.arrayContaining(expected));
  await until("a comment came", () => stream.text().includes("\n: "));
  stream.answer.destroy();
});

test.each([
  ["?key_id=bob", 1],
  ["?type=rss.item.created", 2],
  ["?type=webhook.test", 0],
  ["?source=web", 0],
  ["?types=rss.item.created&sources=web", 0],
  ["?event_types=rss.item.created", 2],
  ["?type=rss.item.created&key_id=ann", 1],
])("%s leaves the others out", async (query, expected) => {
  const [stream, all] = [await open(query), await open()];
  await log.append([...someEvents("ann", 1, 1), ...someEvents("bob", 1, 1)]);
  // One reading serves both streams.
  await until("all came", () => all.frames("message").length === 2);
  await until("its own came", () => stream.frames("message").length === expected);
  stream.answer.destroy();
  all.answer.destroy();
});

/** Keys and numbers of the events that came. */
const came = (stream: Stream) => stream.frames("message").map(({ key_id, seq }) => `${key_id} ${seq}`);
const at = (keyId: string, from: number, time: string) =>
  someEvents(keyId, from, 1).map(event => ({ ...event, timestamp: `2026-01-01T00:00:${time}.000Z` }));

test("it begins with the newest events of all keys, the oldest first, and goes on", async () => {
  await log.append([
    ...at("ann", 1, "01"),
    ...at("bob", 1, "02"),
    ...at("ann", 2, "03"),
    ...at("bob", 2, "04"),
  ]);
  const stream = await open("?recent=3");
  await until("three came", () => stream.frames("message").length === 3);
  await log.append(at("ann", 3, "05"));
  await until("the next came", () => stream.frames("message").length === 4);
  expect(came(stream)).toEqual(["bob 1", "ann 2", "bob 2", "ann 3"]);
  const filtered = await open("?recent=3&key_id=ann&type=rss.item.created");
  await until("those of a key came", () => filtered.frames("message").length === 3);
  expect(came(filtered)).toEqual(["ann 1", "ann 2", "ann 3"]);
  const none = await open("?recent=3&type=webhook.test");
  expect(came(none)).toEqual([]);
  for (const { answer } of [stream, filtered, none]) answer.destroy();
});

test("what is appended while the newest are read comes after them, once", async () => {
  await log.append([...at("ann", 1, "01"), ...at("bob", 1, "02")]);
  // The second log is read when its next event is there already.
  let appended: Promise<unknown> | undefined;
  log.duringRead = async () => {
    appended ??= log.append([...at("ann", 2, "03"), ...at("bob", 2, "04")]);
    await appended;
  };
  const stream = await open("?recent=50");
  await until("all came", () => stream.frames("message").length >= 4);
  await log.append(at("ann", 3, "05"));
  await until("the last came", () => came(stream).includes("ann 3"));
  expect(came(stream).sort()).toEqual(["ann 1", "ann 2", "ann 3", "bob 1", "bob 2"]);
  stream.answer.destroy();
});

test("where the log cannot be read it ends, and says whether to come again", async () => {
  await log.append(at("ann", 1, "01"));
  log.duringRead = async () => {
    throw fail("overloaded", "The log is away.");
  };
  const stream = await open("?recent=50");
  await stream.ended;
  expect(stream.frames("error")).toMatchObject([{ code: "overloaded" }]);
});

test("above 50 a second it is a sample, which says of how many", async () => {
  const stream = await open();
  const total = 400;
  await log.append(someEvents("ann", 1, total));
  const sum = (field: string) =>
    stream.frames("sampled").reduce((all, frame) => all + Number(frame[field]), 0);
  // Seconds in which everything was sent are not reported.
  await until("every event is accounted for", () => {
    const whole = stream.frames("message").length - sum("sent");
    return sum("of") > 0 && sum("of") + whole === total;
  });
  expect(Math.max(...stream.frames("sampled").map(({ sent }) => Number(sent)))).toBeLessThanOrEqual(50);
  expect(stream.frames("message").length).toBeLessThan(total);
  stream.answer.destroy();
});

test("a connection that takes nothing is ended as too slow", async () => {
  const stream = await open();
  stream.answer.pause();
  const big = "x".repeat(250_000);
  let next = 1;
  const writing = setInterval(() => {
    void log.append(someEvents("ann", next, 10, big));
    next += 10;
  }, 50);
  const api = magpie.broker.getLocalService("api") as unknown as { streams: { all: Set<unknown> } };
  await until("it has ended", () => api.streams.all.size === 0);
  clearInterval(writing);
  stream.answer.resume();
  await stream.ended;
  expect(stream.frames("error")).toMatchObject([{ code: "too_slow" }]);
});

test("it ends with the session that opened it", async () => {
  const expiresAt = Date.now() + 5_000;
  const token = signSession(subKey(adminKey, "api/session/v1"), { role: "admin", id: "s", expiresAt });
  const stream = await open("", { cookie: `magpie=${token}`, "sec-fetch-site": "same-origin" });
  expect(stream.answer.statusCode).toBe(200);
  await stream.ended;
  expect(stream.frames("error")).toMatchObject([{ code: "unauthorized" }]);
});

test("it ends when the service stops", async () => {
  const stream = await open();
  const other = open("?type=webhook.test");
  await other;
  await Promise.all([magpie.stop(), stream.ended, (await other).ended]);
  expect(stream.frames("error")).toEqual([]);
});

test.each<[string, Record<string, string>, number, string]>([
  ["", { "x-api-key": apiKey }, 401, "unauthorized"],
  ["", {}, 401, "unauthorized"],
  ["?type=rss.item", asAdmin, 400, '"type"'],
  ["?key=ann", asAdmin, 400, '"key"'],
  ["?recent=101", asAdmin, 400, '"recent"'],
])("events%s with %j is refused with %s", async (query, headers, status, said) => {
  const { answer, text, ended } = await open(query, headers);
  await ended;
  expect([answer.statusCode, text()]).toEqual([status, expect.stringContaining(said)]);
});
