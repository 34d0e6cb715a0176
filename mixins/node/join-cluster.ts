import type { ServiceBroker } from "moleculer";
import type { ClusterConfig } from "../config/cluster.ts";
import { checkRedis } from "../redis/check-redis.ts";
import { checkIdentity } from "./identity.ts";
import { type ClusterServers, openServers } from "./open-servers.ts";
import { reachNats } from "./reach-nats.ts";

/** Sees that a node can work with the three servers, and that they belong to its cluster; rejects with a sentence of why not. */
export async function joinCluster(broker: ServiceBroker, cluster: ClusterConfig): Promise<ClusterServers> {
  const logger = broker.getLogger("node");
  await reachNats(cluster, reason => logger.warn("NATS_URL: waiting for the server.", { reason }));
  for (const warning of await checkRedis(cluster)) logger.warn(warning);
  const servers = await openServers(broker, cluster);
  try {
    await checkIdentity(servers.mongo, servers.redis, cluster.namespace);
    return servers;
  } catch (error) {
    await servers.close();
    throw error;
  }
}
