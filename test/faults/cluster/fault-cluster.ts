import { createWriteStream } from "node:fs";
import { startNeededMongo } from "../../dev/servers.ts";
import { type Cluster, startCluster } from "../../dev/start-cluster.ts";
import { startNats } from "../../support/nats.ts";
import { startRedis } from "../../support/redis.ts";

/** Services with two nodes. */
export const two = [
  "api",
  "connectors",
  "crawler",
  "history",
  "keys",
  "scraper",
  "tracker",
  "webhook-dispatcher",
];

export interface FaultCluster extends Cluster {
  /** Nodes that ended by themselves, in sentences; but for those that could not start, which is told when they are started. */
  readonly deaths: string[];
}

/**
 * Two nodes of each service and one admin, at servers of their own, which may be killed. `log`: a file for all that they
 * print. `from`: a checkout of another release that they run until they are started again.
 */
export async function startFaultCluster(
  env: Record<string, string>,
  log?: string,
  from?: string,
): Promise<FaultCluster> {
  const mongo = await startNeededMongo();
  const servers = { nats: await startNats(), redis: await startRedis(), mongo };
  const stopServers = () => Promise.all(Object.values(servers).map(server => server.stop()));
  const file = log === undefined ? undefined : createWriteStream(log, { flags: "a" });
  const died: { pid: number; how: string }[] = [];
  const refused = new Set<number>();
  try {
    const cluster = await startCluster({
      nodes: Object.fromEntries(two.map(service => [service, 2])),
      env: { ...common, ...env },
      servers,
      from,
      print: (node, line) => {
        if (line.startsWith("magpie cannot start")) refused.add(node.pid);
        file?.write(`${node.service}-${node.number} ${node.pid} ${line}\n`);
      },
      died: ({ service, number, pid }, how) => died.push({ pid, how: `${service}-${number} ${how}` }),
    });
    const stop = async () => {
      await cluster.stop();
      await stopServers();
      file?.end();
    };
    return {
      ...cluster,
      get deaths() {
        return died.filter(({ pid }) => !refused.has(pid)).map(({ how }) => how);
      },
      stop,
    };
  } catch (error) {
    await stopServers();
    throw error;
  }
}

const common = {
  EGRESS_ALLOW: "127.0.0.1/32",
  WEBHOOK_ALLOW_HTTP: "true",
  WEBHOOK_BACKOFF: "1s,1s,1s,1s",
  POLL_MIN_INTERVAL: "1s",
  SANDBOX_POST_EVERY: "off",
  KEYS_PER_OWNER: "1000",
  LOG_FORMAT: "json",
  LOG_LEVEL: "info",
  NODE_OPTIONS: `--no-warnings --import ${import.meta.resolve("./mark-sender.ts")}`,
};
