import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import type { Service, ServiceBroker } from "moleculer";
import type { WithLeases } from "../../mixins/lease/lease.mixin.ts";
import type { WithLog } from "../../mixins/log/log.mixin.ts";
import { call } from "../../services/contracts/action.ts";
import { defaultLimits } from "../../services/contracts/caller.ts";
import { track } from "../../services/contracts/tracker.contract.ts";
import { Bearer } from "../../services/tracker/bearer.ts";
import { type LeasedSource, leaseDue } from "../../services/tracker/lease.ts";
import type { StoredSource, TrackerRoom } from "../../services/tracker/room.ts";
import { startMongo, type TestMongo } from "../support/mongo.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";
import { trackerNode } from "./tracker-node.process.ts";

const keyIds = ["k1", "k2"];
const sids = Array.from({ length: 6 }, (_, n) => `https://host-${n}.example/feed`);
const patienceMs = 40_000;
/** Longer than any lease of a process lasts. */
const pausedMs = 14_000;

let redis: TestRedis;
let mongo: TestMongo | null;
beforeAll(async () => {
  [redis, mongo] = await Promise.all([startRedis(), startMongo()]);
}, 600_000);
afterAll(() => Promise.all([redis.stop(), mongo?.stop()]));

const envOf = (mongoUrl: string) => ({
  NATS_URL: "nats://127.0.0.1:4222",
  REDIS_URL: redis.url,
  MONGO_URL: mongoUrl,
  CLUSTER_NAMESPACE: `t${randomUUID().slice(0, 8)}`,
  POLL_MIN_INTERVAL: "500ms",
});

/** What is said of each source's polls: by whom, and which end of it. */
type Said = { node: string; end: string; sid: string };

test("posts are told once and in order, whoever dies or sleeps; no source is polled by two at a time", async () => {
  if (!mongo) return;
  const env = envOf(mongo.url);
  const said: Said[] = [];
  const broker = trackerNode(env, (end, sid) => said.push({ node: "here", end, sid }));
  await broker.start();
  const { room, log } = broker.getLocalService("tracker") as Service & WithLog & { room: TrackerRoom };
  const children = [await startChild("first", env, said), await startChild("second", env, said)];
  const [first, second] = children;
  try {
    for (const keyId of keyIds) for (const sid of sids) await begin(broker, keyId, sid);
    await until("each node polls", () => new Set(said.map(({ node }) => node)).size === 3, patienceMs);
    await until("much is told", async () => (await log.bounds("k2")).latest > 60, patienceMs);
    expect(overlaps(said)).toEqual([]);
    expect(await room.bearers.count()).toBe(3);

    first?.kill("SIGKILL");
    await until("its life is over", async () => (await room.bearers.count()) === 2, patienceMs);
    second?.kill("SIGSTOP");
    await delay(pausedMs);
    await until("it is taken for dead", async () => (await room.bearers.count()) === 1, patienceMs);
    await allTold(log);
    second?.kill("SIGCONT");
    await until("it lives again", async () => (await room.bearers.count()) === 2, patienceMs);
    const since = said.length;
    const wakes = () => said.slice(since).some(({ node }) => node === "second");
    await until("it polls again", wakes, patienceMs);
    await allTold(log);
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await broker.stop();
  }
}, 240_000);

test("of many that are due at once each is leased to one of four, and all to somebody", async () => {
  if (!mongo) return;
  const broker = trackerNode(envOf(mongo.url), () => undefined);
  await broker.start();
  const tracker = broker.getLocalService("tracker") as Service & WithLeases & { room: TrackerRoom };
  const { room, leases } = tracker;
  try {
    // Further away than the tracker itself looks.
    const dueAt = Date.now() + 3_600_000;
    const now = () => dueAt;
    await room.sources.insertMany(Array.from({ length: 150 }, (_, n) => source(n, dueAt)));
    const nodes = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const tokens = new Bearer(room.bearers, leases);
        await tokens.begin();
        return { ...room, tokens, now };
      }),
    );
    const leased = await Promise.all(nodes.map(leaseAll));
    const told = leased.flat();
    expect(new Set(told.map(({ _id }) => _id)).size).toBe(told.length);
    expect(leased.filter(({ length }) => length > 0).length).toBeGreaterThan(1);
    const stored = new Map((await room.sources.find({})).map(({ _id, lease }) => [_id, lease]));
    expect([...stored.values()].filter(lease => lease !== undefined).length).toBe(150);
    for (const { _id, lease } of told) expect(stored.get(_id)).toBe(lease);
  } finally {
    await broker.stop();
  }
});

/** Leases what is due until nothing is; what a busy server did not answer in time is asked for again, as the poller does. */
async function leaseAll(room: TrackerRoom): Promise<LeasedSource[]> {
  const leased: LeasedSource[] = [];
  while ((await room.sources.count({ dueAt: { $lte: room.now() } })) > 0)
    leased.push(...(await leaseDue(room, 64).catch(unlessOverloaded)));
  return leased;
}

function unlessOverloaded(error: { code?: unknown }): [] {
  if (error.code !== "overloaded") throw error;
  return [];
}

function source(n: number, dueAt: number): StoredSource {
  const about = { externalId: `https://host-${n}.example/`, username: "u", name: "n", updatedAt: "" };
  return { _id: `s${n}`, kind: "rss", ...about, health: "ok", failures: 0, dueAt, polledAt: 0 };
}

async function startChild(node: string, env: object, said: Said[]): Promise<ChildProcess> {
  const path = new URL("./tracker-node.process.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, ["--no-warnings", path, JSON.stringify(env)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout);
  await once(lines, "line");
  lines.on("line", line => {
    const [end = "", sid = ""] = line.split(" ");
    if (sid !== "") said.push({ node, end, sid });
  });
  return child;
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
  await until("every source is told on", grew, patienceMs);
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

/** Sources of which a poll began while another was under way. */
function overlaps(said: Said[]): string[] {
  const underWay = new Set<string>();
  return said.flatMap(({ end, sid }) => {
    const isWrong = end === "begins" && underWay.has(sid);
    if (end === "begins") underWay.add(sid);
    else underWay.delete(sid);
    return isWrong ? [sid] : [];
  });
}
