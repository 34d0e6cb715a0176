import { setTimeout as delay } from "node:timers/promises";
import { openRedisManners } from "../../mixins/manners/redis.manners.ts";
import { askingConnection, type RedisConnection } from "../../mixins/redis/redis-connection.ts";
import { mannersSuite } from "../suites/manners.suite.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";

let server: TestRedis;
let namespaces = 0;
const connections: RedisConnection[] = [];
const troubles: unknown[] = [];
const never = new AbortController().signal;

beforeAll(async () => {
  server = await startRedis();
});
afterEach(() => {
  for (const redis of connections.splice(0)) redis.disconnectAll();
  namespaces += 1;
  troubles.length = 0;
});
afterAll(() => server.stop());

/** A node with a connection of its own. */
function open(visitMs?: number) {
  const redis = askingConnection(server.url, () => undefined);
  connections.push(redis);
  const onError = (error: unknown) => troubles.push(error);
  return { redis, ...openRedisManners({ redis, namespace: `n${namespaces}`, onError, visitMs }) };
}

mannersSuite("redis", () => ({ open, isShared: true }));

const courtesy = { width: 1, spacingMs: 0 };

test("the visit of a node that has died is over in time; one that goes on is not, however long it takes", async () => {
  const [alive, dead, next] = [open(600), open(600), open(600)];
  await dead.enter("dead.test", courtesy, never);
  await alive.enter("alive.test", courtesy, never);
  dead.redis.disconnectAll();
  await next.enter("dead.test", courtesy, AbortSignal.timeout(10_000));
  await expect(next.enter("alive.test", courtesy, AbortSignal.timeout(1500))).rejects.toMatchObject({
    name: "TimeoutError",
  });
  await Promise.all([alive, dead, next].map(node => node.close()));
});

test("a node that has died while it waited holds up nobody for long", async () => {
  const [one, dead] = [open(), open()];
  const leave = await one.enter("a.test", courtesy, never);
  void dead.enter("a.test", courtesy, never).catch(() => undefined);
  await delay(200);
  dead.redis.disconnectAll();
  leave();
  (await one.enter("a.test", courtesy, AbortSignal.timeout(15_000)))();
  await Promise.all([one, dead].map(node => node.close()));
});

test("nothing is left in Redis of hosts that nobody visits", async () => {
  const node = open(500);
  const leave = await node.enter("a.test", { width: 1, spacingMs: 200 }, never);
  await node.leaveAlone("b.test", 300);
  expect(await node.redis.keys(`n${namespaces}:*`)).toHaveLength(3);
  leave();
  await delay(600);
  expect(await node.redis.keys(`n${namespaces}:*`)).toEqual([]);
  await node.close();
});

test("while Redis is away a visitor waits, and is welcome when it is back", async () => {
  const node = open();
  await server.kill();
  const entering = node.enter("a.test", courtesy, never);
  await expect(node.leaveAlone("b.test", 10)).rejects.toMatchObject({ type: "overloaded" });
  await server.restart();
  (await entering)();
  expect(troubles.length).toBeGreaterThan(0);
  await node.close();
});
