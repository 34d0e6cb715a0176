import type { ClusterConfig } from "../config/cluster.ts";
import { closeMongo, openMongo } from "../mongo/mongo.ts";
import type { Blobs } from "./blobs.ts";
import { gridfsBlobs } from "./gridfs.blobs.ts";

/** The binary results of a cluster, on the connection that this process has for all. */
export async function openClusterBlobs(
  cluster: ClusterConfig,
): Promise<{ blobs: Blobs; close(): Promise<void> }> {
  const mongo = await openMongo(cluster);
  try {
    return { blobs: await gridfsBlobs(mongo), close: () => closeMongo(cluster) };
  } catch (error) {
    await closeMongo(cluster);
    throw error;
  }
}
