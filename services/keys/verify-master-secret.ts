import type { KeyRoom } from "./room.ts";

/** Refuses to start on data that another master secret has sealed: every key would be unknown, and new ones lost later. */
export async function verifyMasterSecret({ facts, vault }: KeyRoom): Promise<void> {
  const known = await facts.findById("master-secret");
  if (!known) await facts.insert({ _id: "master-secret", value: vault.verifier });
  else if (known.value !== vault.verifier)
    throw new Error(
      "MASTER_SECRET is not the one that the stored API keys are encrypted with. Start with the former secret, or with another DATA_DIR.",
    );
}
