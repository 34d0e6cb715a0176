import type { ServiceBroker } from "moleculer";
import type { ClusterConfig } from "../config/cluster.ts";
import type { Config } from "../config/config.ts";
import { checkRedis } from "../redis/check-redis.ts";
import { checkSecret } from "./check-secret.ts";
import { checkIdentity } from "./identity.ts";
import { type ClusterServers, openServers } from "./open-servers.ts";
import { reachNats } from "./reach-nats.ts";

type Joining = Pick<Config, "masterSecret"> & { cluster: ClusterConfig };

/**
 * Sees that a node can work with the three servers, that they belong to its cluster, and that its secret is the
 * cluster's, whose identity it then tells on the bus; rejects with a sentence of why not.
 */
export async function joinCluster(
  broker: ServiceBroker,
  { cluster, masterSecret }: Joining,
): Promise<ClusterServers> {
  const logger = broker.getLogger("node");
  await reachNats(cluster, reason => logger.warn("NATS_URL: waiting for the server.", { reason }));
  for (const warning of await checkRedis(cluster)) logger.warn(warning);
  const servers = await openServers(broker, cluster);
  try {
    broker.metadata.cluster = await checkIdentity(servers.mongo, servers.redis, cluster.namespace);
    if (masterSecret !== undefined)
      await checkSecret(cluster, masterSecret, error => logger.warn("store.hindered", { error }));
    return servers;
  } catch (error) {
    await servers.close();
    throw error;
  }
}
