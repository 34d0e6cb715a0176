import { closeMongo, type Mongo, openMongo } from "../../cluster/mongo.ts";
import type { ClusterConfig } from "../../config/config.ts";
import type { Index } from "../store.ts";
import { type OpenStore, storeOf } from "../store-of.ts";
import { FormerTransactions } from "./former-transactions.ts";
import { MongoAdapter } from "./mongo.adapter.ts";

/** The collections of a service in the database of its cluster, the main one first. */
export async function openMongoStore(
  cluster: Pick<ClusterConfig, "mongoUrl" | "namespace">,
  declared: [string, Index[]][],
  onError: (error: unknown) => void,
): Promise<OpenStore> {
  const mongo = await openMongo(cluster);
  try {
    const { close, ...opened } = await openCollections(mongo, declared, onError);
    return { ...opened, close: () => close().finally(() => closeMongo(cluster)) };
  } catch (error) {
    await closeMongo(cluster);
    throw error;
  }
}

/** The collections of a service on a connection, the main one first. */
export async function openCollections(
  mongo: Mongo,
  declared: [string, Index[]][],
  onError: (error: unknown) => void,
): Promise<OpenStore> {
  const former = new FormerTransactions(mongo, onError);
  const adapters = new Map(
    declared.map(([name, indexes]) => [name, new MongoAdapter(mongo, former, name, indexes)]),
  );
  try {
    for (const adapter of adapters.values()) await adapter.connect();
  } catch (error) {
    await former.close();
    throw error;
  }
  const store = storeOf(adapters, declared[0]?.[0] ?? "", true);
  return { adapters, store, close: () => former.close() };
}
