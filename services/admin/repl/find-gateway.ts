import type { ServiceBroker } from "moleculer";
import type { Config } from "../../../mixins/config/config.ts";
import { readAddress } from "../../../mixins/lifecycle/address-file.ts";
import { type GatewayMetadata, gatewayRoom } from "../../contracts/gateway.ts";

/** For the nodes of a cluster to tell of themselves. */
const discoveryMs = 5000;

/** Where a gateway listens: at `server`, else as it tells the bus of its cluster, else that of the data folder. */
export async function findGateway(broker: ServiceBroker, config: Config, server?: string): Promise<string> {
  const url = server ?? (config.cluster ? await onTheBus(broker) : readAddress(config));
  if (url !== undefined) return url;
  const where = config.cluster ? "on the bus of this cluster" : `for the data folder ${config.dataDir}`;
  throw new Error(`No gateway listens ${where}. Start one, or name one with --server.`);
}

async function onTheBus(broker: ServiceBroker): Promise<string | undefined> {
  await broker.waitForServices(gatewayRoom, discoveryMs).catch(() => undefined);
  for (const { name, nodeID, metadata } of broker.registry.getServiceList({ onlyAvailable: true })) {
    const { address } = metadata as GatewayMetadata;
    if (name === gatewayRoom && address !== undefined)
      return reachable(address, broker, nodeID ?? broker.nodeID);
  }
  return undefined;
}

/** A server that listens on every address is asked at one of its node's. */
function reachable(address: string, { registry }: ServiceBroker, nodeId: string): string {
  const [ip = "127.0.0.1"] = registry.nodes.get(nodeId)?.ipList ?? [];
  return address.replace(/\/\/(0\.0\.0\.0|\[::\]):/, `//${ip.includes(":") ? `[${ip}]` : ip}:`);
}
