import { closeMongo, type Mongo, openMongo } from "../../cluster/mongo.ts";
import type { ClusterConfig } from "../../config/config.ts";
import type { Index } from "../store.ts";
import { type OpenStore, storeOf } from "../store-of.ts";
import { MongoAdapter } from "./mongo.adapter.ts";

/** The collections of a service in the database of its cluster, the main one first. */
export async function openMongoStore(
  cluster: Pick<ClusterConfig, "mongoUrl" | "namespace">,
  declared: [string, Index[]][],
): Promise<OpenStore> {
  const mongo = await openMongo(cluster);
  try {
    return { ...(await openCollections(mongo, declared)), close: () => closeMongo(cluster) };
  } catch (error) {
    await closeMongo(cluster);
    throw error;
  }
}

/** The collections of a service on a connection, which stays the caller's; the main one first. */
export async function openCollections(
  mongo: Mongo,
  declared: [string, Index[]][],
): Promise<Omit<OpenStore, "close">> {
  const adapters = new Map(declared.map(([name, indexes]) => [name, new MongoAdapter(mongo, name, indexes)]));
  for (const adapter of adapters.values()) await adapter.connect();
  return { adapters, store: storeOf(adapters, declared[0]?.[0] ?? "", true) };
}
