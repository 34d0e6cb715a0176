import { monotonicFactory } from "ulid";
import { factsCollection, type StoredFact } from "../../mixins/store/master-secret.ts";
import type { StoreOptions } from "../../mixins/store/store.mixin.ts";
import type { Store } from "../../mixins/store/store.ts";
import type { KeyLimits } from "../contracts/caller.ts";
import type { UsageCount } from "../contracts/keys.contract.ts";
import { type KeyVault, openVault } from "./key-vault.ts";
import { Passwords } from "./passwords.ts";

/** An API key at rest. `_id` is a ULID, so ids sort by time of creation. */
export interface StoredKey {
  _id: string;
  owner: string;
  name: string;
  /** HMAC of the value. */
  lookup: string;
  /** The value, encrypted; bound to owner and `_id`. */
  sealed: string;
  /** The owner's slot that the key occupies. (owner, slot) is unique, which makes the limit per owner exact. */
  slot: number;
  /** The limits that differ from the defaults. */
  limits: Partial<KeyLimits>;
  createdAt: string;
  /** Owner and name as lists compare them. Keys of earlier versions have them after the next start. */
  ownerFolded?: string;
  nameFolded?: string;
}

/** `_id` is the owner. */
export interface StoredOwner {
  _id: string;
  /** The name as lists compare it. */
  folded?: string;
  messengerDefaultApiKeyId?: string | null;
  /** Its hash; an owner without one cannot sign in. */
  password?: string;
  /** Counts the passwords. A session holds that of its own. */
  generation?: number;
  /** Of the one-time link that sets the password. */
  linkHash?: string;
  linkExpiresAt?: string;
}

export const ownersCollection = "key_owners";

/** Counts of one key and day; `_id` is `<keyId>:<day>`. */
export interface StoredUsage extends UsageCount {
  _id: string;
}

export const storeOptions: StoreOptions = {
  collection: "api_keys",
  indexes: [
    { fields: ["lookup"], unique: true },
    { fields: ["owner", "slot"], unique: true },
    { fields: ["owner", "_id"] },
    { fields: ["ownerFolded", "_id"] },
    { fields: ["nameFolded", "_id"] },
  ],
  extraCollections: {
    key_usage: [
      { fields: ["keyId", "day"], unique: true },
      // It holds all that the usage of all keys needs.
      { fields: ["day", "keyId", "requests"] },
    ],
    [ownersCollection]: [{ fields: ["folded", "_id"] }, { fields: ["linkHash"], unique: true, sparse: true }],
    [factsCollection]: [],
  },
};

/** What the operations of this service work with. */
export interface KeysContext {
  keys: Store<StoredKey>;
  usage: Store<StoredUsage>;
  owners: Store<StoredOwner>;
  facts: Store<StoredFact>;
  vault: KeyVault;
  passwords: Passwords;
  keysPerOwner: number;
  /** A ULID, greater than every earlier one of this process. */
  newId(now: number): string;
}

export function openContext(keys: Store<StoredKey>, masterSecret: string, keysPerOwner: number): KeysContext {
  return {
    keys,
    usage: keys.collection("key_usage"),
    owners: keys.collection(ownersCollection),
    facts: keys.collection(factsCollection),
    vault: openVault(masterSecret),
    passwords: new Passwords(),
    keysPerOwner,
    newId: monotonicFactory(),
  };
}
