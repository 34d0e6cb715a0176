import { commandConnection, type RedisConnection } from "../../mixins/cluster/redis.ts";
import { openRedisHostPoliteness } from "../../mixins/coordination/host-politeness/redis.host-politeness.ts";
import { hostPolitenessSuite } from "../suites/host-politeness.suite.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

let server: TestRedis;
let inspector: RedisConnection;
let namespaces = 0;
const connections: RedisConnection[] = [];
const errors: unknown[] = [];
const never = new AbortController().signal;

beforeAll(async () => {
  server = await startRedis();
  inspector = commandConnection(server.url, () => undefined);
});
afterEach(() => {
  for (const redis of connections.splice(0)) redis.disconnectAll();
  namespaces += 1;
  errors.length = 0;
});
afterAll(async () => {
  inspector.disconnectAll();
  await server.stop();
});

/** A node with a connection of its own. */
function open(visitMs?: number) {
  const redis = commandConnection(server.url, () => undefined);
  connections.push(redis);
  const onError = (error: unknown) => errors.push(error);
  return {
    redis,
    ...openRedisHostPoliteness({ redis, namespace: `n${namespaces}`, onError, requestMs: visitMs }),
  };
}

/** Requests that stand in line for a host. */
const waiting = (host: string) => inspector.zcard(`n${namespaces}:host:${host}:line`);

hostPolitenessSuite("redis", () => ({ open, waiting, isShared: true }));

const limits = { width: 1, spacingMs: 0 };

test("the visit of a node that has died is over in time; one that goes on is not, however long it takes", async () => {
  const [alive, dead, next] = [open(3000), open(3000), open(3000)];
  await dead.acquire("dead.test", limits, never);
  await alive.acquire("alive.test", limits, never);
  dead.redis.disconnectAll();
  await next.acquire("dead.test", limits, AbortSignal.timeout(40_000));
  // By now it has been renewed for longer than a visit lasts without it.
  await expect(next.acquire("alive.test", limits, AbortSignal.timeout(1000))).rejects.toMatchObject({
    name: "TimeoutError",
  });
  await Promise.all([alive, dead, next].map(node => node.close()));
});

test("a node that has died while it waited holds up nobody for long", async () => {
  const [one, dead] = [open(), open()];
  const release = await one.acquire("a.test", limits, never);
  void dead.acquire("a.test", limits, never).catch(() => undefined);
  await until("it waits", async () => (await waiting("a.test")) === 1);
  dead.redis.disconnectAll();
  release();
  (await one.acquire("a.test", limits, AbortSignal.timeout(40_000)))();
  await Promise.all([one, dead].map(node => node.close()));
});

test("nothing is left in Redis of hosts that nobody visits", async () => {
  const node = open();
  const release = await node.acquire("a.test", { width: 1, spacingMs: 1500 }, never);
  await node.backOff("b.test", 1500);
  // The pace of a host that has asked for a pause is kept for some minutes.
  const left = async () => (await node.redis.keys(`n${namespaces}:*`)).filter(key => !key.endsWith(":pace"));
  const paces = await node.redis.keys(`n${namespaces}:*:pace`);
  expect(await Promise.all(paces.map(key => node.redis.ttl(key)))).toEqual([expect.closeTo(600, -2)]);
  expect((await left()).length).toBeGreaterThan(0);
  release();
  await until("nothing is left", async () => (await left()).length === 0);
  await node.close();
});

test("while Redis is away a visitor waits, and is welcome when it is back", async () => {
  const node = open();
  await server.kill();
  const entering = node.acquire("a.test", limits, never);
  await expect(node.backOff("b.test", 10)).rejects.toMatchObject({ type: "overloaded" });
  await server.restart();
  (await entering)();
  expect(errors.length).toBeGreaterThan(0);
  await node.close();
});
