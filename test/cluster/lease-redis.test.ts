import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ServiceBroker } from "moleculer";
import { commandConnection, type RedisConnection } from "../../mixins/cluster/redis.ts";
import { leaseMixin, type WithLeases } from "../../mixins/coordination/leases/lease.mixin.ts";
import type { OpenLeases } from "../../mixins/coordination/leases/lease.ts";
import { openRedisLeases } from "../../mixins/coordination/leases/redis.leases.ts";
import { codeOf } from "../../services/contracts/errors.ts";
import { leaseSuite, member } from "../suites/lease.suite.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";
import type { Holding, Told } from "./lease.process.ts";

let server: TestRedis;
let namespaces = 0;
let namespace: string;
let opened: { leases: OpenLeases; redis: RedisConnection }[];
const children: ChildProcess[] = [];
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());
beforeEach(() => {
  namespaces += 1;
  namespace = `n${namespaces}`;
  opened = [];
});
afterEach(closeAll);

leaseSuite("redis", async () => ({ open: () => open(), close: closeAll }));

/** A node with a connection of its own. */
function open(ttlMs?: number): OpenLeases {
  const redis = commandConnection(server.url, () => undefined);
  const leases = openRedisLeases({ redis, namespace, onError: () => undefined, ttlMs });
  opened.push({ leases, redis });
  return leases;
}

async function closeAll(): Promise<void> {
  await Promise.all(children.splice(0).map(killed));
  await Promise.all(opened.map(({ leases }) => leases.close()));
  for (const { redis } of opened.splice(0)) redis.disconnectAll();
}

/** Short, and long enough for a busy machine to renew in time. */
const ttlMs = 4000;
const forEver = new AbortController().signal;

describe("the leases in Redis", () => {
  test("a lease is held for as long as its holder lives, and passes on after its death", async () => {
    const { child } = await holding("written");
    const { on, shards } = member();
    await open(ttlMs).share("lanes", 8, on);
    const waiting = open().wait("a", AbortSignal.timeout(1.5 * ttlMs));
    await expect(waiting).rejects.toMatchObject({ name: "TimeoutError" });
    await killed(child);
    const lease = await open().wait("a", forEver);
    expect(lease.isHeld()).toBe(true);
    await until("all shards have passed on", () => shards().length === 8);
  });

  test("a holder that was stopped for longer than its lease begins nothing more when it continues", async () => {
    const { child, told } = await holding("written");
    const redis = commandConnection(server.url, () => undefined);
    await until("it works", async () => (await redis.llen("written")) > 10);
    child.kill("SIGSTOP");
    const lease = await open().wait("a", forEver);
    await redis.rpush("written", lease.fence);
    child.kill("SIGCONT");
    await until("it has noticed", () => told.includes("lost"));
    const fences = (await redis.lrange("written", 0, -1)).map(Number);
    // The write that was under way when the process was stopped may still arrive; its fence is what a store refuses.
    const later = fences.slice(fences.indexOf(lease.fence) + 1);
    expect(later.length).toBeLessThanOrEqual(1);
    expect(Math.max(...fences)).toBe(lease.fence);
    redis.disconnectAll();
  });

  test("shares are fair while members come and go, and no shard has two holders", async () => {
    const nodes: { leases: OpenLeases; of: ReturnType<typeof member> }[] = [];
    const join = async () => {
      const node = { leases: open(1500), of: member() };
      nodes.push(node);
      await node.leases.share("lanes", 128, node.of.on);
    };
    const shares = () => nodes.map(({ of }) => of.held.size).sort((a, b) => a - b);
    const settles = async (...sizes: number[]) => {
      const wanted = JSON.stringify(sizes);
      await until(`shares of ${sizes}`, () => {
        const held = nodes.flatMap(({ of }) => [...of.held].filter(([, lease]) => lease.isHeld()));
        expect(new Set(held.map(([shard]) => shard)).size).toBe(held.length);
        return JSON.stringify(shares()) === wanted;
      });
    };
    await join();
    await settles(128);
    await join();
    await settles(64, 64);
    await Promise.all([join(), join(), join()]);
    await settles(25, 25, 26, 26, 26);
    const [first] = nodes.splice(0, 1);
    await first?.leases.close();
    await settles(32, 32, 32, 32);
  });

  test("what Redis has given to another is neither renewed nor released by who had it", async () => {
    const admin = commandConnection(server.url, () => undefined);
    const leases = open(ttlMs);
    const [renewed, released] = [await leases.take("a"), await leases.take("b")];
    const keys = ["a", "b"].map(name => `${namespace}:lease:${name}`);
    for (const key of keys) await admin.set(key, "another's", "PX", 60_000);
    await released?.release();
    await until("the loss is noticed", () => renewed?.signal.aborted === true);
    for (const key of keys) {
      expect(await admin.get(key)).toBe("another's");
      expect(await admin.pttl(key)).toBeGreaterThan(ttlMs);
    }
    admin.disconnectAll();
  });

  test("a shard that was lost comes back when its work has ended, and not before", async () => {
    const admin = commandConnection(server.url, () => undefined);
    const gate = Promise.withResolvers<void>();
    const heard: string[] = [];
    await open(ttlMs).share("lanes", 2, {
      gained: (shard, { fence }) => heard.push(`gained ${shard} ${fence}`),
      lost: async shard => {
        heard.push(`lost ${shard}`);
        await gate.promise;
        heard.push(`ended ${shard}`);
      },
    });
    const [first, second] = heard;
    const key = `${namespace}:lease:lanes/0`;
    // What is taken for it meanwhile is given back.
    const rounds = async () => Number(await admin.get(`${namespace}:lease-fences`));
    await admin.del(key);
    await until("it is lost", () => heard.includes("lost 0"));
    const then = await rounds();
    await until("it was free for some rounds", async () => (await rounds()) >= then + 2);
    expect(heard).toEqual([first, second, "lost 0"]);
    gate.resolve();
    await until("it is back", () => heard.length === 5);
    expect(heard.slice(3)).toEqual(["ended 0", expect.stringMatching(/^gained 0 /)]);
    admin.disconnectAll();
  });

  test("without Redis leases are lost in time, and taking rejects; with it back all goes on", async () => {
    // The first loses its leases soon; the second has time to look at the one that it gets.
    const [one, two] = [open(1500), open()];
    const { on, held, shards } = member();
    const lease = await one.take("a");
    await one.share("lanes", 4, on);
    expect(shards()).toHaveLength(4);
    await server.kill();
    await until("all is lost", () => lease?.signal.aborted === true && held.size === 0);
    const waiting = two.wait("a", forEver);
    expect(await one.take("b").catch(codeOf)).toBe("overloaded");
    await server.restart();
    expect((await waiting).isHeld()).toBe(true);
    await until("the shards are back", () => held.size === 4);
  });

  test("services of a node share a connection, and installations do not meet", async () => {
    const cluster = { natsUrl: "", mongoUrl: "", redisUrl: server.url, namespace };
    const broker = new ServiceBroker({ logger: false });
    const services = ["one", "two", "other"].map(name => {
      const config = {
        dataDir: "",
        cluster: { ...cluster, ...(name === "other" && { namespace: "other" }) },
      };
      return broker.createService({ name, mixins: [leaseMixin(config)] }) as unknown as WithLeases;
    });
    const redis = commandConnection(server.url, () => undefined);
    const connections = async () =>
      String(await redis.client("LIST"))
        .trim()
        .split("\n").length;
    const before = await connections();
    await broker.start();
    const taken = await Promise.all(services.map(({ leases }) => leases.take("a")));
    expect(taken.map(lease => lease?.isHeld())).toEqual([true, undefined, true]);
    expect(await connections()).toBe(before + 1);
    expect((await redis.keys("*")).filter(key => /lease/.test(key) && !/^(n\d+|other):/.test(key))).toEqual(
      [],
    );
    await broker.stop();
    expect(taken.map(lease => lease?.isHeld())).toEqual([false, undefined, false]);
    await until("the connection is closed", async () => (await connections()) === before);
    redis.disconnectAll();
  });
});

async function holding(written: string): Promise<{ child: ChildProcess; told: Told[] }> {
  const file = join(import.meta.dirname, "./lease.process.ts");
  const given: Holding = { url: server.url, namespace, ttlMs, written };
  const child = fork(file, [JSON.stringify(given)], { execArgv: ["--no-warnings"] });
  children.push(child);
  const told: Told[] = [];
  child.on("message", (message: Told) => told.push(message));
  await until("it holds all", () => told.includes("holds"));
  return { child, told };
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}
