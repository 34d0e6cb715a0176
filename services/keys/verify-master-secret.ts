import { codeOf } from "../contracts/errors.ts";
import type { KeyRoom, StoredFact } from "./room.ts";

/** Refuses to start on data that another master secret has sealed: every key would be unknown, and new ones lost later. */
export async function verifyMasterSecret(room: Pick<KeyRoom, "facts" | "vault">): Promise<void> {
  const known = (await room.facts.findById(factId)) ?? (await bringIn(room));
  if (known?.value !== room.vault.verifier)
    throw new Error(
      "MASTER_SECRET is not the one that the stored API keys are encrypted with. Start with the former secret, or with another DATA_DIR; in a cluster, with another CLUSTER_NAMESPACE.",
    );
}

const factId = "master-secret";

/** Of nodes that start at the same time, the first one's is everyone's. */
async function bringIn({ facts, vault }: Pick<KeyRoom, "facts" | "vault">): Promise<StoredFact | null> {
  try {
    return await facts.insert({ _id: factId, value: vault.verifier });
  } catch (error) {
    if (codeOf(error) !== "conflict") throw error;
    return await facts.findById(factId);
  }
}
