import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import { jest } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { commandConnection, type RedisConnection } from "../../mixins/cluster/redis.ts";
import { limiterMixin, type WithLimiter } from "../../mixins/coordination/limiter/limiter.mixin.ts";
import type { OpenLimiter, Rate, Verdict } from "../../mixins/coordination/limiter/limiter.ts";
import { memoryLimiter } from "../../mixins/coordination/limiter/memory.limiter.ts";
import { redisClock, redisLimiter } from "../../mixins/coordination/limiter/redis.limiter.ts";
import { codeOf } from "../../services/contracts/errors.ts";
import { limiterSuite } from "../suites/limiter.suite.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

let server: TestRedis;
let admin: RedisConnection;
let namespaces = 0;
let namespace: string;
let opened: { limiter: OpenLimiter; redis: RedisConnection }[] = [];
beforeAll(async () => {
  server = await startRedis();
  admin = commandConnection(server.url, () => undefined);
});
afterAll(async () => {
  admin.disconnectAll();
  await server.stop();
});
beforeEach(() => {
  namespaces += 1;
  namespace = `n${namespaces}`;
});
afterEach(closeAll);

/** A node with a connection of its own. */
function open(clock?: string): OpenLimiter {
  const redis = commandConnection(server.url, () => undefined);
  const limiter = redisLimiter({ redis, namespace, onError: () => undefined, clock });
  opened.push({ limiter, redis });
  return limiter;
}

async function closeAll(): Promise<void> {
  await Promise.all(opened.map(({ limiter }) => limiter.close()));
  for (const { redis } of opened) redis.disconnectAll();
  opened = [];
}

limiterSuite("redis", async () => {
  const key = `${namespace}:clock`;
  await admin.set(key, 1_795_000_000_123_456);
  // The node has a clock, too: it remembers until when a key is full.
  let now = Date.now();
  const nodeClock = jest.spyOn(Date, "now").mockImplementation(() => now);
  return {
    limiter: open(`tonumber(redis.call("GET", "${key}"))`),
    advance: async ms => {
      now += ms;
      await admin.incrby(key, ms * 1000);
    },
    close: async () => {
      nodeClock.mockRestore();
      await closeAll();
    },
  };
});

const all = (count: number) => Array.from({ length: count }, (_, n) => n);

describe("the limiter in Redis", () => {
  test("twenty nodes at once let through exactly the limit in any window, over its edges too", async () => {
    const rate: Rate = { limit: 50, windowMs: 1000 };
    const asked = `${namespace}:asked`;
    const noted = `(function()
      local now = ${redisClock}
      redis.call("RPUSH", "${asked}", string.format("%.0f", now))
      return now
    end)()`;
    let passed = 0;
    const refusals: Verdict[] = [];
    const flood = async (limiter: OpenLimiter) => {
      while (passed < 200) {
        const verdict = await limiter.consume("k", rate);
        if (verdict.allowed) passed += 1;
        else refusals.push(verdict);
        // A node refuses by itself while the window is full, and replies of Redis need their time.
        await nextTick();
      }
    };
    const nodes = all(20).map(() => open(noted));
    await Promise.all(nodes.flatMap(node => [flood(node), flood(node)]));
    // The twin in memory, asked by one at the same times.
    let now = 0;
    const twin = memoryLimiter(() => now);
    const passedAt: number[] = [];
    for (const time of await admin.lrange(asked, 0, -1)) {
      now = Number(time) / 1000;
      if ((await twin.consume("k", rate)).allowed) passedAt.push(Number(time));
    }
    expect(passed).toBe(passedAt.length);
    const inWindow = passedAt.map(
      start => passedAt.filter(time => time >= start && time < start + 1_000_000).length,
    );
    expect(Math.max(...inWindow)).toBe(50);
    expect(refusals.length).toBeGreaterThan(0);
    // A refusal says when to try again.
    const isWrong = ({ retryAfterMs, resetMs }: Verdict) =>
      retryAfterMs <= 0 || resetMs < retryAfterMs || resetMs > 1000;
    expect(refusals.filter(isWrong)).toEqual([]);
  });

  test("a clock that is set back opens no window twice, nor shuts one for long", async () => {
    const key = `${namespace}:clock`;
    const limiter = open(`tonumber(redis.call("GET", "${key}"))`);
    const rate: Rate = { limit: 2, windowMs: 1000 };
    const passes = async (seconds: number) => {
      await admin.set(key, seconds * 1e6);
      return (await limiter.consume("k", rate)).allowed;
    };
    expect([await passes(100), await passes(100), await passes(99.5)]).toEqual([true, true, false]);
    // The node asks again when a window has passed by its own clock.
    await until("the window is open", () => passes(50));
    expect([await passes(50), await passes(50)]).toEqual([true, false]);
  });

  test("a node asks Redis nothing about a key whose window is full", async () => {
    const limiter = open();
    const rate: Rate = { limit: 5, windowMs: 60_000 };
    for (const n of all(5)) expect((await limiter.consume("k", rate)).remaining).toBe(4 - n);
    const asked = await scriptsRun();
    expect(asked).toBeGreaterThan(0);
    for (const _ of all(50)) {
      const [refusal, peek] = [await limiter.consume("k", rate), await limiter.peek("k", rate)];
      for (const { allowed, remaining, retryAfterMs, resetMs } of [refusal, peek]) {
        expect([allowed, remaining]).toEqual([false, 0]);
        expect(retryAfterMs).toBeGreaterThan(0);
        expect(resetMs).toBeGreaterThanOrEqual(retryAfterMs);
        expect(resetMs).toBeLessThanOrEqual(60_000);
      }
    }
    expect(await scriptsRun()).toBe(asked);
    expect((await limiter.consume("k", { ...rate, limit: 6 })).allowed).toBe(true);
    expect((await limiter.consume("other", rate)).allowed).toBe(true);
  });

  test("a node whose own clock is set back by a day does not keep a key out", async () => {
    const limiter = open();
    const rate: Rate = { limit: 1, windowMs: 1000 };
    await limiter.consume("k", rate);
    expect((await limiter.consume("k", rate)).allowed).toBe(false);
    const realNow = Date.now;
    const nodeClock = jest.spyOn(Date, "now").mockImplementation(() => realNow() - 86_400_000);
    try {
      await until("the window is free", async () => (await limiter.consume("k", rate)).allowed);
    } finally {
      nodeClock.mockRestore();
    }
  });

  test("twenty nodes at once share the slots of a key", async () => {
    const nodes = all(20).map(() => open());
    const slots = await Promise.all(nodes.flatMap(limiter => all(5).map(() => limiter.acquire("k", 7))));
    const taken = slots.filter(slot => slot !== null);
    expect(taken).toHaveLength(7);
    for (const giveBack of taken.slice(0, 3)) giveBack();
    const [node] = nodes;
    await until("three are back", async () => (await admin.zcard(`${namespace}:slots:k`)) === 4);
    expect(await node?.acquire("k", 4)).toBeNull();
    expect(await node?.acquire("k", 5)).not.toBeNull();
    await closeAll();
    expect(await admin.zcard(`${namespace}:slots:k`)).toBe(0);
  });

  test("slots stay taken while their node lives, and come back after its death", async () => {
    const child = await holding(namespace);
    const limiter = open();
    let passed: number | undefined;
    const began = performance.now();
    const acquires = async () => {
      const slot = await limiter.acquire("k", 1);
      if (slot && passed === undefined) passed = performance.now();
      return slot !== null;
    };
    await until(
      "longer than a slot lasts",
      async () => (await acquires()) || performance.now() - began > 12_000,
    );
    expect(passed).toBeUndefined();
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
    await until("it came back", acquires);
  });

  test("without Redis it tells so, and heals", async () => {
    const limiter = open();
    const rate: Rate = { limit: 5, windowMs: 60_000 };
    await limiter.consume("k", rate);
    const slot = await limiter.acquire("k", 1);
    await server.kill();
    const attempts = [limiter.consume("k", rate), limiter.acquire("k", 1)];
    for (const attempt of await Promise.allSettled(attempts))
      expect(attempt.status === "rejected" && codeOf(attempt.reason)).toBe("overloaded");
    await server.restart();
    await until("it counts on", async () => {
      const verdict = await limiter.consume("k", rate).catch(() => null);
      return verdict?.remaining === 3;
    });
    expect(await limiter.acquire("k", 1)).toBeNull();
    slot?.();
    await until("the slot is back", async () => (await limiter.acquire("k", 1)) !== null);
  });

  test("an insured rate is counted in the node while Redis is away, and in Redis again when it is back", async () => {
    const limiter = open();
    const rate: Rate = { limit: 3, windowMs: 60_000, isInsured: true };
    expect((await limiter.consume("other", rate)).remaining).toBe(2);
    await server.kill();
    const verdicts = await Promise.all(all(4).map(() => limiter.consume("k", rate)));
    expect(verdicts.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
    ]);
    await server.restart();
    await until("it counts in Redis", async () => (await limiter.peek("other", rate)).remaining === 2);
  });

  test("its mixin counts for all nodes of an installation", async () => {
    const cluster = { natsUrl: "", mongoUrl: "", redisUrl: server.url, namespace };
    const nodes = all(2).map(() => new ServiceBroker({ logger: false }));
    const services = nodes.map(
      broker =>
        broker.createService({ name: "a", mixins: [limiterMixin({ cluster })] }) as unknown as WithLimiter,
    );
    await Promise.all(nodes.map(broker => broker.start()));
    const rate: Rate = { limit: 3, windowMs: 60_000 };
    const verdicts = [];
    for (const n of all(4)) verdicts.push(await services[n % 2]?.limiter.consume("k", rate));
    expect(verdicts.map(verdict => verdict?.remaining)).toEqual([2, 1, 0, 0]);
    expect(verdicts.at(-1)?.allowed).toBe(false);
    await Promise.all(nodes.map(broker => broker.stop()));
  });
});

/** Runs of scripts since Redis started. */
async function scriptsRun(): Promise<number> {
  const stats = await admin.info("commandstats");
  return [...stats.matchAll(/cmdstat_evalsha:calls=(\d+)/g)].reduce(
    (sum, [, calls]) => sum + Number(calls),
    0,
  );
}

/** A process that holds the only slot of `k`. */
async function holding(of: string): Promise<ChildProcess> {
  const file = join(import.meta.dirname, "./limiter.process.ts");
  const child = fork(file, [server.url, of], { execArgv: ["--no-warnings"] });
  const [message] = await once(child, "message");
  expect(message).toBe("holds");
  return child;
}
