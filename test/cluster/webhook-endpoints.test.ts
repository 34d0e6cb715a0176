import type { WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import { madeOnceSuite } from "../suites/made-once.suite.ts";
import {
  type EndpointsWorld,
  endpointOverrides,
  endpointServices,
  webhookEndpointsSuite,
} from "../suites/webhook-endpoints.suite.ts";
import { type Nodes, startNodes } from "../support/magpie-nodes.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startNats } from "../support/nats.ts";
import { startRedis } from "../support/redis.ts";

const mongo = await startMongo();
const [nats, redis] = await Promise.all([startNats(), startRedis()]);
let nodes: Nodes | undefined;
let world: EndpointsWorld;

afterAll(async () => {
  await nodes?.stop();
  await Promise.all([mongo, nats, redis].map(server => server.stop()));
});

withMongo(mongo).describe("in a cluster", () => {
  beforeAll(async () => {
    const urls = { natsUrl: nats.url, redisUrl: redis.url, mongoUrl: mongo.url };
    // Two nodes deliver: requests reach one of them, and the lanes are shared out.
    const [, dispatcher] = endpointServices;
    const services = [...endpointServices, ...(dispatcher ? [dispatcher] : [])];
    nodes = await startNodes({ ...urls, namespace: "webhook-endpoints" }, endpointOverrides, services);
    const writer = nodes.services[3]?.getLocalService("writer") as unknown as WithLog;
    world = { magpie: nodes, log: writer.log };
  });

  webhookEndpointsSuite(() => world);

  madeOnceSuite(() => world.magpie);
});
