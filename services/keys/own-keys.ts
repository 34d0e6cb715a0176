import { fail } from "../contracts/errors.ts";
import type { AboutMe, AdminKeyRecord, UsageAndQuotas } from "../contracts/keys.contract.ts";
import { createKey, deleteKey, type KeyBounds, updateKey } from "./api-keys.ts";
import type { KeysContext, StoredKey } from "./context.ts";
import { masked, maskedRecord } from "./key-records.ts";
import { dayOf, keyUsage } from "./usage.ts";

type Answer<Data> = Promise<{ data: Data; message: string }>;

/** A key of this owner. Another's is not found, as one that never was. */
async function ownKey({ keys }: KeysContext, owner: string, id: string): Promise<StoredKey> {
  const key = await keys.findById(id);
  if (key?.owner !== owner) throw fail("not_found", "You have no API key with this id.");
  return key;
}

/** Generates a key. It has the default limits: only the administrator gives others. */
export function createOwnKey(
  context: KeysContext,
  owner: string,
  { name, scopes, expires_at, content_uses }: KeyBounds & { name: string },
  idempotencyKey: string | undefined,
): Answer<AdminKeyRecord> {
  return createKey(context, { owner, name, scopes, expires_at, content_uses }, { of: owner, idempotencyKey });
}

/** Renames a key, or changes what bounds it. Limits and quotas are the administrator's. */
export async function renameOwnKey(
  context: KeysContext,
  owner: string,
  { id, name, scopes, expires_at, content_uses }: KeyBounds & { id: string; name?: string },
): Answer<AdminKeyRecord> {
  await ownKey(context, owner, id);
  return await updateKey(context, { id, name, scopes, expires_at, content_uses });
}

export async function deleteOwnKey(context: KeysContext, owner: string, id: string): Promise<null> {
  await ownKey(context, owner, id);
  return await deleteKey(context, id);
}

export async function ownKeyUsage(
  context: KeysContext,
  owner: string,
  { id, days }: { id: string; days: number },
  now: number,
): Promise<UsageAndQuotas> {
  await ownKey(context, owner, id);
  return await keyUsage(context, id, days, now);
}

/** The calling key as it may see itself. */
export async function aboutMe(context: KeysContext, keyId: string, now: number): Promise<AboutMe> {
  const key = await context.keys.findById(keyId);
  if (!key) throw fail("unauthorized", "This API key was deleted.");
  const today = await context.usage.findById(`${keyId}:${dayOf(now)}`);
  const { owner, limits, quotas, ...own } = maskedRecord(context, key);
  const requests_today = today?.requests ?? 0;
  return { data: { key: own, owner, limits, quotas, requests_today }, message: "This is you." };
}

/** The value of one key; masked for somebody who acts as it without having it. */
export async function revealKey(
  { keys, vault }: KeysContext,
  id: string,
  isActing: boolean,
): Promise<{ key: string }> {
  const key = await keys.findById(id);
  if (!key) throw fail("not_found", "There is no API key with this id.");
  const value = vault.unseal(key.sealed, key.owner, key._id);
  return { key: isActing ? masked(value) : value };
}
