import { Redis } from "ioredis";
import type { Lease } from "../../mixins/coordination/leases/lease.ts";
import { openClusterLeases } from "../../mixins/coordination/leases/redis.leases.ts";
import { openClusterLimiter } from "../../mixins/coordination/limiter/redis.limiter.ts";
import { openRedisFrontier } from "../../mixins/frontier/redis.frontier.ts";
import { openBullmqQueues } from "../../mixins/queue/bullmq-queue.ts";
import { codeOf } from "../../services/contracts/errors.ts";
import { freeze } from "../support/freeze.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

const servers: TestRedis[] = [];
afterAll(() => Promise.all(servers.map(server => server.stop())));

/** A server for each test: most of their time they wait for leases to end, and they do that together. */
async function start(): Promise<TestRedis> {
  const server = await startRedis();
  servers.push(server);
  return server;
}

/** Everything that a node has on a Redis. */
function openNode({ url }: TestRedis, onError: (error: unknown) => void = () => undefined) {
  const cluster = { natsUrl: "", mongoUrl: "", redisUrl: url, namespace: "magpie" };
  const of = { url, onError };
  return {
    leases: openClusterLeases(cluster, onError),
    limiter: openClusterLimiter(cluster, onError),
    queues: openBullmqQueues({ ...of, prefix: "magpie" }),
    frontier: openRedisFrontier({ ...of, prefix: "magpie:frontier" }),
  };
}

type Node = ReturnType<typeof openNode>;

/** One step of each. */
function stepsOf({ leases, limiter, queues, frontier }: Node, name: string): Promise<unknown>[] {
  return [
    leases.take(name),
    limiter.consume(name, { limit: 5, windowMs: 60_000 }),
    limiter.acquire(name, 5),
    queues.queue("jobs").add({ id: name, payload: "" }),
    queues.queue("jobs").counts(),
    frontier.open(name, 1, { limit: 9, maxDiscovered: 9 }),
    frontier.counts(name),
  ];
}

/** How Redis is away, and how it comes back. */
const faults = {
  "has died": { fall: (server: TestRedis) => server.kill(), rise: (server: TestRedis) => server.restart() },
  "is silent": {
    fall: (server: TestRedis) => freeze(pidOf(server)),
    rise: async (server: TestRedis) => process.kill(pidOf(server), "SIGCONT"),
  },
};

function pidOf({ pid }: TestRedis): number {
  if (pid === undefined) throw new Error("Redis does not run");
  return pid;
}

test.concurrent.each(Object.entries(faults))(
  "while Redis %s every step says so, and nothing is done that only a holder may do; then all goes on",
  async (_, { fall, rise }) => {
    const server = await start();
    const node = openNode(server);
    const done: string[] = [];
    node.queues.queue<string, number>("jobs").work({ concurrency: 1 }, async ({ id }) => done.push(id));
    await Promise.all(stepsOf(node, "before"));
    const lease = await node.leases.take("held");
    await until("it works", () => done.includes("before"));

    await fall(server);
    for (const step of await Promise.allSettled(stepsOf(node, "during")))
      expect(step.status === "rejected" && codeOf(step.reason)).toBe("overloaded");
    await until("the lease is lost", () => lease?.signal.aborted === true);
    const waiting = node.leases.wait("held", new AbortController().signal);

    await rise(server);
    const isBack = async (): Promise<boolean> => {
      const steps = await Promise.allSettled(stepsOf(node, "after"));
      return steps.every(({ status }) => status === "fulfilled");
    };
    await until("all answer", isBack);
    await until("it works again", () => done.includes("after"));
    const again: Lease = await waiting;
    expect(again.isHeld()).toBe(true);
    expect(again.fence).toBeGreaterThan(lease?.fence ?? Number.POSITIVE_INFINITY);
    await Promise.all([
      node.leases.close(),
      node.limiter.close(),
      node.queues.close(),
      node.frontier.close(),
    ]);
  },
);

test("while Redis has no room a write that needs some says so, and operators hear why", async () => {
  const heard: string[] = [];
  const server = await start();
  const node = openNode(server, error => heard.push(String(error)));
  const admin = new Redis(server.url);
  try {
    await Promise.all(stepsOf(node, "before"));
    await admin.config("SET", "maxmemory", 1);
    const steps = await Promise.allSettled(stepsOf(node, "during"));
    const told = steps.map(step => (step.status === "rejected" ? codeOf(step.reason) : "done"));
    // A script that makes room before it takes some is let through.
    const [refused, done] = ["overloaded", "done"];
    expect(told).toEqual([refused, done, done, refused, done, refused, done]);
    expect(heard).toEqual(expect.arrayContaining([expect.stringContaining("OOM")]));
    await admin.config("SET", "maxmemory", 0);
    await Promise.all(stepsOf(node, "after"));
  } finally {
    admin.disconnect();
    await Promise.all([
      node.leases.close(),
      node.limiter.close(),
      node.queues.close(),
      node.frontier.close(),
    ]);
  }
});

test("a node whose Redis never was there tells so, and closes", async () => {
  const server = await start();
  await server.kill();
  const node = openNode(server);
  for (const step of await Promise.allSettled(stepsOf(node, "never")))
    expect(step.status === "rejected" && codeOf(step.reason)).toBe("overloaded");
  await Promise.all([node.leases.close(), node.limiter.close(), node.queues.close(), node.frontier.close()]);
});
