import { randomUUID } from "node:crypto";
import type { ServiceBroker } from "moleculer";
import type { Finding } from "../../services/contracts/health.contract.ts";
import { within } from "../async/timeout.ts";
import { waitForNats } from "../bus/nats-client.ts";
import type { ClusterConfig, Config } from "../config/config.ts";
import { ConfigError } from "../config/env.ts";
import { logEvent } from "../log/log-events.ts";
import { type Servers, setServers } from "../runtime/health.ts";
import { factsCollection, type StoredFact, verifyMasterSecret } from "../store/master-secret.ts";
import { openMongoStore } from "../store/mongo/mongo-store.ts";
import { checkRedis } from "./check-redis.ts";
import { closeMongo, type Mongo, openMongo, withDeadline } from "./mongo.ts";
import { openSharedRedis, type RedisConnection, type SharedRedis } from "./redis.ts";

type Joining = Pick<Config, "masterSecret"> & { cluster: ClusterConfig };

/**
 * Checks that a node can work with the three servers, that they belong to its cluster, and that its secret is the
 * cluster's. Then the bus carries the cluster's identity with the node's metadata. Rejects with a message that says why not.
 */
export async function joinCluster(
  broker: ServiceBroker,
  { cluster, masterSecret }: Joining,
): Promise<ClusterServers> {
  const logger = broker.getLogger("node");
  await waitForNats(cluster, reason => logEvent(logger, "nats.awaited", { reason }));
  for (const warning of await checkRedis(cluster)) logEvent(logger, "redis.misconfigured", { warning });
  const servers = await openServers(broker, cluster);
  try {
    broker.metadata.cluster = await checkIdentity(servers.mongo, servers.redis, cluster.namespace);
    if (masterSecret !== undefined) await checkClusterSecret(cluster, masterSecret);
    return servers;
  } catch (error) {
    await servers.close();
    throw error;
  }
}

export interface ClusterServers extends Servers {
  mongo: Mongo;
  redis: SharedRedis["redis"];
  close(): Promise<void>;
}

const findingTimeoutMs = 2000;

/** Opens the connections that a node's health is read from; rejects with a message that names MONGO_URL. */
export async function openServers(broker: ServiceBroker, cluster: ClusterConfig): Promise<ClusterServers> {
  const mongo = await openMongo(cluster);
  const onError = (error: unknown) => logEvent(broker.logger, "redis.failed", { error });
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
  const answer = ask().catch(() => false);
  const isThere = await within(findingTimeoutMs, answer, () => false);
  if (isThere) return { name, status: "ok" };
  const detail = `${name} does not answer. Check that it runs and that this node reaches it at ${setting}.`;
  return { name, status: "missing", detail };
}

const identityTimeoutMs = 5000;

/**
 * The identity of a cluster; throws for a Redis that belongs to another cluster. The identity is random, and stored in the
 * database at the cluster's first start. Redis must hold the same; an empty Redis, for example after a loss of its data,
 * takes it over.
 */
export async function checkIdentity(
  mongo: Mongo,
  redis: RedisConnection,
  namespace: string,
): Promise<string> {
  const identity = await storedIdentity(mongo);
  const key = `${namespace}:cluster`;
  if ((await redis.set(key, identity, "NX")) === "OK") return identity;
  if ((await redis.get(key)) === identity) return identity;
  throw new ConfigError(
    "CLUSTER_NAMESPACE",
    `another cluster keeps its work in this Redis under the name ${namespace}. Give each its own CLUSTER_NAMESPACE, or, ` +
      `if this one's database was replaced, remove the keys of Redis that begin with ${namespace}:`,
  );
}

/** The id of a fact that is there while a cluster is restored, and stays where that was broken off. */
export const brokenOffRestore = "restore";

async function storedIdentity({ db, name }: Mongo): Promise<string> {
  const facts = withDeadline(
    db.collection<{ _id: string; value: string }>(name("cluster")),
    identityTimeoutMs,
  );
  if (await facts.findOne({ _id: brokenOffRestore }))
    throw new ConfigError(
      "MONGO_URL",
      "a restore of this cluster is under way or was broken off. Wait for its end, or run magpie restore again: it begins anew",
    );
  const fresh = { $setOnInsert: { value: randomUUID() } };
  try {
    await facts.updateOne({ _id: "identity" }, fresh, { upsert: true });
  } catch (error) {
    // Where nodes start at once on an empty database, one of them inserts it.
    if ((error as { code?: unknown }).code !== 11_000) throw error;
  }
  const found = await facts.findOne({ _id: "identity" });
  if (!found) throw new Error("MONGO_URL: the database does not return what was just written");
  return found.value;
}

/** Throws for a master secret that is not the cluster's, whichever services the node runs. */
async function checkClusterSecret(cluster: ClusterConfig, masterSecret: string): Promise<void> {
  const { store, close } = await openMongoStore(cluster, [[factsCollection, []]]);
  try {
    await verifyMasterSecret(store.collection<StoredFact>(factsCollection), masterSecret);
  } finally {
    await close();
  }
}
