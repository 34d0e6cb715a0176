import type { ClusterConfig } from "../config/cluster.ts";
import { factsCollection, type StoredFact, verifyMasterSecret } from "../keys/verify-master-secret.ts";
import { openMongoStore } from "../store/mongo/open-mongo-store.ts";

/** Refuses a master secret that is not the cluster's, whichever rooms it is for. */
export async function checkSecret(
  cluster: ClusterConfig,
  masterSecret: string,
  onError: (error: unknown) => void,
): Promise<void> {
  const { store, close } = await openMongoStore(cluster, [[factsCollection, []]], onError);
  try {
    await verifyMasterSecret(store.collection<StoredFact>(factsCollection), masterSecret);
  } finally {
    await close();
  }
}
