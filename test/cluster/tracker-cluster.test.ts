import { randomUUID } from "node:crypto";
import type { Service, ServiceBroker } from "moleculer";
import type { WithLeases } from "../../mixins/coordination/leases/lease.mixin.ts";
import type { WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import { call } from "../../services/contracts/action.ts";
import { defaultLimits } from "../../services/contracts/caller.ts";
import { codeOf } from "../../services/contracts/errors.ts";
import { pollSourceNow, removeSource } from "../../services/contracts/source-lists.contract.ts";
import { track } from "../../services/contracts/tracker.contract.ts";
import type { TrackerContext } from "../../services/tracker/context.ts";
import { WorkerSession } from "../../services/tracker/maintenance/worker-session.ts";
import { type LeasedSource, leaseDueSources } from "../../services/tracker/polling/due-sources.ts";
import type { StoredSource } from "../../services/tracker/sources.store.ts";
import { trackerNode } from "../integration/tracker-node.process.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { overlaps, type Said, startTracker } from "../support/tracker-process.ts";
import { until } from "../support/until.ts";

const keyIds = ["k1", "k2"];
const sids = Array.from({ length: 6 }, (_, n) => `https://host-${n}.example/feed`);

const mongo = await startMongo();
const inCluster = withMongo(mongo);

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
}, 600_000);
afterAll(() => Promise.all([redis.stop(), mongo.stop()]));

const envOf = (mongoUrl: string) => ({
  NATS_URL: "nats://127.0.0.1:4222",
  REDIS_URL: redis.url,
  MONGO_URL: mongoUrl,
  CLUSTER_NAMESPACE: `t${randomUUID().slice(0, 8)}`,
  POLL_MIN_INTERVAL: "500ms",
});

inCluster.test(
  "posts are published once and in order while nodes die or sleep; no source is polled by two at a time",
  async () => {
    const env = envOf(mongo.url);
    const said: Said[] = [];
    const broker = trackerNode(env, (end, sid, at) => said.push({ node: "here", end, sid, at }));
    await broker.start();
    const { context, log } = broker.getLocalService("tracker") as Service &
      WithLog & { context: TrackerContext };
    const children = [await startTracker("first", env, said), await startTracker("second", env, said)];
    const [first, second] = children;
    try {
      for (const keyId of keyIds) for (const sid of sids) await begin(broker, keyId, sid);
      await until("each node polls", () => new Set(said.map(({ node }) => node)).size === 3);
      await until("much is told", async () => (await log.bounds("k2")).latest > 60);
      expect(overlaps(said)).toEqual([]);
      expect(await context.workerSessions.count()).toBe(3);

      first?.kill("SIGKILL");
      await until("its life is over", async () => (await context.workerSessions.count()) === 2);
      second?.kill("SIGSTOP");
      await until("it is taken for dead", async () => (await context.workerSessions.count()) === 1);
      await allTold(log);
      second?.kill("SIGCONT");
      await until("it lives again", async () => (await context.workerSessions.count()) === 2);
      const since = said.length;
      const wakes = () => said.slice(since).some(({ node }) => node === "second");
      await until("it polls again", wakes);
      await allTold(log);
    } finally {
      for (const child of children) child.kill("SIGKILL");
      await broker.stop();
    }
  },
);

inCluster.test(
  "of many that are due at once each is leased to one of four, and all to somebody",
  async () => {
    const broker = trackerNode(envOf(mongo.url), () => undefined);
    await broker.start();
    const tracker = broker.getLocalService("tracker") as Service & WithLeases & { context: TrackerContext };
    const { context, leases } = tracker;
    try {
      // Further away than the tracker itself looks.
      const dueAt = Date.now() + 3_600_000;
      const now = () => dueAt;
      await context.sources.insertMany(Array.from({ length: 150 }, (_, n) => source(n, dueAt)));
      const nodes = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const leaseTokens = new WorkerSession(context.workerSessions, leases);
          await leaseTokens.start();
          return { ...context, leaseTokens, now };
        }),
      );
      const leased = await Promise.all(nodes.map(leaseAll));
      const told = leased.flat();
      expect(new Set(told.map(({ _id }) => _id)).size).toBe(told.length);
      expect(leased.filter(({ length }) => length > 0).length).toBeGreaterThan(1);
      const stored = new Map((await context.sources.find({})).map(({ _id, lease }) => [_id, lease]));
      expect([...stored.values()].filter(lease => lease !== undefined).length).toBe(150);
      for (const { _id, lease } of told) expect(stored.get(_id)).toBe(lease);
    } finally {
      await broker.stop();
    }
  },
);

inCluster.test("a source that many ask for is polled once, and removed for all keys", async () => {
  const said: string[] = [];
  const hourly = { ...envOf(mongo.url), POLL_MIN_INTERVAL: "1h" };
  const broker = trackerNode(hourly, (end, sid) => said.push(`${end} ${sid}`));
  await broker.start();
  const { context } = broker.getLocalService("tracker") as Service & { context: TrackerContext };
  try {
    const [sid = "", other = ""] = sids;
    for (const keyId of keyIds) await begin(broker, keyId, sid);
    await begin(broker, "k1", other);
    const { _id: id } = (await context.sources.findOne({ externalId: sid })) as StoredSource;
    await context.sources.update(id, { $set: { polledAt: 0 } });
    said.length = 0;
    const asked = await Promise.all(Array.from({ length: 5 }, () => call(broker, pollSourceNow, { id })));
    expect(asked.every(({ data }) => Date.parse(data.due_at) <= Date.now())).toBe(true);
    const isPolled = async () => ((await context.sources.findById(id))?.polledAt ?? 0) > 0;
    await until("it is polled", isPolled);
    expect(new Set(said).size).toBe(said.length);
    expect(said.every(each => each.endsWith(sid))).toBe(true);
    await expect(call(broker, pollSourceNow, { id })).rejects.toMatchObject({ type: "rate_limited" });

    await call(broker, removeSource, { id });
    expect((await context.sources.find()).map(({ externalId }) => externalId)).toEqual([other]);
    expect((await context.subscriptions.find()).map(({ keyId }) => keyId)).toEqual(["k1"]);
    expect(await context.states.findById(id)).toBeNull();
    const tallies = await context.tallies.find({ sort: ["_id"] });
    expect(tallies.map(({ sources }) => sources)).toEqual([1, 0]);
    await expect(call(broker, removeSource, { id })).rejects.toMatchObject({ type: "not_found" });
  } finally {
    await broker.stop();
  }
});

/** Leases what is due until nothing is; what a busy server did not answer in time is asked for again, as the poller does. */
async function leaseAll(context: TrackerContext): Promise<LeasedSource[]> {
  const leased: LeasedSource[] = [];
  const isDue = () => context.sources.count({ dueAt: { $lte: context.now() } });
  while ((await isDue().catch(unlessOverloaded)) !== 0)
    leased.push(...(await leaseDueSources(context, 64).catch(unlessOverloaded)));
  return leased;
}

function unlessOverloaded(error: unknown): [] {
  if (codeOf(error) !== "overloaded") throw error;
  return [];
}

function source(n: number, dueAt: number): StoredSource {
  const about = { externalId: `https://host-${n}.example/`, username: "u", name: "n", updatedAt: "" };
  return { _id: `s${n}`, kind: "rss", ...about, health: "ok", failures: 0, dueAt, polledAt: 0 };
}

async function begin(broker: ServiceBroker, keyId: string, sid: string): Promise<void> {
  const meta = { caller: { keyId, owner: "ann", limits: defaultLimits } };
  await call(broker, track, { source: "rss", sid }, { meta });
}

/** Every source goes on to be told, to every key, without a hole, a repetition or a step back. */
async function allTold(log: WithLog["log"]): Promise<void> {
  const told = (await Promise.all(keyIds.map(keyId => numbers(log, keyId)))).map(({ size }) => size);
  expect(told).toEqual([sids.length, sids.length]);
  const before = await numbers(log, "k1");
  const grew = async () => {
    const now = await numbers(log, "k1");
    return [...now].every(([sid, list]) => list.length > (before.get(sid)?.length ?? 0) + 2);
  };
  await until("every source is told on", grew);
  for (const keyId of keyIds)
    for (const list of (await numbers(log, keyId)).values())
      expect(list).toEqual(Array.from(list, (_, at) => (list[0] ?? 0) + at));
}

async function numbers(log: WithLog["log"], keyId: string): Promise<Map<string, number[]>> {
  const told = new Map<string, number[]>();
  for (const { data } of await log.read(keyId, 0, 100_000)) {
    const sid = data.source?.externalId ?? "";
    told.set(sid, [...(told.get(sid) ?? []), Number(Object(data.item).n)]);
  }
  return told;
}
