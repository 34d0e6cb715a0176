import assert from "node:assert/strict";
import { test } from "node:test";
import { EventGapError, type EventsOptions, Magpie, MagpieError } from "../src/index.ts";
import { pause } from "../src/pause.ts";
import { failure, hangUp, json, startFake, stream } from "./fake-service.ts";

const hello = (seq: number, heartbeat_ms = 25_000) =>
  `retry: 2000\nevent: hello\ndata: ${JSON.stringify({ type: "hello", seq, oldest_seq: 1, heartbeat_ms })}\n\n`;
const event = (seq: number) =>
  `id: ${seq}\ndata: ${JSON.stringify({ id: `evt_${seq}`, type: "webhook.test", seq })}\n\n`;
const last = (code: string, more = {}) =>
  `event: error\ndata: ${JSON.stringify({ type: "error", code, message: code, ...more })}\n\n`;

/** The positions of the events until `count` have come, and the URLs that were asked for. */
async function follow(count: number, after: number | undefined, ...answers: Parameters<typeof startFake>) {
  return await followOf(count, { after }, ...answers);
}

async function followOf(count: number, options: EventsOptions, ...answers: Parameters<typeof startFake>) {
  const fake = await startFake(...answers);
  const seqs: number[] = [];
  try {
    for await (const { seq } of new Magpie({ url: fake.url, apiKey: "mk_test" }).events(options)) {
      seqs.push(seq);
      if (seqs.length === count) break;
    }
    return { seqs, urls: fake.asked.map(({ url }) => url) };
  } finally {
    await fake.close();
  }
}

test("a stream that breaks is resumed after its last event", async () => {
  const { seqs, urls } = await follow(
    4,
    0,
    stream(hello(2) + event(1) + event(2)),
    hangUp,
    stream(hello(4) + event(3) + event(4)),
  );
  assert.deepEqual(seqs, [1, 2, 3, 4]);
  assert.deepEqual(urls, ["/stream/sse?after=0", "/stream/sse?after=2", "/stream/sse?after=2"]);
});

test("a live stream that breaks before its first event is resumed where it began", async () => {
  const { seqs, urls } = await follow(1, undefined, stream(hello(7)), stream(hello(8) + event(8)));
  assert.deepEqual(seqs, [8]);
  assert.deepEqual(urls, ["/stream/sse", "/stream/sse?after=7"]);
});

test("a stream that falls silent is opened again", async () => {
  const { seqs } = await follow(
    2,
    0,
    stream(hello(1, 20) + event(1), { stays: true }),
    stream(hello(2) + event(2)),
  );
  assert.deepEqual(seqs, [1, 2]);
});

test("a consumer that was too slow continues after its last event", async () => {
  const { seqs, urls } = await follow(
    2,
    0,
    stream(hello(2) + event(1) + last("too_slow")),
    stream(hello(2) + event(2)),
  );
  assert.deepEqual(seqs, [1, 2]);
  assert.equal(urls[1], "/stream/sse?after=1");
});

test("a service without capacity is asked again", async () => {
  const { seqs } = await follow(
    1,
    0,
    failure(503, "overloaded", {}, { "retry-after": "0" }),
    stream(hello(1) + event(1)),
  );
  assert.deepEqual(seqs, [1]);
});

for (const [name, answer] of [
  ["at the start", failure(410, "expired", { oldest_seq: 40 })],
  ["within the stream", stream(hello(50) + last("cursor_too_old", { oldest_seq: 40 }))],
] as const)
  test(`a gap ${name} is an error with the position to continue at`, async () => {
    await assert.rejects(follow(1, 3, answer), (error: unknown) => {
      assert.ok(error instanceof EventGapError);
      assert.deepEqual([error.after, error.oldestSeq], [3, 40]);
      return true;
    });
  });

test("after an abort no event comes, although more have arrived", async () => {
  const ended = new AbortController();
  const fake = await startFake(stream(hello(9) + [1, 2, 3, 4, 5].map(event).join(""), { stays: true }));
  const seqs: number[] = [];
  const read = async () => {
    const magpie = new Magpie({ url: fake.url });
    for await (const { seq } of magpie.events({ after: 0, signal: ended.signal })) {
      seqs.push(seq);
      if (seq === 3) ended.abort(new Error("enough"));
    }
  };
  try {
    await assert.rejects(read(), /enough/);
    assert.deepEqual(seqs, [1, 2, 3]);
  } finally {
    await fake.close();
  }
});

test("after an abort no event of a page comes, although the page has more", async () => {
  const ended = new AbortController();
  const fake = await startFake(page(3, 1, 2, 3));
  const events = new Magpie({ url: fake.url }).events({ after: 0, tags: ["shop"], signal: ended.signal });
  try {
    assert.equal((await events.next()).value?.seq, 1);
    ended.abort(new Error("enough"));
    await assert.rejects(events.next(), /enough/);
  } finally {
    await fake.close();
  }
});

const page = (next_after: number, ...seqs: number[]) =>
  json({ data: seqs.map(seq => ({ id: `evt_${seq}`, type: "webhook.test", seq })), next_after, more: false });

test("filters ask for pages and continue after the events that they left out", async () => {
  const filters = { tags: ["shop", "a b"], types: ["rss.item.created"], sources: ["web"] } as const;
  const { seqs, urls } = await followOf(
    3,
    { after: 0, waitSeconds: 5, ...filters },
    page(4, 2, 3),
    hangUp,
    page(9),
    page(12, 11),
  );
  assert.deepEqual(seqs, [2, 3, 11]);
  const query = "tags=shop&tags=a+b&types=rss.item.created&sources=web";
  assert.deepEqual(
    urls,
    [0, 4, 4, 9].map(after => `/events?${query}&after=${after}&wait_seconds=5`),
  );
});

test("with filters and a position nothing has begun before the first answer, and waits grow", async t => {
  t.mock.method(Math, "random", () => 0);
  const refused = failure(503, "overloaded");
  const breaks: [boolean, number][] = [];
  const onBreak: EventsOptions["onBreak"] = ({ hasBegun, waitMs }) => breaks.push([hasBegun, waitMs]);
  await followOf(1, { after: 0, tags: ["shop"], onBreak }, refused, hangUp, page(2), hangUp, page(3, 3));
  assert.deepEqual(breaks, [
    [false, 250],
    [false, 500],
    [true, 250],
  ]);
});

test("filters without a position begin where the events end now", async () => {
  const { seqs, urls } = await followOf(1, { tags: ["shop"] }, stream(hello(7)), page(8, 8));
  assert.deepEqual(seqs, [8]);
  assert.deepEqual(urls, ["/stream/sse", "/events?tags=shop&after=7&wait_seconds=25"]);
});

test("a gap and a refused filter are errors with filters, too", async () => {
  await assert.rejects(
    followOf(1, { after: 3, tags: ["shop"] }, failure(410, "expired", { oldest_seq: 40 })),
    (error: unknown) => error instanceof EventGapError && error.oldestSeq === 40 && error.after === 3,
  );
  await assert.rejects(
    followOf(1, { after: 3, tags: ["a,b"] }, failure(400, "validation_failed")),
    (error: unknown) => error instanceof MagpieError && error.code === "validation_failed",
  );
});

test("a key that is refused ends the stream", async () => {
  const refused = (error: unknown) =>
    error instanceof MagpieError && error.code === "unauthorized" && error.status === 401;
  await assert.rejects(follow(1, 0, failure(401, "unauthorized")), refused);
  await assert.rejects(follow(1, 0, stream(hello(1) + last("unauthorized"))), refused);
});

test("an abort ends a silent stream with its reason", async () => {
  const fake = await startFake(stream(hello(1), { stays: true }));
  const stop = new AbortController();
  const reason = new Error("enough");
  const next = new Magpie({ url: fake.url }).events({ signal: stop.signal }).next();
  while (fake.asked.length === 0) await new Promise(resolve => setImmediate(resolve));
  stop.abort(reason);
  await assert.rejects(next, reason);
  await fake.close();
});

test("without `follow` the events end with the newest that there was at the start", async () => {
  const { seqs, urls } = await followOf(
    9,
    { after: 0, follow: false },
    stream(hello(3) + event(1)),
    stream(hello(4) + event(2) + event(3) + event(4), { stays: true }),
  );
  assert.deepEqual(seqs, [1, 2, 3]);
  assert.deepEqual(urls, ["/stream/sse?after=0", "/stream/sse?after=1"]);
});

test("without `follow` an empty log ends the events at once", async () => {
  const { seqs } = await followOf(9, { after: 4, follow: false }, stream(hello(4), { stays: true }));
  assert.deepEqual(seqs, []);
});

test("with filters and without `follow` the events end with the last page", async () => {
  const more = json({ data: [{ id: "evt_2", type: "webhook.test", seq: 2 }], next_after: 4, more: true });
  const { seqs, urls } = await followOf(9, { after: 0, follow: false, tags: ["shop"] }, more, page(7, 6));
  assert.deepEqual(seqs, [2, 6]);
  assert.deepEqual(
    urls,
    [0, 4].map(after => `/events?tags=shop&after=${after}&wait_seconds=0`),
  );
});

test("each break is reported before the next connection", async () => {
  const breaks: [string | undefined, number | undefined, boolean][] = [];
  const onBreak: EventsOptions["onBreak"] = ({ error, after, hasBegun }) =>
    breaks.push([error?.name, after, hasBegun]);
  await followOf(
    2,
    { onBreak },
    failure(503, "overloaded", {}, { "retry-after": "0" }),
    stream(hello(0) + event(1)),
    hangUp,
    stream(hello(2) + event(2)),
  );
  assert.deepEqual(breaks, [
    ["MagpieError", undefined, false],
    [undefined, 1, true],
    ["MagpieConnectionError", 1, true],
  ]);
});

test("a service that asks for a month is asked again after the longest wait", async () => {
  const fake = await startFake(
    failure(503, "overloaded", {}, { "retry-after": "2592000" }),
    failure(503, "overloaded", { retry_after: "soon" }),
    stream(hello(0) + event(1)),
  );
  const waits: number[] = [];
  const onBreak: EventsOptions["onBreak"] = ({ waitMs }) => waits.push(waitMs);
  const magpie = new Magpie({ url: fake.url, maxWaitMs: 5 });
  await magpie.events({ after: 0, onBreak }).next();
  assert.deepEqual(waits, [5, 5]);
  await fake.close();
});

test("a wait of more than 24 days is no short one", t => {
  const { mock } = t.mock.method(globalThis, "setTimeout");
  const end = new AbortController();
  const wait = pause(2 ** 31, end.signal);
  end.abort();
  assert.equal(mock.calls[0]?.arguments[1], 2 ** 31 - 1);
  return assert.rejects(wait);
});

test("an error that `onBreak` throws ends the events", async () => {
  const onBreak: EventsOptions["onBreak"] = ({ error }) => {
    throw error;
  };
  await assert.rejects(followOf(1, { onBreak }, hangUp), {
    name: "MagpieConnectionError",
    message: /^http:\/\/127\.0\.0\.1:\d+ cannot be reached \(.+\)\.$/,
  });
});

test("a refusal that would come again ends the events", async () => {
  await assert.rejects(follow(1, 9, failure(400, "validation_failed")), { code: "validation_failed" });
});
