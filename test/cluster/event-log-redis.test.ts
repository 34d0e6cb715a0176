import { randomUUID } from "node:crypto";
import { ServiceBroker } from "moleculer";
import { createClient } from "redis";
import { closeMongo, openMongo } from "../../mixins/cluster/mongo.ts";
import { logMixin, type WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import type { NewEvent, OpenLog } from "../../mixins/event-log/event-log.ts";
import { openRedisLog, type RedisLogOptions } from "../../mixins/event-log/redis.log.ts";
import { openClusterBlobs } from "../../mixins/store/blobs/gridfs.blobs.ts";
import type { Appended } from "../../services/contracts/events.ts";
import { logSuite, sealingAtOnce, sealsFour, untilTaken } from "../suites/event-log.suite.ts";
import { freeze } from "../support/freeze.ts";
import { openLossyWay } from "../support/lossy-way.ts";
import { startMongo, withMongo, withOwnMongo } from "../support/mongo.ts";
import { startRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

const hourMs = 3_600_000;
const mongo = await startMongo();
const inCluster = withMongo(mongo);
const redis = await startRedis();
const inspector = await createClient({ url: redis.url })
  .on("error", () => undefined)
  .connect();
afterAll(async () => {
  inspector.destroy();
  await redis.stop();
  await mongo.stop();
});

type Cluster = RedisLogOptions["cluster"];
const newCluster = (): Cluster => ({
  redisUrl: redis.url,
  mongoUrl: mongo.url,
  namespace: `log-${randomUUID().slice(0, 8)}`,
});
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});
const open = async (options: Partial<RedisLogOptions> = {}): Promise<OpenLog> => {
  const log: OpenLog = await openRedisLog({
    cluster: newCluster(),
    notify: appended => log.receive(appended),
    onEntries: () => undefined,
    onError: () => undefined,
    ...options,
  });
  opened.push(log);
  return log;
};

const event = (bodyId: string, ...keyIds: string[]): NewEvent => ({
  bodyId,
  type: "webhook.test",
  timestamp: "2026-01-01T00:00:00.000Z",
  data: { source: null, bodyId },
  keyIds,
});
const idsOf = (events: { data: Record<string, unknown> }[]) => events.map(({ data }) => String(data.bodyId));

const clocked = async (cluster = newCluster()) => {
  const clock = { now: Date.parse("2026-01-01T00:00:00.000Z") };
  const log = await open({ cluster, now: () => clock.now });
  return { log, cluster, clock };
};

inCluster.describe("the log of a cluster", () => {
  logSuite("redis and mongodb", async () => {
    const { log, clock } = await clocked();
    return {
      log,
      now: () => clock.now,
      advance: ms => {
        clock.now += ms;
      },
      close: async () => undefined,
    };
  });

  logSuite("redis and mongodb, sealed after each append", async () => {
    const cluster = newCluster();
    const clock = { now: Date.parse("2026-01-01T00:00:00.000Z") };
    const { blobs, close } = await openClusterBlobs({ ...cluster, natsUrl: "nats://none" });
    opened.push({ close });
    const keeping = { blobs, retentionMs: 72 * hourMs, hotMs: -1, limits: sealsFour };
    const log = await open({ cluster, keeping, now: () => clock.now });
    return {
      log: sealingAtOnce(log, () => clock.now),
      now: () => clock.now,
      advance: ms => {
        clock.now += ms;
      },
      close: async () => undefined,
    };
  });

  describe("on its servers", () => {
    const bodiesOf = async (cluster: Cluster) => {
      const { db, name } = await openMongo(cluster);
      return db.collection<{ _id: string; bodyId: string }>(name("log_bodies"));
    };

    test("nothing is left of what was pruned, and of a dropped log not even its count", async () => {
      const { log, cluster, clock } = await clocked();
      await log.append([event("a", "k1", "k2"), event("b", "k2")]);
      clock.now += 80 * hourMs;
      expect(await log.prune(new Date(clock.now))).toBe(3);
      const keys = async () =>
        (await inspector.keys(`${cluster.namespace}:*`)).map(key => key.split(":log:")[1]);
      expect((await keys()).sort()).toEqual(["grown", "growths", "of:k1", "of:k2"]);
      for (const keyId of ["k1", "k2"]) await log.drop(keyId);
      expect(await keys()).toEqual(["growths"]);
      expect(await (await bodiesOf(cluster)).countDocuments()).toBe(0);
      await closeMongo(cluster);
    });

    test("nodes that seal at the same time: no gap, none twice, no body left, and a dropped log leaves nothing", async () => {
      const cluster = newCluster();
      const clock = { now: Date.parse("2026-01-01T00:00:00.000Z") };
      const { blobs, close } = await openClusterBlobs({ ...cluster, natsUrl: "nats://none" });
      opened.push({ close });
      const limits = { events: 10, bytes: 1_000_000, spanMs: hourMs };
      const keeping = { blobs, retentionMs: 1000 * hourMs, limits };
      const nodes = await Promise.all([1, 2, 3].map(() => open({ cluster, keeping, now: () => clock.now })));
      const ids = Array.from({ length: 95 }, (_, n) => `b${n}`);
      const [log] = nodes as [OpenLog];
      for (const id of ids) await log.append([event(id, "k1", "k2")]);
      clock.now += 80 * hourMs;
      await Promise.all(nodes.map(node => node.prune(new Date(clock.now))));
      await log.prune(new Date(clock.now));
      const whole = await Promise.all(nodes.map(async node => idsOf(await node.read("k1", 0, 1000))));
      expect(whole).toEqual([ids, ids, ids]);
      expect(await log.bounds("k1")).toEqual({ oldest: 1, latest: 95 });
      clock.now += hourMs;
      await log.prune(new Date(clock.now));
      expect(await (await bodiesOf(cluster)).countDocuments()).toBe(0);
      const { db, name } = await openMongo(cluster);
      const left = () =>
        Promise.all(["log_segments", "blobs.files"].map(part => db.collection(name(part)).countDocuments()));
      const [segments, files] = await left();
      expect(files).toBe(segments);
      await log.drop("k1");
      expect(idsOf(await log.read("k2", 0, 1000))).toEqual(ids);
      await log.drop("k2");
      expect(await left()).toEqual([0, 0]);
      for (let n = 0; n < 2; n += 1) await closeMongo(cluster);
    });

    test("a body stays while a log has it, however old it is", async () => {
      const { log, clock } = await clocked();
      await log.append([event("a", "k1")]);
      clock.now += 72.5 * hourMs;
      await log.append([event("a", "k2")]);
      clock.now += 2 * hourMs;
      expect(await log.prune(new Date(clock.now))).toBe(1);
      expect([idsOf(await log.read("k1", 0, 9)), idsOf(await log.read("k2", 0, 9))]).toEqual([[], ["a"]]);
    });

    test("a body that is no more has expired, and comes within no budget; a young one is waited for", async () => {
      const { log, cluster, clock } = await clocked();
      await log.append(["a", "b", "c", "d", "e"].map(id => event(id, "k1")));
      const bodies = await bodiesOf(cluster);
      await bodies.deleteMany({ bodyId: { $in: ["c"] } });
      expect(idsOf(await log.read("k1", 0, 9))).toEqual(["a", "b"]);
      await expect(log.read("k1", 2, 9)).rejects.toMatchObject({ type: "overloaded" });
      clock.now += 2 * 60_000;
      const portion = async (after: number, events: number) => {
        const found = await log.readWithin("k1", after, { events, bytes: 1e6 });
        return [idsOf(found.events.map(({ json }) => JSON.parse(json))).join(""), found.more];
      };
      expect(await portion(0, 9)).toEqual(["ab", true]);
      expect(await portion(2, 9)).toEqual(["de", false]);
      expect(await portion(2, 1)).toEqual(["d", true]);
      await closeMongo(cluster);
    });

    test("two clusters on the same servers do not meet", async () => {
      const [one, other] = [await open(), await open()];
      await one.append([event("a", "k1")]);
      await other.append([event("b", "k1")]);
      expect([idsOf(await one.read("k1", 0, 9)), idsOf(await other.read("k1", 0, 9))]).toEqual([
        ["a"],
        ["b"],
      ]);
    });

    test("nodes that append at the same time: no gap, none twice, one order for all keys", async () => {
      const cluster = newCluster();
      const nodes = await Promise.all([1, 2, 3].map(() => open({ cluster })));
      const bodies = Array.from({ length: 60 }, (_, n) => `b${n}`);
      await Promise.all(nodes.flatMap(node => bodies.map(id => node.append([event(id, "k1", "k2")]))));
      const [first, second] = await Promise.all(
        ["k1", "k2"].map(keyId => nodes[0]?.read(keyId, 0, 999) ?? []),
      );
      expect(first?.map(({ seq }) => seq)).toEqual(bodies.map((_, n) => n + 1));
      expect(idsOf(first ?? []).sort()).toEqual([...bodies].sort());
      expect(idsOf(second ?? [])).toEqual(idsOf(first ?? []));
    });

    test("other nodes are notified of an append once, by the message or without it", async () => {
      const cluster = newCluster();
      const reader = await open({ cluster });
      const notified: string[] = [];
      reader.onAppended(keyIds => notified.push(...keyIds));
      let hint = (appended: Appended) => reader.receive(appended);
      const writer = await open({ cluster, notify: appended => hint(appended) });
      await writer.append([event("a", "k1", "k2")]);
      expect(notified).toEqual(["k1", "k2"]);
      hint = () => undefined;
      await writer.append([event("b", "k2")]);
      await until("the append without a message is found", () => notified.length > 2);
      await writer.append([event("c", "k3")]);
      await until("the next one too", () => notified.length > 3);
      expect(notified).toEqual(["k1", "k2", "k2", "k3"]);
    });

    test("services of nodes that no bus connects share the log and are notified of each other's appends", async () => {
      const config = { dataDir: "", cluster: { ...newCluster(), natsUrl: "" } };
      const brokers = [1, 2].map(() => new ServiceBroker({ logger: false }));
      const services = brokers.map(broker =>
        broker.createService({ name: "room", mixins: [logMixin(config)] }),
      ) as unknown as WithLog[];
      await Promise.all(brokers.map(broker => broker.start()));
      const notified: string[][] = services.map(() => []);
      for (const [n, { log }] of services.entries()) log.onAppended(keyIds => notified[n]?.push(...keyIds));
      await services[0]?.log.append([event("a", "k1")]);
      await until("both are notified", () => notified.every(keyIds => keyIds.length === 1));
      expect(idsOf((await services[1]?.log.read("k1", 0, 9)) ?? [])).toEqual(["a"]);
      await Promise.all(brokers.map(broker => broker.stop()));
    });

    test("a closed log leaves no connection", async () => {
      const connections = async () => (await inspector.clientList()).length;
      const before = await connections();
      const log = await open();
      log.onAppended(() => undefined);
      expect(await connections()).toBe(before + 1);
      await log.close();
      await until("the connection is gone", async () => (await connections()) === before);
      await expect(log.append([event("a", "k1")])).rejects.toThrow();
    });

    test("a server that cannot be used is named when the log is opened, without the password", async () => {
      const redisUrl = "redis://magpie:secret@127.0.0.1:1";
      const refused = await open({ cluster: { ...newCluster(), redisUrl } }).catch(String);
      expect(refused).toContain("REDIS_URL");
      expect(refused).not.toContain("secret");
    });
  });

  describe("when a server fails", () => {
    test("a Redis that is away: refused, and as before when it is back", async () => {
      const log = await open();
      const notified: string[] = [];
      log.onAppended(keyIds => notified.push(...keyIds));
      await log.append([event("a", "k1")]);
      await redis.kill();
      const refusals = [log.append([event("b", "k1")]), log.read("k1", 0, 9), log.bounds("k1")];
      for (const refused of await Promise.allSettled(refusals))
        expect(refused).toMatchObject({ status: "rejected", reason: { type: "overloaded" } });
      await redis.restart();
      await until("it works again", async () => (await log.bounds("k1").catch(() => null))?.latest === 1);
      await log.append([event("b", "k1")]);
      expect(idsOf(await log.read("k1", 0, 9))).toEqual(["a", "b"]);
      await until("it is notified", () => notified.length >= 2);
    });

    test("a Redis that hangs: refused, and as before when it answers again", async () => {
      const log = await open();
      await log.append([event("a", "k1")]);
      await freeze(Number(redis.pid));
      try {
        await expect(log.append([event("b", "k1")])).rejects.toMatchObject({ type: "overloaded" });
      } finally {
        process.kill(Number(redis.pid), "SIGCONT");
      }
      await until("it works again", () => log.append([event("c", "k1")]).then(Boolean, () => false));
      const [first, ...others] = idsOf(await log.read("k1", 0, 9));
      expect([first, others.filter(id => id !== "b")]).toEqual(["a", ["c"]]);
    });

    test("a Redis that is full: refused whole, read and pruned all the same", async () => {
      const { log, clock } = await clocked();
      await log.append([event("a", "k1", "k2")]);
      await inspector.configSet("maxmemory", "1");
      try {
        const refused = log.append([event("b", "k1", "k2"), event("c", "k2", "k3")]);
        await expect(refused).rejects.toMatchObject({ type: "overloaded" });
        expect(await Promise.all(["k1", "k2", "k3"].map(keyId => log.bounds(keyId)))).toEqual([
          { oldest: 1, latest: 1 },
          { oldest: 1, latest: 1 },
          { oldest: 0, latest: 0 },
        ]);
        expect(idsOf(await log.read("k2", 0, 9))).toEqual(["a"]);
        expect(await log.prune(new Date(clock.now + 73 * hourMs))).toBe(2);
      } finally {
        await inspector.configSet("maxmemory", "0");
      }
      await log.append([event("b", "k1", "k2")]);
      expect(idsOf(await log.read("k2", 0, 9))).toEqual(["b"]);
    });

    test("an answer that is lost on its way: what was appended is there once, and is notified", async () => {
      const cluster = newCluster();
      const way = await openLossyWay(redis.port);
      const log = await open({ cluster: { ...cluster, redisUrl: `redis://127.0.0.1:${way.port}` } });
      const other = await open({ cluster });
      const notified: string[] = [];
      other.onAppended(keyIds => notified.push(...keyIds));
      for (const id of ["a", "b", "c"]) {
        way.loseAnswer();
        await log.append([event(id, "k1", "k2"), event(`${id}'`, "k2")]);
      }
      expect(idsOf(await log.read("k1", 0, 9))).toEqual(["a", "b", "c"]);
      expect(idsOf(await log.read("k2", 0, 9))).toEqual(["a", "a'", "b", "b'", "c", "c'"]);
      await until("it is notified", () => ["k1", "k2"].every(keyId => notified.includes(keyId)));
      await log.close();
      await way.close();
    });

    withOwnMongo(mongo).test("a MongoDB that is away: nothing is appended", async () => {
      const log = await open();
      await log.append([event("a", "k1")]);
      await mongo.kill();
      await expect(log.append([event("b", "k1")])).rejects.toMatchObject({ type: "overloaded" });
      expect(await log.bounds("k1")).toEqual({ oldest: 1, latest: 1 });
      await mongo.restart();
      await until("it works again", () => log.append([event("b", "k1")]).then(Boolean, () => false));
      expect(idsOf(await log.read("k1", 0, 9))).toEqual(["a", "b"]);
    });

    test("Redis is killed while several append: what resolved is there, in order, once", async () => {
      const cluster = newCluster();
      const keyIds = ["k1", "k2", "k3"];
      let isOver = false;
      const write = async (name: string) => {
        const log = await open({ cluster });
        const told: string[] = [];
        for (let n = 0; !isOver; n += 1) {
          const step = [event(`${name}.${n}.a`, ...keyIds.slice(n % 3)), event(`${name}.${n}.b`, "k3")];
          await untilTaken(() => log.append(step));
          told.push(String(n));
        }
        return told;
      };
      const writers = ["one", "two", "three"];
      const written = Promise.all(writers.map(write));
      const log = await open({ cluster });
      for (let round = 1; round <= 4; round += 1) {
        const { latest } = await log.bounds("k3");
        await until("some are appended", async () => (await log.bounds("k3")).latest > latest + 50);
        await redis.restart();
      }
      isOver = true;
      const told = await written;
      for (const [at, keyId] of keyIds.entries()) {
        const events = await log.read(keyId, 0, 1e6);
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, n) => n + 1));
        for (const [writer, name] of writers.entries()) {
          const numbers = (told[writer] ?? []).filter(n => Number(n) % 3 <= at);
          const expected = numbers.map(n => `${name}.${n}.a`);
          const found = idsOf(events).filter(id => id.startsWith(`${name}.`) && id.endsWith(".a"));
          expect(found).toEqual(expected);
        }
      }
      const second = idsOf(await log.read("k3", 0, 1e6)).filter(id => id.endsWith(".b"));
      expect(second).toHaveLength(told.flat().length);
    });
  });
});
