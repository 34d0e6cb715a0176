import type { WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import { type FeedsWorld, feedOverrides, feedServices, feedsOutSuite } from "../suites/feeds-out.suite.ts";
import { type HubWorld, hubOverrides, hubPingsSuite, hubServices } from "../suites/hub-pings.suite.ts";
import { type Nodes, startNodes } from "../support/magpie-nodes.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startNats } from "../support/nats.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { startRedis } from "../support/redis.ts";

const mongo = await startMongo();
const inCluster = withMongo(mongo);
const [nats, redis] = await Promise.all([startNats(), startRedis()]);
const urls = { natsUrl: nats.url, redisUrl: redis.url, mongoUrl: mongo.url };

afterAll(() => Promise.all([mongo, nats, redis].map(server => server?.stop())));

/** The log that a node's `writer` appends to. */
function logOf({ services }: Nodes) {
  const nodes = services.map(broker => broker.getLocalService("writer") as unknown as WithLog | undefined);
  const writer = nodes.find(service => service !== undefined);
  if (!writer) throw new Error("no node writes");
  return writer.log;
}

inCluster.describe("feeds out of two nodes", () => {
  let nodes: Nodes | undefined;
  let world: FeedsWorld;
  beforeAll(async () => {
    const [, , , dispatcher] = feedServices;
    const services = [...feedServices, ...(dispatcher ? [dispatcher] : [])];
    nodes = await startNodes({ ...urls, namespace: "feeds-out" }, feedOverrides, services);
    world = { magpie: nodes, log: logOf(nodes) };
  });
  afterAll(() => nodes?.stop());

  feedsOutSuite(() => world);
});

inCluster.describe("pings of two nodes", () => {
  let nodes: Nodes | undefined;
  let hub: Receiver | undefined;
  let world: HubWorld;
  beforeAll(async () => {
    hub = await startReceiver();
    const [, dispatcher] = hubServices;
    const services = [...hubServices, ...(dispatcher ? [dispatcher] : [])];
    nodes = await startNodes({ ...urls, namespace: "hub-pings" }, hubOverrides(hub), services);
    world = { magpie: nodes, log: logOf(nodes), hub };
  });
  afterAll(async () => {
    await nodes?.stop();
    await hub?.close();
  });

  hubPingsSuite(() => world);
});
