import { action, repeatable } from "./action.ts";
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

const limit = (max: number, description: string) => ({
  type: "number",
  integer: true,
  min: 1,
  max,
  optional: true,
  description,
});

const limitsSchema = {
  type: "object",
  strict: true,
  optional: true,
  description: "Bounds of this key; what is left out stays as it is, at first the default.",
  props: {
    requestsPerMinute: limit(1_000_000, "Requests in any window of 60 s; 600 unless told."),
    concurrentScrapes: limit(10_000, "Scrapes at a time; 10 unless told."),
    concurrentCrawls: limit(10_000, "Crawls at a time; 2 unless told."),
    trackedSources: limit(10_000_000, "Sources that the key may track; 1000 unless told."),
  },
};

const label = (description: string) => ({ type: "string", trim: true, min: 1, max: 100, description });
const owner = label("Whose key it is: a name of your choice.");
const name = label("What to tell the key from others by.");
const id = { type: "string", min: 1, max: 64, description: "`id` of a key." };

/** Looks a key value up; null when there is no such key. */
export const authenticate = repeatable<{ key: string }, Caller | null>("keys.authenticate", {
  $$strict: true,
  key: { type: "string", max: 512 },
});

/** The value of the calling key, for answers that show it. */
export const revealKey = repeatable<Record<string, never>, { key: string }>("keys.reveal", {
  $$strict: true,
});

/** Every key of the caller's owner, newest first. */
export const listMyKeys = repeatable<
  Record<string, never>,
  { data: { apiKeys: ApiKeyRecord[]; messengerDefaultApiKeyId: string | null }; message: string }
>("keys.listMine", { $$strict: true });

/** Names the key that the messenger bot uses; null for none. 404 when the key is another owner's. */
export const setMessengerDefaultKey = repeatable<
  { apiKeyId: string | null },
  { data: { messengerDefaultApiKeyId: string | null }; message: string }
>("keys.setMessengerDefault", {
  $$strict: true,
  apiKeyId: { ...id, nullable: true, description: "`id` of one of your keys; null for none." },
});

/** Every key, or those of one owner, newest first. */
export const listKeys = repeatable<{ owner?: string }, { data: AdminKeyRecord[]; message: string }>(
  "keys.list",
  {
    $$strict: true,
    owner: { ...owner, optional: true, description: "Only keys of this owner." },
  },
);

/** Generates a key. 403 `key_limit_reached` when the owner has as many as are allowed. */
export const createKey = action<
  { owner: string; name: string; limits?: Partial<KeyLimits> },
  { data: AdminKeyRecord; message: string }
>("keys.create", { $$strict: true, owner, name, limits: limitsSchema });

/** Renames a key or changes its limits. */
export const updateKey = repeatable<
  { id: string; name?: string; limits?: Partial<KeyLimits> },
  { data: AdminKeyRecord; message: string }
>("keys.update", { $$strict: true, id, name: { ...name, optional: true }, limits: limitsSchema });

/** Deletes a key; it stops working everywhere within 1 s. */
export const deleteKey = action<{ id: string }, null>("keys.delete", { $$strict: true, id });

/**
 * Those of some keys that exist, for rooms that hold something of theirs: a broadcast deletion may be lost, so they ask
 * from time to time, a page at a time. A key whose identity does not come back is gone for good.
 */
export const existingKeys = repeatable<{ ids: string[] }, { ids: string[] }>("keys.existing", {
  $$strict: true,
  ids: { type: "array", max: 500, items: id },
});

/** Adds requests to the counts of keys and days. */
export const countUsage = action<{ counts: UsageCount[] }, null>("keys.countUsage", {
  $$strict: true,
  counts: {
    type: "array",
    max: 1000,
    items: {
      type: "object",
      strict: true,
      props: { keyId: id, day: { type: "string", length: 10 }, requests: { type: "number", min: 1 } },
    },
  },
});

/** Requests per day of one key, newest day first. */
export const keyUsage = repeatable<{ id: string; days?: number }, { data: UsageCount[]; message: string }>(
  "keys.usage",
  {
    $$strict: true,
    id,
    days: {
      type: "number",
      integer: true,
      min: 1,
      max: 366,
      default: 30,
      convert: true,
      description: "Days to look back, today included.",
    },
  },
);
