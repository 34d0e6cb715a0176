import type { Middleware, Transit } from "moleculer";
import { ConfigError } from "../config/config-error.ts";

interface Packet {
  payload?: { sender?: string; metadata?: { cluster?: unknown } };
}

type Take = (command: string, packet: Packet) => Promise<void>;

/**
 * Keeps two clusters apart that were given the same NATS and the same namespace, each with databases of its own: they
 * would answer each other's calls. A node that meets another cluster at its start is refused; one that runs hears nothing
 * of it. A node's `metadata.cluster` is the identity of its cluster; what has none, as a REPL, is taken as it comes.
 */
export function ownCluster(refuse: (error: unknown) => never): Middleware {
  const strangers = new Set<string>();
  let isStarting = true;
  return {
    name: "OwnCluster",
    async started() {
      isStarting = false;
    },
    transitMessageHandler(this: Transit, next: Take): Take {
      const { broker, logger } = this;
      const meet = (sender: string) => {
        if (isStarting) refuse(new ConfigError("CLUSTER_NAMESPACE", sentence(broker)));
        if (!strangers.has(sender)) logger.warn("bus.stranger", { node: sender });
        strangers.add(sender);
      };
      return async (command, packet) => {
        const { sender = "", metadata } = packet.payload ?? {};
        const own = broker.metadata.cluster;
        const theirs = command === "INFO" ? metadata?.cluster : undefined;
        if (own !== undefined && theirs !== undefined && theirs !== own) meet(sender);
        if (!strangers.has(sender)) await next(command, packet);
      };
    },
  } as unknown as Middleware;
}

function sentence({ namespace }: Transit["broker"]): string {
  return (
    `another cluster, with databases of its own, speaks on this NATS under the name ${namespace}. Give each its own ` +
    "CLUSTER_NAMESPACE, or, if this node belongs to it, the REDIS_URL and the MONGO_URL of its other nodes."
  );
}
