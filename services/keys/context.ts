import { monotonicFactory } from "ulid";
import type { EventLog } from "../../mixins/event-log/event-log.ts";
import type { LogEvent } from "../../mixins/log/log-events.ts";
import { claimIndexes, type StoredClaim } from "../../mixins/store/idempotency.ts";
import { factsCollection, type StoredFact } from "../../mixins/store/master-secret.ts";
import type { StoreOptions } from "../../mixins/store/store.mixin.ts";
import type { Store } from "../../mixins/store/store.ts";
import type { AuditAct, AuditActor } from "../contracts/audit.contract.ts";
import type { KeyLimits } from "../contracts/caller.ts";
import type { Erasure, ErasureOf } from "../contracts/erasure.contract.ts";
import type { KeyScope } from "../contracts/key-scopes.ts";
import type { UsageCount } from "../contracts/keys.contract.ts";
import type { Use } from "../domain/crawl/content-usage.ts";
import type { Quotas } from "../domain/quota/quotas.ts";
import { type KeyVault, openVault } from "./key-vault.ts";
import { Passwords } from "./passwords.ts";
import { QuotaBook, type StoredCounts } from "./quotas/quota-book.ts";
import { notifyKey } from "./quotas/quota-notices.ts";

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
  /** Without them the key may do everything. */
  scopes?: KeyScope[];
  expiresAt?: string;
  /** What the key wants content for. */
  contentUses?: Use[];
  /** It says so: an index finds the key. */
  hasUses?: true;
  /** To the minute. */
  lastUsedAt?: string;
  quotas?: Quotas;
  /** Any of them is set: an index finds the key. */
  hasQuotas?: true;
  createdAt: string;
  /** Owner and name as lists compare them. */
  ownerFolded: string;
  nameFolded: string;
}

/** `_id` is the owner. */
export interface StoredOwner {
  _id: string;
  /** The name as lists compare it. */
  folded: string;
  messengerDefaultApiKeyId?: string | null;
  /** Its hash; an owner without one cannot sign in. */
  password?: string;
  /** Counts the passwords. A session holds that of its own. */
  generation?: number;
  /** Hash of the one-time link that sets the password. */
  linkHash?: string;
  linkExpiresAt?: string;
}

/** A session that somebody signed out of. `_id` is its name. */
export interface StoredEnd {
  _id: string;
  /** When it would have ended. */
  expiresAt: string;
}

/**
 * An erasure is a row of steps, each of which may be repeated: a first round counts, a second one erases, and a third one
 * looks whether anything is left, which work that was under way may have written since. Then the name goes from the document. Its document says which step is
 * next, so another process goes on where one was killed.
 */
export interface StoredErasure {
  _id: string;
  subject: Erasure["subject"];
  /** Until the end: nothing of the person stays here. */
  keyIds?: string[];
  owner?: string;
  source?: NonNullable<ErasureOf["source"]>;
  /** Ids that the source has or had. */
  sourceIds?: string[];
  isDryRun: boolean;
  state: Erasure["state"];
  round: "count" | "erase" | "check" | "clean";
  step: number;
  /** Where the step goes on. */
  cursor?: string;
  found: { kind: string; count: number }[];
  /** What the last look has found to be left. */
  left: number;
  looks: number;
  /** The process that works on it, until a time (Unix milliseconds). */
  by?: string;
  until: number;
  createdAt: string;
  endedAt?: string;
}

export const erasuresCollection = "erasures";

/** An act of the audit log. `_id` is the id of its event: `evt_` and a ULID. */
export interface StoredAct extends Pick<AuditActor, "role"> {
  _id: string;
  /** `audit.` and the operation. */
  type: string;
  timestamp: string;
  owner?: string;
  keyId?: string;
  /** The owner, or the id, that the path or the answer names. */
  about?: string;
  act: Omit<AuditAct, "actor" | "operation"> & Pick<AuditActor, "signed_in">;
}

export const ownersCollection = "key_owners";

const actsCollection = "audit_acts";

const endsCollection = "key_ended_sessions";

const claimsCollection = "key_claims";

const countsCollection = "key_quota_counts";

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
    { fields: ["hasQuotas", "_id"], sparse: true },
    { fields: ["hasUses", "_id"], sparse: true },
  ],
  extraCollections: {
    key_usage: [
      { fields: ["keyId", "day"], unique: true },
      // It holds all that the usage of all keys needs.
      { fields: ["day", "keyId", "requests"] },
    ],
    [ownersCollection]: [{ fields: ["folded", "_id"] }, { fields: ["linkHash"], unique: true, sparse: true }],
    [factsCollection]: [],
    [claimsCollection]: claimIndexes,
    [endsCollection]: [{ fields: ["expiresAt"] }],
    [countsCollection]: [],
    [erasuresCollection]: [{ fields: ["state", "_id"] }],
    [actsCollection]: [
      { fields: ["type", "_id"] },
      { fields: ["role", "_id"] },
      { fields: ["owner", "_id"], sparse: true },
      { fields: ["keyId", "_id"], sparse: true },
      { fields: ["about", "_id"], sparse: true },
    ],
  },
};

/** What the operations of this service work with. */
export interface KeysContext {
  keys: Store<StoredKey>;
  usage: Store<StoredUsage>;
  owners: Store<StoredOwner>;
  facts: Store<StoredFact>;
  endedSessions: Store<StoredEnd>;
  erasures: Store<StoredErasure>;
  acts: Store<StoredAct>;
  claims: Store<StoredClaim>;
  /** What keys have used of their quotas. */
  quotas: QuotaBook;
  log: EventLog;
  vault: KeyVault;
  passwords: Passwords;
  keysPerOwner: number;
  /** Milliseconds since the epoch. */
  now(): number;
  /** A ULID, greater than every earlier one of this process. */
  newId(now: number): string;
}

interface Parts {
  keys: Store<StoredKey>;
  log: EventLog;
  masterSecret: string;
  keysPerOwner: number;
  /** Milliseconds since the epoch. */
  now(): number;
  onError(event: LogEvent, error: unknown): void;
}

export function openContext({ keys, log, masterSecret, keysPerOwner, now, onError }: Parts): KeysContext {
  return {
    keys,
    log,
    quotas: new QuotaBook({
      counts: keys.collection<StoredCounts>(countsCollection),
      quotasOf: async id => (await keys.findById(id))?.quotas ?? null,
      notify: (keyId, notices) => notifyKey(log, keyId, notices, now()),
      now,
      onError: (_keyId, error) => onError("quota_notice.failed", error),
    }),
    usage: keys.collection("key_usage"),
    owners: keys.collection(ownersCollection),
    facts: keys.collection(factsCollection),
    endedSessions: keys.collection(endsCollection),
    erasures: keys.collection(erasuresCollection),
    acts: keys.collection(actsCollection),
    claims: keys.collection(claimsCollection),
    vault: openVault(masterSecret),
    passwords: new Passwords(),
    keysPerOwner,
    now,
    newId: monotonicFactory(),
  };
}
