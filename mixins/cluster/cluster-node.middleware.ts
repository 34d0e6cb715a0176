import type { Middleware, ServiceBroker, Transit } from "moleculer";
import type { ClusterConfig, Config } from "../config/config.ts";
import { ConfigError } from "../config/env.ts";
import { logEvent } from "../log/log-events.ts";
import { serviceNames } from "../runtime/health.ts";
import { type HealthServer, openHealthServer } from "./health-server.ts";
import type { ClusterServers } from "./join-cluster.ts";

/**
 * What every node of a cluster does beside its services. Before they start, it checks that it can work with the three
 * servers, that they belong to its cluster, and that it has the cluster's secret. It answers health checks on a port of its
 * own. `refuse` takes the error that says why the node cannot start.
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
        if (serviceNames(broker).length === 0)
          throw new ConfigError("SERVICES", "names no service that exists");
        health = await openHealthServer(broker, config);
        // Imported here, so that the embedded mode does not load the clients of the servers.
        const { joinCluster } = await import("./join-cluster.ts");
        servers = await joinCluster(broker, config);
        const { address } = health;
        logEvent(broker.getLogger("node"), "node.joined", {
          health: address,
          namespace: config.cluster.namespace,
        });
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

interface InfoPacket {
  payload?: { sender?: string; metadata?: { cluster?: unknown } };
}

type HandlePacket = (command: string, packet: InfoPacket) => Promise<void>;

/**
 * Keeps two clusters apart that were given the same NATS and the same namespace, but databases of their own: they would
 * answer each other's calls. A node that meets another cluster while it starts ends; one that runs ignores the other
 * cluster. `metadata.cluster` of a node is the identity of its cluster; nodes without one, such as a REPL, are accepted.
 */
export function refuseOtherClusters(refuse: (error: unknown) => never): Middleware {
  const strangers = new Set<string>();
  let isStarting = true;
  return {
    name: "OwnCluster",
    async started() {
      isStarting = false;
    },
    transitMessageHandler(this: Transit, next: HandlePacket): HandlePacket {
      const { broker, logger } = this;
      const refuseOrIgnore = (sender: string) => {
        if (isStarting) refuse(new ConfigError("CLUSTER_NAMESPACE", otherClusterMessage(broker)));
        if (!strangers.has(sender)) logEvent(logger, "foreign_node.refused", { sender });
        strangers.add(sender);
      };
      return async (command, packet) => {
        const { sender = "", metadata } = packet.payload ?? {};
        const own = broker.metadata.cluster;
        const theirs = command === "INFO" ? metadata?.cluster : undefined;
        if (own !== undefined && theirs !== undefined && theirs !== own) refuseOrIgnore(sender);
        if (!strangers.has(sender)) await next(command, packet);
      };
    },
  } as unknown as Middleware;
}

function otherClusterMessage({ namespace }: Transit["broker"]): string {
  return (
    `another cluster, with databases of its own, runs on this NATS under the name ${namespace}. Give each its own ` +
    "CLUSTER_NAMESPACE, or, if this node belongs to it, the REDIS_URL and the MONGO_URL of its other nodes."
  );
}
