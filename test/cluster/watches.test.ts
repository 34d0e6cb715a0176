import { aimedIntervalMs, aimedWatchesSuite } from "../suites/aimed-watches.suite.ts";
import {
  type WatchesWorld,
  type WatchTracker,
  watchesSuite,
  watchIntervalMs,
  watchOverrides,
  watchServices,
} from "../suites/watches.suite.ts";
import { type Nodes, startNodes } from "../support/magpie-nodes.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startNats } from "../support/nats.ts";
import { startRedis } from "../support/redis.ts";

const mongo = await startMongo();
const [nats, redis] = await Promise.all([startNats(), startRedis()]);
let nodes: Nodes | undefined;
let world: WatchesWorld;

afterAll(async () => {
  await Promise.all([mongo, nats, redis].map(server => server.stop()));
});

async function start(namespace: string, pollMinIntervalMs: number): Promise<void> {
  const urls = { natsUrl: nats.url, redisUrl: redis.url, mongoUrl: mongo.url };
  nodes = await startNodes({ ...urls, namespace }, watchOverrides(pollMinIntervalMs), watchServices);
  const trackers = nodes.services.flatMap(
    node => (node.getLocalService("tracker") as WatchTracker | undefined) ?? [],
  );
  world = { magpie: nodes, trackers };
}

const inCluster = withMongo(mongo);

inCluster.describe("in a cluster", () => {
  beforeAll(() => start("watches", watchIntervalMs));
  afterAll(() => nodes?.stop());
  watchesSuite(() => world);
});

inCluster.describe("in a cluster, polled all the time", () => {
  beforeAll(() => start("aimed-watches", aimedIntervalMs));
  afterAll(() => nodes?.stop());
  aimedWatchesSuite(() => world);
});
