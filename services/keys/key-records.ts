import { type Caller, defaultLimits, type KeyLimits } from "../contracts/caller.ts";
import type { AdminKeyRecord, ApiKeyRecord } from "../contracts/keys.contract.ts";
import { allQuotas } from "../domain/quota/quotas.ts";
import type { KeysContext, StoredKey } from "./context.ts";

/** The key with its value. */
export function ownerRecord({ vault }: KeysContext, key: StoredKey): ApiKeyRecord {
  return {
    id: key._id,
    name: key.name,
    key: vault.unseal(key.sealed, key.owner, key._id),
    createdAt: key.createdAt,
    scopes: key.scopes ?? null,
    expires_at: key.expiresAt ?? null,
    content_uses: key.contentUses ?? null,
    last_used_at: key.lastUsedAt ?? null,
  };
}

/** The key as its owner and administrators see it in lists. */
export function maskedRecord(context: KeysContext, key: StoredKey): AdminKeyRecord {
  return withMaskedKey(adminRecord(context, key));
}

export function withMaskedKey<Of extends ApiKeyRecord>(record: Of): Of {
  return { ...record, key: masked(record.key) };
}

/** What is left of a key's value after it was shown: its form and its last four characters. */
export function masked(value: string): string {
  return `${value.startsWith("mk_") ? "mk_" : ""}…${value.slice(-4)}`;
}

/** The record for administrators, in the one answer that shows the value. */
export function adminRecord(context: KeysContext, key: StoredKey): AdminKeyRecord {
  return {
    ...ownerRecord(context, key),
    owner: key.owner,
    limits: limitsOf(key),
    quotas: allQuotas(key.quotas),
  };
}

/** Frozen, since all requests of a key share it. */
export function callerOf(key: StoredKey): Caller {
  const { _id: keyId, owner, scopes, expiresAt, contentUses } = key;
  const bounds = {
    ...(scopes && { scopes }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(contentUses && { contentUses }),
  };
  return Object.freeze({ keyId, owner, limits: Object.freeze(limitsOf(key)), ...bounds });
}

function limitsOf(key: StoredKey): KeyLimits {
  return { ...defaultLimits, ...key.limits };
}
