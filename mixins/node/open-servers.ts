import type { ServiceBroker } from "moleculer";
import type { Finding } from "../../services/contracts/health.contract.ts";
import type { ClusterConfig } from "../config/cluster.ts";
import { closeMongo, type Mongo, openMongo } from "../mongo/mongo.ts";
import { openSharedRedis, type SharedRedis } from "../redis/shared-redis.ts";
import { type Servers, setServers } from "./servers.ts";

export interface ClusterServers extends Servers {
  mongo: Mongo;
  redis: SharedRedis["redis"];
  close(): Promise<void>;
}

const deadlineMs = 2000;

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
      setServers(broker);
      close();
      await closeMongo(cluster);
    },
  };
  setServers(broker, servers);
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
