import { goalsSuite } from "../suites/goals.suite.ts";
import { GoalsWorld } from "../suites/goals-world.ts";
import { startNodes } from "../support/magpie-nodes.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startNats } from "../support/nats.ts";
import { startRedis } from "../support/redis.ts";

const mongo = await startMongo();
const [nats, redis] = await Promise.all([startNats(), startRedis()]);
let world: GoalsWorld;

afterAll(async () => {
  await Promise.all([mongo, nats, redis].map(server => server.stop()));
});

withMongo(mongo).describe("in a cluster", () => {
  beforeAll(async () => {
    const cluster = { natsUrl: nats.url, redisUrl: redis.url, mongoUrl: mongo.url, namespace: "goals" };
    world = await GoalsWorld.start(async (config, services) => {
      const nodes = await startNodes(cluster, config, services);
      return { magpie: nodes, brokers: nodes.services };
    });
  });
  afterAll(() => world?.stop());
  goalsSuite(() => world);
});
