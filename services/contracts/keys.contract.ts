import { action, type ResultOf, repeatable } from "./action.ts";
import { keyLimits, knownCaller } from "./caller.ts";
import { contentUses } from "./content-uses.ts";
import { type KeyScope, keyScopes, scopeMeanings } from "./key-scopes.ts";
import { pageOfNames, pageWith } from "./paging.ts";
import { keyQuotas, quotaLeft, quotaOptions } from "./quotas.contract.ts";
import {
  type Infer,
  list,
  named,
  nothing,
  nullableText,
  object,
  rule,
  text,
  time,
  withMessage,
} from "./schema.ts";

const scope = { type: "enum", values: keyScopes } as const;
const nullableTime = { ...time, nullable: true } as const;

const keyFields = {
  id: text,
  name: text,
  key: { ...text, description: "The key value." },
  createdAt: time,
  scopes: {
    ...list(scope),
    nullable: true,
    description: "What the key may do; null for everything.",
  },
  expires_at: { ...nullableTime, description: "When the key ends; null for never." },
  content_uses: {
    ...contentUses,
    nullable: true,
    description: "What the key wants content for; null where it does not say.",
  },
  last_used_at: {
    ...nullableTime,
    description: "The minute of the latest request with the key; null before the first one.",
  },
} as const;

/** An API key as its owner sees it. */
const apiKey = named("ApiKey", keyFields);
export type ApiKeyRecord = Infer<typeof apiKey>;

/** An API key as an administrator sees it. */
export const adminKey = named("ApiKeyDetails", {
  ...keyFields,
  key: {
    ...text,
    description: "The value, once, in the answer that generated it; after that its last four characters.",
  },
  owner: text,
  limits: keyLimits,
  quotas: keyQuotas,
});
export type AdminKeyRecord = Infer<typeof adminKey>;

const bound = (max: number, description: string) =>
  ({ type: "number", integer: true, min: 1, max, optional: true, description }) as const;

const limits = rule({
  type: "object",
  name: "KeyLimitOptions",
  strict: true,
  optional: true,
  description: "Limits of this key. A limit that is left out does not change; a new key has the defaults.",
  props: {
    requestsPerMinute: bound(1_000_000, "Requests in any window of 60 s; by default 600."),
    concurrentScrapes: bound(10_000, "Scrapes at a time; by default 10."),
    concurrentCrawls: bound(10_000, "Crawls and batches at a time; by default 2."),
    trackedSources: bound(10_000_000, "Sources that the key may track; by default 1000."),
  },
});

const meanings = keyScopes.map((name: KeyScope) => `\`${name}\`: ${scopeMeanings[name]}`).join("; ");

/** What bounds a key beside its limits. A field that is left out does not change; null takes the bound away. */
export const keyBounds = {
  scopes: {
    type: "array",
    items: scope,
    min: 1,
    unique: true,
    optional: true,
    nullable: true,
    description: `What the key may do (${meanings}); null for everything.`,
  },
  expires_at: {
    type: "string",
    format: "date-time",
    optional: true,
    nullable: true,
    description: "When the key ends, an RFC 3339 time in the future; null for never.",
  },
  content_uses: {
    ...contentUses,
    optional: true,
    nullable: true,
    description:
      "What the key wants content for: a page whose site refuses one of these uses is not read for it. Null: what sites say is reported alone.",
  },
} as const;

const label = (description: string) =>
  ({ type: "string", trim: true, min: 1, max: 100, description }) as const;
export const ownerName = label("Whose key it is: any name.");
export const keyName = label("A label to recognise the key by.");
const id = rule({ type: "string", min: 1, max: 64, description: "`id` of a key." });

/** Looks up a key value; null when there is no such key. One that has expired is found: the caller says when. */
export const authenticate = repeatable("keys.authenticate", {
  params: { key: { type: "string", max: 512 } },
  result: knownCaller,
});

/** The value of the calling key, for answers that show it. */
export const revealKey = repeatable("keys.reveal", { params: {}, result: object({ key: text }) });

const messengerDefault = rule({ ...nullableText, description: "The key that the messenger bot uses." });

/** Every key of the caller's owner, newest first. */
export const listMyKeys = repeatable("keys.listMine", {
  params: {},
  result: withMessage(object({ apiKeys: list(apiKey), messengerDefaultApiKeyId: messengerDefault })),
});

/** Chooses the key that the messenger bot uses; null for none. 404 when the key is another owner's. */
export const setMessengerDefaultKey = repeatable("keys.setMessengerDefault", {
  params: { apiKeyId: { ...id, nullable: true, description: "`id` of one of your keys; null for none." } },
  result: withMessage(object({ messengerDefaultApiKeyId: messengerDefault })),
});

/** Keys, newest first; with `query` in the order of owners, then of names. */
export const listKeys = repeatable("keys.list", {
  params: {
    ...pageOfNames,
    owner: { ...ownerName, optional: true, description: "Only keys of this owner." },
    query: {
      ...label(
        "Only keys whose owner or name begins so, in any case of letters; beside `owner` whose name does.",
      ),
      optional: true,
    },
    ids: {
      type: "array",
      items: id,
      min: 1,
      max: 200,
      unique: true,
      optional: true,
      description: "Only keys with these ids, all on one page; no other filter counts beside it.",
    },
  },
  result: pageWith(adminKey),
});

/** Generates a key. 403 `key_limit_reached` when the owner has as many as are allowed. */
export const createKey = action("keys.create", {
  params: { owner: ownerName, name: keyName, ...keyBounds, limits, quotas: quotaOptions },
  result: withMessage(adminKey),
});

/** Changes a key: its name, scopes, end, limits and quotas. */
export const updateKey = repeatable("keys.update", {
  params: { id, name: { ...keyName, optional: true }, ...keyBounds, limits, quotas: quotaOptions },
  result: withMessage(adminKey),
});

/** Deletes a key; it stops working everywhere within 1 s. */
export const deleteKey = action("keys.delete", { params: { id }, result: nothing });

/**
 * Those of some keys that exist. Services that hold something for keys ask from time to time, a page at a time, because
 * the broadcast of a deletion may be lost. A key that does not come back is gone for good.
 */
export const existingKeys = repeatable("keys.existing", {
  params: { ids: { type: "array", max: 500, items: id } },
  result: object({ ids: list(text) }),
});

/** The keys that say what they want content for; all others are not bound by what sites say. Not published. */
export const keysWithUses = repeatable("keys.withUses", {
  params: {},
  result: object({ keys: list(object({ id: text, uses: contentUses })) }),
});

/**
 * Encrypts a text for the storage of another service, which must not hold the master secret itself. `id` names the record
 * that the text belongs to; `unsealText` needs the same.
 */
export const sealText = repeatable("keys.seal", { params: { id, text }, result: text });

/** The text that `sealText` encrypted for this record. */
export const unsealText = repeatable("keys.unseal", { params: { id, sealed: text }, result: text });

/** Requests of one key on one day (UTC). */
export const usageCount = named("DailyUsage", {
  keyId: text,
  day: { type: "string", format: "date" },
  requests: { type: "number", integer: true },
});
export type UsageCount = Infer<typeof usageCount>;

/** Adds requests to the counts of keys and days, and keeps when a key was last used. */
export const countUsage = action("keys.countUsage", {
  params: {
    counts: {
      type: "array",
      max: 1000,
      items: {
        type: "object",
        strict: true,
        props: {
          keyId: id,
          day: { type: "string", length: 10 },
          requests: { type: "number", min: 1 },
          /** The minute of the latest one. */
          usedAt: { ...time, optional: true },
        },
      },
    },
  },
  result: nothing,
});

export const days = rule({
  type: "number",
  integer: true,
  min: 1,
  max: 366,
  default: 30,
  convert: true,
  description: "Days to look back, today included.",
});

/** Requests per day, newest day first, and what is used of each quota. */
export const usageAndQuotas = object({
  data: list(usageCount),
  quotas: { ...list(quotaLeft), description: "Those that are set, of the day first." },
  message: text,
});
export type UsageAndQuotas = Infer<typeof usageAndQuotas>;

/** Requests per day of one key, newest day first, and its quotas. */
export const keyUsage = repeatable("keys.usage", { params: { id, days }, result: usageAndQuotas });

const perDay = list({ type: "number", integer: true } as const);
const usageOfAll = named("TotalUsage", {
  days: { ...list({ type: "string", format: "date" } as const), description: "UTC days, oldest first." },
  total: { ...perDay, description: "Requests of all keys on each day." },
  keys: {
    ...list(
      named("KeyUsage", {
        key_id: text,
        name: { ...nullableText, description: "Null when the key was just deleted." },
        owner: nullableText,
        requests: { ...perDay, description: "On each day." },
      }),
    ),
    description: "The 20 keys with the most requests on these days together, largest first.",
  },
});
export type AllUsage = Infer<typeof usageOfAll>;

/** Requests per day of all keys together, and of those with the most. */
export const allUsage = repeatable("keys.allUsage", { params: { days }, result: withMessage(usageOfAll) });

/** The calling key, its owner and its limits. */
export const aboutMe = repeatable("keys.aboutMe", {
  params: {},
  result: withMessage(
    named("Me", {
      key: object({ ...keyFields, key: { ...text, description: "The last four characters of the value." } }),
      owner: text,
      limits: keyLimits,
      quotas: keyQuotas,
      requests_today: { type: "number", integer: true, description: "Since midnight UTC." },
    }),
  ),
});
export type AboutMe = ResultOf<typeof aboutMe>;

/** Requests per day of the calling key, newest day first, and its quotas. */
export const myUsage = repeatable("keys.myUsage", { params: { days }, result: usageAndQuotas });
