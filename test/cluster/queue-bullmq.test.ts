import { Redis } from "ioredis";
import { ServiceBroker } from "moleculer";
import { openBullmqQueues } from "../../mixins/queue/bullmq-queue.ts";
import { queueMixin, type WithQueues } from "../../mixins/queue/queue.mixin.ts";
import type { Queues } from "../../mixins/queue/queue.ts";
import { codeOf } from "../../services/contracts/errors.ts";
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

test("services share queues, on the one connection of their process for asking; those of workers close with them", async () => {
  const admin = new Redis(redis.url);
  const connections = async () =>
    String(await admin.client("LIST"))
      .trim()
      .split("\n").length;
  await queues.queue("jobs").counts();
  const before = await connections();
  const broker = new ServiceBroker({ logger: false });
  const cluster = { natsUrl: "", mongoUrl: "", redisUrl: redis.url, namespace: "nodes" };
  const services = ["one", "two"].map(name =>
    broker.createService({ name, mixins: [queueMixin({ dataDir: "", cluster })] }),
  );
  await broker.start();
  const [one, two] = services.map(service =>
    (service as unknown as WithQueues).queues.queue<string, string>("jobs"),
  );
  await one?.add({ id: "a", payload: "" });
  expect(await two?.get("a")).toMatchObject({ state: "waiting" });
  expect(await connections()).toBe(before);
  two?.work({ concurrency: 1 }, async ({ id }) => `of ${id}`);
  await until("it has ended", async () => (await one?.get("a"))?.state === "completed");
  expect((await admin.keys("*")).filter(key => !/^(magpie|nodes):/.test(key))).toEqual([]);
  await broker.stop();
  await until("they are closed", async () => (await connections()) === before);
  admin.disconnect();
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
    queue.waiting(),
    unopened.add({ id: "during", payload: "" }),
  ];
  for (const attempt of await Promise.allSettled(attempts))
    expect(attempt.status === "rejected" && codeOf(attempt.reason)).toBe("overloaded");
  await redis.restart();
  expect(await unopened.get("before")).toMatchObject({ state: "waiting" });
  // What the closed worker had asked for must not take the job now.
  await fresh.close();
  queue.work({ concurrency: 1 }, async ({ id }) => `of ${id}`);
  await until("it has ended", async () => (await queue.get("before"))?.state === "completed");
  await queue.add({ id: "after", payload: "" });
  await until("it has ended too", async () => (await queue.get("after"))?.state === "completed");
});

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

test("a worker that cannot reach Redis takes its jobs for lost, and does not count that as a failure", async () => {
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
});
