import { createHmac, randomBytes } from "node:crypto";
import { seal, unseal } from "../domain/key/seal.ts";
import { sealingKey, subKey } from "../domain/key/sub-key.ts";

/** All that is done with the master secret: nothing outside holds a key that was made from it. */
export interface Vault {
  /** What a key value is found by: the same for the same value, and useless without the secret. */
  lookup(value: string): string;
  seal(value: string, owner: string, id: string): string;
  unseal(sealed: string, owner: string, id: string): string;
}

export function openVault(masterSecret: string): Vault {
  const lookupKey = subKey(masterSecret, "keys/lookup/v1");
  const valueKey = sealingKey(masterSecret, "keys/value/v1");
  return {
    lookup: value => createHmac("sha256", lookupKey).update(value).digest("base64url"),
    seal: (value, owner, id) => seal(valueKey, value, [owner, id], randomBytes(12)),
    unseal: (sealed, owner, id) => unseal(valueKey, sealed, [owner, id]),
  };
}
