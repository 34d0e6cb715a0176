import { openBullmqQueues } from "../../mixins/queue/bullmq-queue.ts";
import type { Queues } from "../../mixins/queue/queue.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

let redis: TestRedis;
let queues: Queues;
beforeEach(async () => {
  redis = await startRedis();
  queues = open("magpie");
});
afterEach(async () => {
  await queues.close();
  await redis.stop();
});

const open = (prefix: string) => openBullmqQueues({ url: redis.url, prefix, onError: () => undefined });

test("installations of one Redis do not meet", async () => {
  const other = open("other");
  const queue = queues.queue<string>("jobs");
  await queue.add({ id: "a", payload: "" });
  expect(await other.queue("jobs").get("a")).toBeNull();
  expect(await other.queue<string>("jobs").add({ id: "a", payload: "" })).toBe(true);
  await other.close();
});

test("with a dead Redis everything rejects and closes; with Redis back what was added is there, and work goes on", async () => {
  const queue = queues.queue<string, string>("jobs");
  await queue.add({ id: "before", payload: "" });
  await redis.kill();
  const fresh = open("magpie");
  const unopened = fresh.queue<string>("jobs");
  const attempts = [
    queue.add({ id: "during", payload: "" }),
    queue.get("before"),
    queue.cancel("before"),
    queue.remove("before"),
    queue.counts(),
    unopened.add({ id: "during", payload: "" }),
  ];
  for (const attempt of await Promise.allSettled(attempts)) expect(attempt.status).toBe("rejected");
  await redis.restart();
  expect(await unopened.get("before")).toMatchObject({ state: "waiting" });
  // What the closed worker had asked for must not take the job now.
  await fresh.close();
  queue.work({ concurrency: 1 }, async ({ id }) => `of ${id}`);
  await until("it has ended", async () => (await queue.get("before"))?.state === "completed");
  await queue.add({ id: "after", payload: "" });
  await until("it has ended too", async () => (await queue.get("after"))?.state === "completed");
}, 60_000);

test("a job at work outlives a restart of Redis", async () => {
  const gate = Promise.withResolvers<void>();
  const queue = queues.queue<string, string>("jobs");
  await queue.add({ id: "a", payload: "" });
  queue.work({ concurrency: 1 }, async (_job, { fence }) => {
    await gate.promise;
    return `run ${fence}`;
  });
  await until("it runs", async () => (await queue.get("a"))?.state === "active");
  await redis.restart();
  gate.resolve();
  await until("it has ended", async () => (await queue.get("a"))?.state === "completed");
});

test("whoever cannot reach Redis takes its jobs for lost, and does not count that as a failure", async () => {
  const reasons: string[] = [];
  const queue = queues.queue<string, string>("jobs");
  await queue.add({ id: "a", payload: "" });
  queue.work({ concurrency: 1 }, async ({ starts }, { signal }) => {
    if (starts > 1) return "of another run";
    await new Promise(resolve => signal.addEventListener("abort", resolve));
    reasons.push(signal.reason.code);
    throw signal.reason;
  });
  await until("it runs", async () => (await queue.get("a"))?.state === "active");
  await redis.kill();
  await until("it was told", () => reasons.length === 1);
  expect(reasons).toEqual(["lost"]);
  await redis.restart();
  await until("it has ended", async () => (await queue.get("a"))?.state === "completed");
  expect((await queue.get("a"))?.result).toBe("of another run");
}, 60_000);
