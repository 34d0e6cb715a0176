import { codeOf } from "../../services/contracts/errors.ts";
import { subKey } from "../../services/domain/key/sub-key.ts";
import type { Store } from "../store/store.ts";

/** Facts about the installation: `master-secret` and `bootstrap`. */
export interface StoredFact {
  _id: string;
  value: string;
}

export const factsCollection = "key_facts";

type Facts = Pick<Store<StoredFact>, "findById" | "insert">;

const factId = "master-secret";

/**
 * Refuses to start on data that another master secret has sealed: what is there could not be read, and what is added
 * would be lost later.
 */
export async function verifyMasterSecret(facts: Facts, masterSecret: string): Promise<void> {
  // Tells this secret from others, and nothing else about it.
  const verifier = subKey(masterSecret, "keys/verifier/v1").toString("base64url");
  const known = (await facts.findById(factId)) ?? (await bringIn(facts, verifier));
  if (known?.value !== verifier)
    throw new Error(
      "MASTER_SECRET is not the one that the stored API keys and other secrets are encrypted with. Start with the former secret, or with another DATA_DIR; in a cluster, with another CLUSTER_NAMESPACE.",
    );
}

/** Of nodes that start at the same time, the first one's is everyone's. */
async function bringIn(facts: Facts, value: string): Promise<StoredFact | null> {
  try {
    return await facts.insert({ _id: factId, value });
  } catch (error) {
    if (codeOf(error) !== "conflict") throw error;
    return await facts.findById(factId);
  }
}
