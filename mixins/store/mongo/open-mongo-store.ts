import type { ClusterConfig } from "../../config/cluster.ts";
import { closeMongo, openMongo } from "../../mongo/mongo.ts";
import type { OpenStore } from "../open-store.ts";
import type { Index } from "../store.ts";
import { collectionsOn } from "./collections-on.ts";

/** The collections of a room in the database of its cluster, the main one first. */
export async function openMongoStore(
  cluster: Pick<ClusterConfig, "mongoUrl" | "namespace">,
  declared: [string, Index[]][],
  onError: (error: unknown) => void,
): Promise<OpenStore> {
  const mongo = await openMongo(cluster);
  try {
    const { close, ...opened } = await collectionsOn(mongo, declared, onError);
    return { ...opened, close: () => close().finally(() => closeMongo(cluster)) };
  } catch (error) {
    await closeMongo(cluster);
    throw error;
  }
}
