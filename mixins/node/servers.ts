import type { ServiceBroker } from "moleculer";
import type { Finding } from "../../services/contracts/health.contract.ts";
import type { ClusterConfig } from "../config/cluster.ts";
import { closeMongo, type Mongo, openMongo } from "../mongo/mongo.ts";
import { openSharedRedis, type SharedRedis } from "../redis/shared-redis.ts";

/** What a node shares with others, and cannot work without. */
export interface Servers {
  /** Whether other nodes share them, and so may have the rooms that this one has not. */
  areShared: boolean;
  /** One for each, within 2 s. */
  findings(): Promise<Finding[]>;
}

export interface ClusterServers extends Servers {
  mongo: Mongo;
  redis: SharedRedis["redis"];
  close(): Promise<void>;
}

const deadlineMs = 2000;
const opened = new WeakMap<ServiceBroker, Servers>();
const none: Servers = { areShared: false, findings: async () => [] };

/** Of the node that a broker is. */
export function serversOf(broker: ServiceBroker): Servers {
  return opened.get(broker) ?? none;
}

/** Opens what tells how the servers are; rejects with a sentence that names MONGO_URL. */
export async function openServers(broker: ServiceBroker, cluster: ClusterConfig): Promise<ClusterServers> {
  const mongo = await openMongo(cluster);
  const onError = (error: unknown) => broker.logger.warn("redis.away", { error });
  const { redis, close } = openSharedRedis(cluster.redisUrl, onError);
  const servers: ClusterServers = {
    areShared: true,
    mongo,
    redis,
    findings: () =>
      Promise.all([
        finding("NATS", "NATS_URL", async () => broker.transit?.tx.connected === true),
        finding("Redis", "REDIS_URL", async () => (await redis.ping()) === "PONG"),
        finding("MongoDB", "MONGO_URL", async () => (await mongo.db.command({ ping: 1 })).ok === 1),
      ]),
    close: async () => {
      opened.delete(broker);
      close();
      await closeMongo(cluster);
    },
  };
  opened.set(broker, servers);
  return servers;
}

async function finding(name: string, setting: string, ask: () => Promise<boolean>): Promise<Finding> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), deadlineMs);
  const answer = ask().catch(() => false);
  const isThere = await Promise.race([answer, late.promise]).finally(() => clearTimeout(timer));
  if (isThere) return { name, status: "ok" };
  const detail = `${name} does not answer. Check that it runs and that this node reaches it at ${setting}.`;
  return { name, status: "missing", detail };
}
