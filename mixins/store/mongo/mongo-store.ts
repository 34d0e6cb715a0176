import { closeMongo, type Mongo, mapMongoErrors, openMongo } from "../../cluster/mongo.ts";
import type { ClusterConfig } from "../../config/config.ts";
import type { Doc, Index, Store } from "../store.ts";
import { type OpenStore, storeOf } from "../store-of.ts";
import { MongoAdapter } from "./mongo.adapter.ts";
import { DocumentLocks } from "./transactions/document-locks.ts";
import { transact } from "./transactions/transact.ts";

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
  const locks = new DocumentLocks(mongo, onError);
  const adapters = new Map(
    declared.map(([name, indexes]) => [name, new MongoAdapter(mongo, locks, name, indexes)]),
  );
  try {
    for (const adapter of adapters.values()) await adapter.connect();
  } catch (error) {
    await locks.close();
    throw error;
  }
  const places = new Map([...adapters].map(([name, adapter]) => [name, adapter.place]));
  const transaction: Store<Doc>["transaction"] = (work, _survives, before) =>
    mapMongoErrors(transact({ places, locks }, work, before));
  const store = storeOf(adapters, declared[0]?.[0] ?? "", { isShared: true, transaction });
  return { adapters, store, close: () => locks.close() };
}
