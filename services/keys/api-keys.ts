import { randomBytes } from "node:crypto";
import { makeOnce } from "../../mixins/store/idempotency.ts";
import type { Caller, KeyLimits } from "../contracts/caller.ts";
import { codeOf, fail, invalid } from "../contracts/errors.ts";
import type { KeyScope } from "../contracts/key-scopes.ts";
import type { AdminKeyRecord, ApiKeyRecord } from "../contracts/keys.contract.ts";
import type { Use } from "../domain/crawl/content-usage.ts";
import { generateKey } from "../domain/key/generate-key.ts";
import { hasQuota, type Quotas, quotaPeriods } from "../domain/quota/quotas.ts";
import type { KeysContext, StoredKey } from "./context.ts";
import { adminRecord, callerOf, maskedRecord, ownerRecord, withMaskedKey } from "./key-records.ts";
import { folded } from "./name-pages.ts";
import { ensureOwner } from "./owners.ts";

/**
 * The caller that a key value belongs to; null for an unknown value. It reads the store each time, since another node may
 * have changed or deleted the key. Gateways cache the answer for less than a second.
 */
export async function authenticate({ keys, vault }: KeysContext, value: string): Promise<Caller | null> {
  const key = await keys.findOne({ lookup: vault.lookup(value) });
  return key && callerOf(key);
}

interface MyKeys {
  data: { apiKeys: ApiKeyRecord[]; messengerDefaultApiKeyId: string | null };
  message: string;
}

/**
 * The owner's keys, newest first, and the id of the key that the messenger bot uses. The values are masked for a session
 * that only acts as a key.
 */
export async function listMyKeys(context: KeysContext, owner: string, isActing: boolean): Promise<MyKeys> {
  const keys = await context.keys.find({ query: { owner }, sort: ["-_id"] });
  const chosen = (await context.owners.findById(owner))?.messengerDefaultApiKeyId;
  // The choice may name a deleted key. Ids are never reused, so nothing has to clear it.
  const isChosenKept = keys.some(key => key._id === chosen);
  return {
    data: {
      apiKeys: keys.map(key =>
        isActing ? withMaskedKey(ownerRecord(context, key)) : ownerRecord(context, key),
      ),
      messengerDefaultApiKeyId: isChosenKept ? (chosen ?? null) : null,
    },
    message: "API keys listed.",
  };
}

interface Choice {
  data: { messengerDefaultApiKeyId: string | null };
  message: string;
}

/** Names the key of this owner that the messenger bot uses; null for none. */
export async function setMessengerDefault(
  { keys, owners }: KeysContext,
  owner: string,
  apiKeyId: string | null,
): Promise<Choice> {
  if (apiKeyId !== null && (await keys.findById(apiKeyId))?.owner !== owner)
    throw fail("not_found", "You have no API key with this id.");
  await owners.upsert(owner, { $set: { messengerDefaultApiKeyId: apiKeyId } });
  const message = apiKeyId === null ? "The messenger bot uses no key." : "The messenger bot uses this key.";
  return { data: { messengerDefaultApiKeyId: apiKeyId }, message };
}

/** Who asks for a key, and the request's `Idempotency-Key`. */
export interface KeyRequest {
  /** Empty for the administrator. */
  of?: string;
  idempotencyKey?: string | undefined;
}

/**
 * Generates a key. Throws `key_limit_reached` when the owner has as many as allowed. A repeated request gets the key as it
 * is now, with its value: the answer to the first one may be lost.
 */
export async function createKey(
  context: KeysContext,
  wanted: Omit<NewKey, "value">,
  { of = "", idempotencyKey }: KeyRequest = {},
): Promise<{ data: AdminKeyRecord; message: string }> {
  const request = { keyId: of, operation: "key", key: idempotencyKey, body: wanted };
  const making = {
    newId: () => context.newId(Date.now()),
    find: (id: string) => context.keys.findById(id),
    make: (id: string) => generate(context, { ...wanted, id }),
  };
  const key = await makeOnce(context.claims, request, making, Date.now());
  return { data: adminRecord(context, key), message: "API key generated." };
}

async function generate(
  context: KeysContext,
  wanted: Omit<NewKey, "value"> & { id: string },
): Promise<StoredKey> {
  const value = generateKey(randomBytes);
  const key = await insertKey(context, { ...wanted, value }, context.keysPerOwner);
  if (key) return key;
  const message = `This owner has ${context.keysPerOwner} API keys, which is as many as allowed. Delete one first.`;
  throw fail("key_limit_reached", message);
}

/** What bounds a key; null for nothing. */
export interface KeyBounds {
  scopes?: KeyScope[] | null;
  expires_at?: string | null;
  content_uses?: Use[] | null;
}

interface NewKey extends KeyBounds {
  /** A new one unless told. */
  id?: string;
  owner: string;
  name: string;
  value: string;
  limits?: Partial<KeyLimits>;
  quotas?: Quotas;
}

/** Each further try means that another call took the slot first. So many in a row are a defect, not a race. */
const maxTries = 100;

/**
 * Stores a key in the owner's lowest free slot, or finds the one with its id; null when `max` slots are taken. When several
 * calls want the same slot, the unique index accepts one and the others try again. Rejects with `conflict` when the value
 * exists.
 */
export async function insertKey(
  context: KeysContext,
  wanted: NewKey,
  max: number,
): Promise<StoredKey | null> {
  await ensureOwner(context, wanted.owner);
  const newKey = { ...wanted, id: wanted.id ?? context.newId(Date.now()) };
  for (let tries = 1; ; tries += 1) {
    const known = wanted.id === undefined ? null : await context.keys.findById(wanted.id);
    if (known) return known;
    const slot = await freeSlot(context, wanted.owner, max);
    if (slot === null) return null;
    const key = storedKey(context, newKey, slot);
    try {
      return await context.keys.insert(key);
    } catch (error) {
      const slotWasTaken =
        codeOf(error) === "conflict" && !(await context.keys.findOne({ lookup: key.lookup }));
      if (!slotWasTaken || tries === maxTries) throw error;
    }
  }
}

async function freeSlot({ keys }: KeysContext, owner: string, max: number): Promise<number | null> {
  const taken = new Set((await keys.find({ query: { owner } })).map(key => key.slot));
  if (taken.size >= max) return null;
  let slot = 0;
  while (taken.has(slot)) slot += 1;
  return slot;
}

function storedKey(
  { vault, now: clock }: KeysContext,
  { id: _id, owner, name, value, limits, quotas, scopes, expires_at, content_uses }: NewKey & { id: string },
  slot: number,
): StoredKey {
  return {
    _id,
    owner,
    name,
    slot,
    lookup: vault.lookup(value),
    sealed: vault.seal(value, owner, _id),
    limits: limits ?? {},
    ...(quotas && quotasAfter({}, quotas)),
    ...boundsAfter({}, { scopes, expires_at, content_uses }, clock()),
    createdAt: new Date().toISOString(),
    ownerFolded: folded(owner),
    nameFolded: folded(name),
  };
}

/** What may change of a key. */
interface KeyChange extends KeyBounds {
  name?: string;
  limits?: Partial<KeyLimits>;
  quotas?: Quotas;
}

/** Changes what is given of a key; the rest stays. */
export async function updateKey(
  context: KeysContext,
  { id, ...change }: KeyChange & { id: string },
): Promise<{ data: AdminKeyRecord; message: string }> {
  const key = await context.keys.change(id, known =>
    known ? changed(known, change, context.now()) : undefined,
  );
  if (!key) throw fail("not_found", "There is no API key with this id.");
  return { data: maskedRecord(context, key), message: "API key updated." };
}

/** Works on the key as it is, so that two changes at a time to different limits both hold. */
function changed(key: StoredKey, { name, limits, quotas, ...bounds }: KeyChange, now: number): StoredKey {
  const { hasQuotas: _, scopes: __, expiresAt: ___, contentUses: ____, hasUses: _____, ...known } = key;
  return {
    ...known,
    ...(name !== undefined && { name, nameFolded: folded(name) }),
    limits: { ...key.limits, ...limits },
    ...boundsAfter(key, bounds, now),
    ...(quotas ? quotasAfter(key.quotas ?? {}, quotas) : key.hasQuotas && { hasQuotas: true as const }),
  };
}

type StoredBounds = Pick<StoredKey, "scopes" | "expiresAt" | "contentUses" | "hasUses">;

/** A bound that is left out stays, and one that is null ends. */
function boundsAfter(
  before: StoredBounds,
  { scopes, expires_at, content_uses }: KeyBounds,
  now: number,
): StoredBounds {
  const allowed = scopes === undefined ? before.scopes : scopes;
  const contentUses = content_uses === undefined ? before.contentUses : content_uses;
  const end = expires_at === undefined ? before.expiresAt : expires_at && futureTime(expires_at, now);
  return {
    ...(allowed && { scopes: allowed }),
    ...(end && { expiresAt: end }),
    ...(contentUses && { contentUses, hasUses: true as const }),
  };
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;

function futureTime(text: string, now: number): string {
  const time = rfc3339.test(text) ? Date.parse(text.toUpperCase()) : Number.NaN;
  if (Number.isNaN(time))
    throw invalid(
      "expires_at",
      "invalid_time",
      "`expires_at` must be an RFC 3339 time, such as 2030-01-31T00:00:00Z.",
    );
  if (time <= now)
    throw invalid("expires_at", "invalid_time", "`expires_at` must be in the future; null is never.");
  return new Date(time).toISOString();
}

/** The keys that say what they want content for, with what they say. */
export async function keysWithUses({
  keys,
}: Pick<KeysContext, "keys">): Promise<{ keys: { id: string; uses: Use[] }[] }> {
  const found = await keys.find({ query: { hasUses: true } });
  return { keys: found.map(({ _id: id, contentUses: uses = [] }) => ({ id, uses })) };
}

/** A quota that is null ends. */
function quotasAfter(before: Quotas, change: Quotas): Pick<StoredKey, "quotas" | "hasQuotas"> {
  const quotas = Object.fromEntries(
    quotaPeriods.map(period => [period, { ...before[period], ...change[period] }]),
  );
  return { quotas, ...(hasQuota(quotas) && { hasQuotas: true as const }) };
}

/** Deletes a key and its counts. */
export async function deleteKey(
  { keys, usage, quotas }: Pick<KeysContext, "keys" | "usage" | "quotas">,
  id: string,
): Promise<null> {
  if (!(await keys.remove(id))) throw fail("not_found", "There is no API key with this id.");
  await usage.removeMany({ keyId: id });
  await quotas.drop(id);
  return null;
}

/** Tells which of the given ids belong to a key. */
export async function existingKeys({ keys }: KeysContext, ids: string[]): Promise<{ ids: string[] }> {
  const found = await keys.find({ query: { _id: { $in: ids } } });
  return { ids: found.map(key => key._id) };
}
