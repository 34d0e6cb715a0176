import { fail } from "../../../services/contracts/errors.ts";
import type { StoredFact } from "../../../services/keys/room.ts";
import { openVault } from "../../../services/keys/vault.ts";
import { verifyMasterSecret } from "../../../services/keys/verify-master-secret.ts";

const [vault, other] = [openVault("a master secret of the tests"), openVault("another one of the tests")];

/** Facts into which another node writes between the first look and the insertion. */
function factsWith(meanwhile: string) {
  let kept: StoredFact | null = null;
  return {
    findById: async () => kept,
    insert: async () => {
      kept = { _id: "master-secret", value: meanwhile };
      throw fail("conflict", "It is there.");
    },
  };
}

test("of nodes that start at the same time all go on that have the same secret, and no others", async () => {
  const same = { facts: factsWith(vault.verifier), vault };
  await verifyMasterSecret(same as never);
  const wrong = { facts: factsWith(other.verifier), vault };
  await expect(verifyMasterSecret(wrong as never)).rejects.toThrow("MASTER_SECRET is not the one");
});
