import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { JobFailedError, Magpie, MagpieError } from "../src/index.ts";
import { type FakeService, failure, json, startFake } from "./fake-service.ts";

let fake: FakeService;
afterEach(() => fake.close());
beforeEach(() => {
  asked = [];
});

let asked: string[];

/** A client of a service that gives these answers, one after the other. */
async function clientOf(...answers: Parameters<typeof startFake>): Promise<Magpie> {
  fake = await startFake(
    ...answers.map((answer): Parameters<typeof startFake>[0] => (one, res) => {
      asked.push(`${one.method} ${one.url}${one.body && ` ${one.body}`}`);
      answer(one, res);
    }),
  );
  return new Magpie({ url: fake.url, retries: 0 });
}

const source = { id: "s1", source: "RSS" };

test("a source is tracked with its options, which are left out when there are none", async () => {
  const magpie = await clientOf(json({ data: source, message: "" }));
  const tracked = await magpie.sources.track("rss", "https://a.example/feed", { tags: ["shop"] });
  assert.equal("jobId" in tracked ? undefined : tracked.id, "s1");
  await magpie.sources.track("rss", "https://a.example/feed");
  assert.deepEqual(asked, [
    'POST /track/rss {"sid":"https://a.example/feed","options":{"tags":["shop"]}}',
    'POST /track/rss {"sid":"https://a.example/feed"}',
  ]);
});

test("a private channel answers its join request, which is waited for and may fail", async () => {
  const queued = { jobId: "j1", message: "Waiting." };
  const magpie = await clientOf(
    json(queued),
    json({ id: "j1", state: "waiting" }),
    json({ id: "j1", state: "completed", returnvalue: source }),
    json({ id: "j1", state: "failed", failedReason: "Declined." }),
  );
  assert.deepEqual(await magpie.sources.track("messenger", "https://m.example/+x"), queued);
  assert.equal((await magpie.sources.joined("messenger", "j1", { pollMs: 1 })).id, "s1");
  await assert.rejects(magpie.sources.joined("messenger", "j1"), (error: unknown) => {
    assert.ok(error instanceof JobFailedError);
    assert.equal(error.message, "Declined.");
    return true;
  });
});

test("a source is named by its id or by what its platform calls it", async () => {
  const magpie = await clientOf(json({ data: source, message: "" }));
  await magpie.sources.untrack("rss", { id: "s1" });
  await magpie.sources.untrack("rss", { externalId: "https://a.example/feed" });
  await magpie.sources.change("rss", { id: "s1" }, { tags: null });
  assert.deepEqual(asked, [
    'DELETE /track/rss {"iid":"s1"}',
    'DELETE /track/rss {"eid":"https://a.example/feed"}',
    'PATCH /track/rss {"iid":"s1","options":{"tags":null}}',
  ]);
});

test("lists are read by their cursors, with the filter in each request", async () => {
  const part = (next_cursor: string | null, ...ids: string[]) =>
    json({ data: ids.map(id => ({ id })), next_cursor, message: "" });
  const magpie = await clientOf(part("x", "a"), part(null, "b"));
  const ids: string[] = [];
  for await (const { id } of magpie.sources.list({ health: "failing", tag: undefined })) ids.push(id);
  assert.deepEqual(ids, ["a", "b"]);
  assert.deepEqual(asked, [
    "GET /track?health=failing&limit=100",
    "GET /track?health=failing&cursor=x&limit=100",
  ]);
});

test("the entries of a batch are read by their cursors, and its end is waited for", async () => {
  const batch = (state: string, next_cursor: string | null, ...numbers: number[]) =>
    json({
      data: { id: "b1", state, entries: numbers.map(number => ({ number })), next_cursor },
      message: "",
    });
  const magpie = await clientOf(
    batch("running", null),
    batch("completed", null),
    batch("completed", "1", 0),
    batch("completed", null, 1),
  );
  assert.equal((await magpie.sources.finishedBatch("b1", { pollMs: 1 })).state, "completed");
  const numbers: number[] = [];
  for await (const { number } of magpie.sources.batchEntries("b1")) numbers.push(number);
  assert.deepEqual(numbers, [0, 1]);
});

test("a search of a platform is read page by page, to its total", async () => {
  const page = (...ids: string[]) =>
    json({ data: ids.map(id => ({ id })), total: 101, page: 1, limit: 100, message: "" });
  const magpie = await clientOf(page("a", "b"), page("c"));
  const ids: string[] = [];
  for await (const { id } of magpie.sources.find("microblog", "corvid")) ids.push(id);
  assert.deepEqual(ids, ["a", "b", "c"]);
});

test("a new secret is that of the answer", async () => {
  const magpie = await clientOf(json({ data: { id: "w1", secret: "whsec_2" }, message: "" }));
  assert.equal(await magpie.webhooks.rotateSecret("w1"), "whsec_2");
  assert.deepEqual(asked, ['PATCH /webhooks/w1 {"rotate_secret":true}']);
});

test("a refusal is the SDK's own error in every namespace", async () => {
  const magpie = await clientOf(failure(404, "not_found"));
  const refused = [
    magpie.sources.get("s1"),
    magpie.sources.list().next(),
    magpie.sources.batchEntries("b1").next(),
    magpie.webhooks.create({ url: "https://a.example/" }),
    magpie.webhooks.list().next(),
    magpie.webhooks.delete("w1"),
    magpie.webhooks.deliveries("w1").next(),
    magpie.deliveries.list().next(),
    magpie.feeds.list(),
    magpie.keys.delete("k1"),
    magpie.ownKeys.list().next(),
    magpie.account.get(),
    magpie.monitors.get("m1"),
  ];
  for (const each of await Promise.allSettled(refused)) {
    assert.ok(each.status === "rejected" && each.reason instanceof MagpieError);
    assert.equal(each.reason.code, "not_found");
  }
});
