import {
  type OwnListWorld,
  ownListOverrides,
  ownListServices,
  ownListSuite,
} from "../suites/own-list.suite.ts";
import { type Nodes, startNodes } from "../support/magpie-nodes.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startNats } from "../support/nats.ts";
import { startRedis } from "../support/redis.ts";

const mongo = await startMongo();
const inCluster = withMongo(mongo);
const [nats, redis] = await Promise.all([startNats(), startRedis()]);
let nodes: Nodes | undefined;
let world: OwnListWorld;

afterAll(async () => {
  await nodes?.stop();
  await Promise.all([mongo, nats, redis].map(server => server?.stop()));
});

inCluster.describe("in a cluster", () => {
  beforeAll(async () => {
    const urls = { natsUrl: nats.url, redisUrl: redis.url, mongoUrl: mongo.url };
    nodes = await startNodes({ ...urls, namespace: "own-list" }, ownListOverrides, ownListServices);
    world = { magpie: nodes };
  });

  // The servers of the tests are slow at writing.
  ownListSuite(() => world, 60);
});
