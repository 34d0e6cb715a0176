import { codeOf } from "../../services/contracts/errors.ts";
import { subKey } from "../../services/domain/key/seal.ts";
import type { Store } from "./store.ts";

/** Facts about the installation: `master-secret` and `bootstrap`. */
export interface StoredFact {
  _id: string;
  value: string;
}

export const factsCollection = "key_facts";

type Facts = Pick<Store<StoredFact>, "findById" | "insert">;

const factId = "master-secret";

/**
 * Throws for data that another master secret has encrypted: this process could not read it, and the other one could not
 * read what this process adds.
 */
export async function verifyMasterSecret(facts: Facts, masterSecret: string): Promise<void> {
  // Differs for each secret, and reveals nothing else about it.
  const verifier = subKey(masterSecret, "keys/verifier/v1").toString("base64url");
  const known = (await facts.findById(factId)) ?? (await insertVerifier(facts, verifier));
  if (known?.value !== verifier)
    throw new Error(
      "MASTER_SECRET is not the one that the stored API keys and other secrets are encrypted with. Start with the former secret, or with another DATA_DIR; in a cluster, with another CLUSTER_NAMESPACE.",
    );
}

/** Nodes that start at the same time all use the verifier of the first. */
async function insertVerifier(facts: Facts, value: string): Promise<StoredFact | null> {
  try {
    return await facts.insert({ _id: factId, value });
  } catch (error) {
    if (codeOf(error) !== "conflict") throw error;
    return await facts.findById(factId);
  }
}
