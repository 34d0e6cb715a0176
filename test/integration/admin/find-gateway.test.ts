import { ServiceBroker } from "moleculer";
import { type Config, toConfig } from "../../../mixins/config/config.ts";
import { findGateway } from "../../../services/admin/repl/admin-client.ts";
import { gatewayService } from "../../../services/contracts/health.contract.ts";

const cluster = {
  natsUrl: "nats://nats.test",
  redisUrl: "redis://redis.test",
  mongoUrl: "mongodb://mongo.test",
  namespace: "find-gateway",
};
const config: Config = { ...toConfig({}), cluster };
const brokers: ServiceBroker[] = [];

/** A node on a bus of this process. */
async function node(nodeID: string, address?: string): Promise<ServiceBroker> {
  const broker = new ServiceBroker({ nodeID, logger: false, transporter: "Fake", namespace: "find-gateway" });
  if (address !== undefined) broker.createService({ name: gatewayService, metadata: { address } });
  brokers.push(broker);
  await broker.start();
  return broker;
}

afterEach(() => Promise.all(brokers.splice(0).map(broker => broker.stop())));

test("in a cluster a gateway is asked where it tells the bus that it listens", async () => {
  await node("gateway", "http://10.1.2.3:3000");
  const repl = await node("repl");
  expect(await findGateway(repl, config)).toBe("http://10.1.2.3:3000");
  expect(await findGateway(repl, config, "https://other.test")).toBe("https://other.test");
});

test("one that listens on every address is asked at its node's own", async () => {
  await node("gateway", "http://0.0.0.0:3000");
  expect(await findGateway(await node("repl"), config)).toMatch(/^http:\/\/(?!0\.0\.0\.0)[^/]+:3000$/);
});

test("without a gateway on the bus it says so", async () => {
  await expect(findGateway(await node("repl"), config)).rejects.toThrow("on the bus of this cluster");
});
