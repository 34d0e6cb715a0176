import { randomUUID } from "node:crypto";
import { ConfigError } from "../config/config-error.ts";
import type { Mongo } from "../mongo/mongo.ts";
import type { RedisConnection } from "../redis/redis-connection.ts";

const deadlineMs = 5000;

/**
 * The identity of a cluster; refuses a Redis that belongs to another one. A cluster has a random identity, which the database makes at its first
 * start; the same must stand in Redis, where an empty one, as after a loss of its data, takes it on.
 */
export async function checkIdentity(
  mongo: Mongo,
  redis: RedisConnection,
  namespace: string,
): Promise<string> {
  const identity = await inDatabase(mongo);
  const key = `${namespace}:cluster`;
  if ((await redis.set(key, identity, "NX")) === "OK") return identity;
  if ((await redis.get(key)) === identity) return identity;
  throw new ConfigError(
    "CLUSTER_NAMESPACE",
    `another cluster keeps its work in this Redis under the name ${namespace}. Give each its own CLUSTER_NAMESPACE, or, ` +
      `if this one's database was replaced, remove the keys of Redis that begin with ${namespace}:`,
  );
}

async function inDatabase({ db, name }: Mongo): Promise<string> {
  const facts = db.collection<{ _id: string; value: string }>(name("cluster"));
  const fresh = { $setOnInsert: { value: randomUUID() } };
  try {
    await facts.updateOne({ _id: "identity" }, fresh, { upsert: true, maxTimeMS: deadlineMs });
  } catch (error) {
    // Of nodes that start at once on an empty database one makes it.
    if ((error as { code?: unknown }).code !== 11_000) throw error;
  }
  const found = await facts.findOne({ _id: "identity" }, { maxTimeMS: deadlineMs });
  if (!found) throw new Error("MONGO_URL: what was just written is not there");
  return found.value;
}
