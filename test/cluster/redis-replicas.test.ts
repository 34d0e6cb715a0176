import { randomUUID } from "node:crypto";
import { createClient } from "redis";
import { checkRedis } from "../../mixins/cluster/check-redis.ts";
import { openClusterLeases } from "../../mixins/coordination/leases/redis.leases.ts";
import type { NewEvent, OpenLog } from "../../mixins/event-log/event-log.ts";
import { openRedisLog } from "../../mixins/event-log/redis.log.ts";
import { freeze } from "../support/freeze.ts";
import { openLossyWay } from "../support/lossy-way.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startRedis, startSentinel, type TestRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

const mongo = await startMongo();
const inCluster = withMongo(mongo);
afterAll(() => mongo.stop());

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function start(of?: TestRedis): Promise<TestRedis> {
  const server = await startRedis();
  ends.push(server.stop);
  if (of) await ask(server, ["REPLICAOF", "127.0.0.1", String(of.port)]);
  return server;
}

async function ask({ url }: TestRedis, command: string[]): Promise<unknown> {
  const client = await createClient({ url }).connect();
  try {
    return await client.sendCommand(command);
  } finally {
    client.destroy();
  }
}

const factOf = async (server: TestRedis, name: string) =>
  new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(String(await ask(server, ["INFO", "replication"])))?.[1];

async function startPair(): Promise<{ primary: TestRedis; replica: TestRedis }> {
  const primary = await start();
  const replica = await start(primary);
  await until("the replica follows", async () => (await factOf(replica, "master_link_status")) === "up");
  return { primary, replica };
}

async function open(
  redisUrl: string,
  namespace: string,
  onError: (error: unknown) => void = () => undefined,
): Promise<OpenLog> {
  const cluster = { redisUrl, redisReplicas: 1, mongoUrl: mongo.url, namespace };
  const log: OpenLog = await openRedisLog({
    cluster,
    notify: grown => log.receive(grown),
    onEntries: () => undefined,
    onError,
  });
  ends.push(log.close);
  return log;
}

const newNamespace = () => `replicas-${randomUUID().slice(0, 8)}`;
const event = (bodyId: string, ...keyIds: string[]): NewEvent => ({
  bodyId,
  type: "webhook.test",
  timestamp: "2026-01-01T00:00:00.000Z",
  data: { source: null, bodyId },
  keyIds,
});
const refused = { type: "overloaded" };

inCluster.describe("a log whose Redis has a replica", () => {
  test("what the replica does not have is neither acknowledged nor shown, by no connection", async () => {
    const { primary, replica } = await startPair();
    const namespace = newNamespace();
    const heard: string[] = [];
    const log = await open(primary.url, namespace, error => heard.push(String(error)));
    const other = await open(primary.url, namespace);
    expect(await log.append([event("a", "k")])).toEqual(["k"]);

    const { pid } = replica;
    if (pid === undefined) throw new Error("the replica does not run");
    await freeze(pid);
    await expect(log.append([event("b", "k")])).rejects.toMatchObject(refused);
    expect(heard).toEqual([expect.stringMatching(/NOREPLICAS 0 of the 1 replicas of REDIS_REPLICAS/)]);
    expect(await ask(primary, ["XLEN", `${namespace}:log:of:k`])).toBe(2);
    // Of these, only the append has ever written, and now it writes nothing.
    const steps = [
      other.append([event("b", "k")]),
      other.read("k", 0, 9),
      other.bounds("k"),
      other.positionAt("k", new Date(0)),
    ];
    for (const step of await Promise.allSettled(steps))
      expect(step).toMatchObject({ status: "rejected", reason: refused });
    expect(await other.read("nobody", 0, 9)).toEqual([]);

    process.kill(pid, "SIGCONT");
    await until("it is kept", () =>
      other.append([event("b", "k")]).then(
        grown => grown.length === 0,
        () => false,
      ),
    );
    expect((await other.read("k", 0, 9)).map(({ data }) => data.bodyId)).toEqual(["a", "b"]);
  });

  test("when the primary is killed amid appends, the replica that has most has each acknowledged event where it was", async () => {
    const { primary, replica } = await startPair();
    const second = await start(primary);
    const way = await openLossyWay(primary.port);
    ends.push(way.close);
    const log = await open(`redis://127.0.0.1:${way.port}`, newNamespace());
    const seen = new Map<string, number>();
    const acknowledged = new Set<string>();
    const ending = new AbortController();
    const lane = async (key: string) => {
      for (let n = 0; !ending.signal.aborted; n += 1) {
        const id = `${key}-${n}`;
        await untilAppended(log, event(id, key));
        acknowledged.add(id);
        for (const { seq, data } of await log.read(key, 0, 1000).catch(() => []))
          seen.set(String(data.bodyId), seq);
      }
    };
    const lanes = Promise.all(["k1", "k2", "k3", "k4"].map(lane));
    await until("much is kept", () => acknowledged.size > 40);

    await primary.kill();
    const before = acknowledged.size;
    const offsets = await Promise.all(
      [replica, second].map(async each => Number(await factOf(each, "slave_repl_offset"))),
    );
    const [next, last] = Number(offsets[0]) >= Number(offsets[1]) ? [replica, second] : [second, replica];
    await ask(next, ["REPLICAOF", "NO", "ONE"]);
    await ask(last, ["REPLICAOF", "127.0.0.1", String(next.port)]);
    way.leadTo(next.port);
    await until("more is kept", () => acknowledged.size > before + 40);
    ending.abort();
    await lanes;

    const kept = new Map<string, number>();
    for (const key of ["k1", "k2", "k3", "k4"])
      for (const { seq, data } of await log.read(key, 0, 10_000)) kept.set(String(data.bodyId), seq);
    expect([...acknowledged].filter(id => !kept.has(id))).toEqual([]);
    expect([...seen].filter(([id, seq]) => kept.get(id) !== seq)).toEqual([]);
  });

  test("with sentinels, log and leases follow the primary", async () => {
    const { primary } = await startPair();
    await start(primary);
    const sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(primary)));
    for (const each of sentinels) ends.push(each.stop);
    const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join();
    const redisUrl = `redis+sentinel://${hosts}/log/0`;
    for (const each of sentinels)
      await until("it knows the others", async () => {
        const state = String(await ask(each, ["INFO", "sentinel"]));
        return /slaves=2,sentinels=3/.test(state);
      });
    await checkRedis({ redisUrl });
    const namespace = newNamespace();
    const log = await open(redisUrl, namespace);
    const cluster = { redisUrl, namespace, natsUrl: "", mongoUrl: "" };
    const leases = openClusterLeases(cluster, () => undefined);
    ends.push(leases.close);
    expect(await log.append([event("a", "k")])).toEqual(["k"]);
    await (await leases.take("before"))?.release();

    await primary.kill();
    await untilAppended(log, event("b", "k"));
    expect((await log.read("k", 0, 9)).map(({ data }) => data.bodyId)).toEqual(["a", "b"]);
    await until("leases are given", () =>
      leases.take("after").then(
        lease => lease !== null,
        () => false,
      ),
    );
  });
});

/** As a poll does: it is made again while Redis is away. */
async function untilAppended(log: OpenLog, made: NewEvent): Promise<void> {
  await until("it is appended", () =>
    log.append([made]).then(
      () => true,
      () => false,
    ),
  );
}
