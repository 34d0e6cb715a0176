import { randomUUID } from "node:crypto";
import { siteKillsSuite } from "../suites/site-kills.suite.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startNats } from "../support/nats.ts";
import { startRedis } from "../support/redis.ts";

const mongo = await startMongo();
const [nats, redis] = await Promise.all([startNats(), startRedis()]);
afterAll(async () => {
  await Promise.all([mongo, nats, redis].map(server => server.stop()));
});

withMongo(mongo).describe("in a cluster", () => {
  siteKillsSuite("cluster", () => ({
    natsUrl: nats.url,
    redisUrl: redis.url,
    mongoUrl: mongo.url,
    namespace: `k${randomUUID().slice(0, 8)}`,
  }));
});
