import { monotonicFactory } from "ulid";
import { factsCollection, type StoredFact } from "../../mixins/keys/verify-master-secret.ts";
import type { StoreOptions } from "../../mixins/store/store.mixin.ts";
import type { Store } from "../../mixins/store/store.ts";
import type { KeyLimits } from "../contracts/caller.ts";
import type { UsageCount } from "../contracts/keys.contract.ts";
import { openVault, type Vault } from "./vault.ts";

/** An API key at rest. `_id` is a ULID, so that the order of identities is the order of creation. */
export interface StoredKey {
  _id: string;
  owner: string;
  name: string;
  /** HMAC of the value. */
  lookup: string;
  /** The value, encrypted; bound to owner and `_id`. */
  sealed: string;
  /** Which of the owner's places it takes; (owner, slot) is unique, so that the bound per owner is exact. */
  slot: number;
  /** What differs from the default limits. */
  limits: Partial<KeyLimits>;
  createdAt: string;
}

/** `_id` is the owner. */
export interface StoredOwner {
  _id: string;
  messengerDefaultApiKeyId: string | null;
}

/** Counts of one key and day; `_id` is `<keyId>:<day>`. */
export interface StoredUsage extends UsageCount {
  _id: string;
}

export const storeOptions: StoreOptions = {
  collection: "api_keys",
  indexes: [
    { fields: ["lookup"], unique: true },
    { fields: ["owner", "slot"], unique: true },
  ],
  extraCollections: {
    key_usage: [{ fields: ["keyId", "day"], unique: true }],
    key_owners: [],
    [factsCollection]: [],
  },
};

/** What the operations of this room work with. */
export interface KeyRoom {
  keys: Store<StoredKey>;
  usage: Store<StoredUsage>;
  owners: Store<StoredOwner>;
  facts: Store<StoredFact>;
  vault: Vault;
  keysPerOwner: number;
  /** A ULID that is greater than all before it in this process. */
  newId(now: number): string;
}

export function openRoom(keys: Store<StoredKey>, masterSecret: string, keysPerOwner: number): KeyRoom {
  return {
    keys,
    usage: keys.collection("key_usage"),
    owners: keys.collection("key_owners"),
    facts: keys.collection(factsCollection),
    vault: openVault(masterSecret),
    keysPerOwner,
    newId: monotonicFactory(),
  };
}
