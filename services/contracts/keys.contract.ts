import { action } from "./action.ts";
import type { Caller, KeyLimits } from "./caller.ts";

/** An API key as its owner sees it. */
export interface ApiKeyRecord {
  id: string;
  name: string;
  /** The key value itself. */
  key: string;
  /** ISO 8601. */
  createdAt: string;
}

/** An API key as an administrator sees it. */
export interface AdminKeyRecord extends ApiKeyRecord {
  owner: string;
  limits: KeyLimits;
}

/** Requests of one key on one UTC day (`YYYY-MM-DD`). */
export interface UsageCount {
  keyId: string;
  day: string;
  requests: number;
}

const limit = (max: number) => ({ type: "number", integer: true, min: 1, max, optional: true });

const limitsSchema = {
  type: "object",
  strict: true,
  optional: true,
  props: {
    requestsPerMinute: limit(1_000_000),
    concurrentScrapes: limit(10_000),
    concurrentCrawls: limit(10_000),
    trackedSources: limit(10_000_000),
  },
};

const label = { type: "string", trim: true, min: 1, max: 100 };
const id = { type: "string", min: 1, max: 64 };

/** Looks a key value up; null when there is no such key. */
export const authenticate = action<{ key: string }, Caller | null>("keys.authenticate", {
  $$strict: true,
  key: { type: "string", max: 512 },
});

/** The value of the calling key, for answers that show it. */
export const revealKey = action<Record<string, never>, { key: string }>("keys.reveal", { $$strict: true });

/** Every key of the caller's owner, newest first. */
export const listMyKeys = action<
  Record<string, never>,
  { data: { apiKeys: ApiKeyRecord[]; messengerDefaultApiKeyId: string | null }; message: string }
>("keys.listMine", { $$strict: true });

/** Names the key that the messenger bot uses; null for none. 404 when the key is another owner's. */
export const setMessengerDefaultKey = action<
  { apiKeyId: string | null },
  { data: { messengerDefaultApiKeyId: string | null }; message: string }
>("keys.setMessengerDefault", { $$strict: true, apiKeyId: { ...id, nullable: true } });

/** Every key, or those of one owner, newest first. */
export const listKeys = action<{ owner?: string }, { data: AdminKeyRecord[]; message: string }>("keys.list", {
  $$strict: true,
  owner: { ...label, optional: true },
});

/** Generates a key. 403 `key_limit_reached` when the owner has as many as are allowed. */
export const createKey = action<
  { owner: string; name: string; limits?: Partial<KeyLimits> },
  { data: AdminKeyRecord; message: string }
>("keys.create", { $$strict: true, owner: label, name: label, limits: limitsSchema });

/** Renames a key or changes its limits. */
export const updateKey = action<
  { id: string; name?: string; limits?: Partial<KeyLimits> },
  { data: AdminKeyRecord; message: string }
>("keys.update", { $$strict: true, id, name: { ...label, optional: true }, limits: limitsSchema });

/** Deletes a key; it stops working everywhere within 1 s. */
export const deleteKey = action<{ id: string }, null>("keys.delete", { $$strict: true, id });

/** Adds requests to the counts of keys and days. */
export const countUsage = action<{ counts: UsageCount[] }, null>("keys.countUsage", {
  $$strict: true,
  counts: {
    type: "array",
    items: {
      type: "object",
      strict: true,
      props: { keyId: id, day: { type: "string", length: 10 }, requests: { type: "number", min: 1 } },
    },
  },
});

/** Requests per day of one key, newest day first. */
export const keyUsage = action<{ id: string; days?: number }, { data: UsageCount[]; message: string }>(
  "keys.usage",
  {
    $$strict: true,
    id,
    days: { type: "number", integer: true, min: 1, max: 366, default: 30, convert: true },
  },
);
