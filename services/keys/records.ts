import { type Caller, defaultLimits, type KeyLimits } from "../contracts/caller.ts";
import type { AdminKeyRecord, ApiKeyRecord } from "../contracts/keys.contract.ts";
import type { KeyRoom, StoredKey } from "./room.ts";

/** The key as its owner sees it. */
export function ownerRecord({ vault }: KeyRoom, key: StoredKey): ApiKeyRecord {
  return {
    id: key._id,
    name: key.name,
    key: vault.unseal(key.sealed, key.owner, key._id),
    createdAt: key.createdAt,
  };
}

/** The key as an administrator sees it. */
export function adminRecord(room: KeyRoom, key: StoredKey): AdminKeyRecord {
  return { ...ownerRecord(room, key), owner: key.owner, limits: limitsOf(key) };
}

/** Frozen, since all requests of a key share it. */
export function callerOf(key: StoredKey): Caller {
  return Object.freeze({ keyId: key._id, owner: key.owner, limits: Object.freeze(limitsOf(key)) });
}

function limitsOf(key: StoredKey): KeyLimits {
  return { ...defaultLimits, ...key.limits };
}
