import { toConfig } from "../../mixins/config/config.ts";
import { connectorsService } from "../../services/connectors/connectors.service.ts";
import {
  type SearchWorld,
  searchedNetwork,
  searchFlowSuite,
  searchOverrides,
} from "../suites/search-flow.suite.ts";
import { sitemapsSuite } from "../suites/sitemaps.suite.ts";
import { type Nodes, startNodes } from "../support/magpie-nodes.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startNats } from "../support/nats.ts";
import { startRedis } from "../support/redis.ts";

const mongo = await startMongo();
const inCluster = withMongo(mongo);
const [nats, redis] = await Promise.all([startNats(), startRedis()]);
const urls = { natsUrl: nats.url, redisUrl: redis.url, mongoUrl: mongo.url };

afterAll(() => Promise.all([mongo, nats, redis].map(server => server?.stop())));

inCluster.describe("sitemaps read by two nodes", () => {
  let nodes: Nodes | undefined;
  beforeAll(async () => {
    const { egressAllow, pollMinIntervalMs } = toConfig({
      EGRESS_ALLOW: "127.0.0.1/32",
      POLL_MIN_INTERVAL: "1s",
    });
    const services = [connectorsService, connectorsService];
    nodes = await startNodes(
      { ...urls, namespace: "sitemaps" },
      { egressAllow, pollMinIntervalMs },
      services,
    );
  });
  afterAll(() => nodes?.stop());

  sitemapsSuite(() => {
    if (!nodes) throw new Error("no node has started");
    return nodes.broker;
  });
});

inCluster.describe("searches read by two nodes", () => {
  let nodes: Nodes | undefined;
  let world: SearchWorld | undefined;
  beforeAll(async () => {
    const { server, keys, tracker, connectors } = await searchedNetwork();
    const services = [keys, tracker, connectors, tracker, connectors];
    nodes = await startNodes({ ...urls, namespace: "searches" }, searchOverrides, services);
    world = { magpie: nodes, server };
  });
  afterAll(async () => {
    await nodes?.stop();
    await world?.server.close();
  });

  searchFlowSuite(() => {
    if (!world) throw new Error("no node has started");
    return world;
  });
});
