import type { Middleware, ServiceBroker } from "moleculer";
import type { ClusterConfig } from "../config/cluster.ts";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/config-error.ts";
import { type HealthServer, openHealthServer } from "./health-server.ts";
import { roomsOf } from "./node-health.ts";
import type { ClusterServers } from "./open-servers.ts";

/**
 * What every node of a cluster does beside its rooms: before they start it sees that it can work with the three servers,
 * that they belong to its cluster, and that it has the cluster's secret; then it tells at a port of its own how it is. `refuse` takes the one sentence that
 * says why the node cannot start.
 */
export function clusterNode(
  config: Config & { cluster: ClusterConfig },
  refuse: (error: unknown) => never,
): Middleware {
  let health: HealthServer | undefined;
  let servers: ClusterServers | undefined;
  return {
    name: "ClusterNode",
    async starting(broker: ServiceBroker) {
      try {
        if (roomsOf(broker).length === 0) throw new ConfigError("SERVICES", "names no room that there is");
        health = await openHealthServer(broker, config);
        // The clients of the servers are memory and time that the embedded mode need not spend.
        const { joinCluster } = await import("./join-cluster.ts");
        servers = await joinCluster(broker, config);
        broker
          .getLogger("node")
          .info("node.joined", { health: health.address, namespace: config.cluster.namespace });
      } catch (error) {
        refuse(error);
      }
    },
    async stopped() {
      await servers?.close();
      await health?.close();
    },
  };
}
