import { randomUUID } from "node:crypto";
import type { Service } from "moleculer";
import type { WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import { call } from "../../services/contracts/action.ts";
import { defaultLimits } from "../../services/contracts/caller.ts";
import { track } from "../../services/contracts/tracker.contract.ts";
import { trackerNode } from "../integration/tracker-node.process.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { overlaps, type Said, startTracker } from "../support/tracker-process.ts";
import { until } from "../support/until.ts";

const keyIds = ["k1", "k2", "k3", "k4", "k5"];
const sid = "https://host.example/feed";
/** A look lasts long enough to be killed in. */
const pollMs = 300;

const mongo = await startMongo();
const inCluster = withMongo(mongo);

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
}, 600_000);
afterAll(() => Promise.all([redis.stop(), mongo.stop()]));

inCluster.test(
  "views of one address are looked at by one node at a time; a node that is killed amid a look loses and repeats nothing",
  async () => {
    const env = {
      NATS_URL: "nats://127.0.0.1:4222",
      REDIS_URL: redis.url,
      MONGO_URL: mongo.url,
      CLUSTER_NAMESPACE: `w${randomUUID().slice(0, 8)}`,
      POLL_MIN_INTERVAL: "500ms",
    };
    const said: Said[] = [];
    const broker = trackerNode(
      env,
      (end, at, when) => said.push({ node: "here", end, sid: at, at: when }),
      pollMs,
    );
    await broker.start();
    const { log } = broker.getLocalService("tracker") as Service & WithLog;
    const names = ["first", "second"];
    const children = await Promise.all(names.map(name => startTracker(name, env, said, pollMs)));
    const snapshotsOf = (name: string) => said.filter(({ node }) => node === name);
    const latest = async () => Promise.all(keyIds.map(async key => (await log.bounds(key)).latest));
    try {
      // Each key has a view of its own, and all are due at about the same time.
      for (const keyId of keyIds) {
        const meta = { caller: { keyId, owner: "ann", limits: defaultLimits } };
        await call(broker, track, { source: "rss", sid, options: { ignore: [keyId] } }, { meta });
      }
      for (const [at, child] of children.entries()) {
        const name = names[at] ?? "";
        await until(`${name} looks`, () => snapshotsOf(name).at(-1)?.end === "begins");
        child.kill("SIGKILL");
        await until("it is gone", () => child.signalCode !== null);
        const before = await latest();
        await until("all views are told on", async () =>
          (await latest()).every((seq, key) => seq > (before[key] ?? 0) + 3),
        );
      }
      for (const keyId of keyIds) {
        const numbers = (await log.read(keyId, 0, 100_000)).map(({ data }) => Number(Object(data.item).n));
        expect(numbers.length).toBeGreaterThan(6);
        expect(numbers).toEqual(numbers.map((_, at) => (numbers[0] ?? 0) + at));
      }
      // The look in which a node was killed has no end.
      const cut = names.map(name => snapshotsOf(name).at(-1)).filter(last => last?.end === "begins");
      expect(overlaps(said.filter(each => !cut.includes(each)))).toEqual([]);
      // Had each view looks of its own, there would be as many for each as there are items at least.
      const looks = said.filter(({ end }) => end === "begins").length;
      const told = (await latest()).reduce((sum, seq) => sum + seq, 0);
      expect(looks).toBeLessThan(told / 2);
    } finally {
      for (const child of children) child.kill("SIGKILL");
      await broker.stop();
    }
  },
);
