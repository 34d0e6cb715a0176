/** The quotas of API keys: what a key may use by day and by month, and how services charge for their work. */
import type { QuotaName, QuotaPeriod } from "../domain/quota/quotas.ts";
import { type ResultOf, repeatable } from "./action.ts";
import { type Infer, list, named, nothing, object, rule, text, time } from "./schema.ts";

const meanings = {
  pages: "Scrapes that read a page, and pages of batches.",
  rendered: "Pages that were read in the browser.",
  crawled: "Pages that crawls and batches read.",
  events: "Events appended to the key's log.",
  deliveries: "Events that the key's endpoints took.",
} as const;

const amount = { type: "number", integer: true, min: 0 } as const;
const most = 1_000_000_000_000;

const ofPeriod = {
  type: "object",
  strict: true,
  optional: true,
  name: "PeriodQuotaOptions",
  description: "Quotas of one period, a day or a month of UTC.",
  props: {
    pages: { ...amount, max: most, nullable: true, optional: true, description: meanings.pages },
    rendered: { ...amount, max: most, nullable: true, optional: true, description: meanings.rendered },
    crawled: { ...amount, max: most, nullable: true, optional: true, description: meanings.crawled },
    events: { ...amount, max: most, nullable: true, optional: true, description: meanings.events },
    deliveries: { ...amount, max: most, nullable: true, optional: true, description: meanings.deliveries },
  },
} as const;

/** Quotas as an administrator sets them. */
export const quotaOptions = rule({
  type: "object",
  name: "KeyQuotaOptions",
  strict: true,
  optional: true,
  description:
    "Quotas of this key: whole numbers, or null for none. One that is left out does not change; a new key has none.",
  props: { day: ofPeriod, month: ofPeriod },
});

const orNone = (description: string) => ({ ...amount, nullable: true, description }) as const;
const periodQuotas = named("PeriodQuotas", {
  pages: orNone(meanings.pages),
  rendered: orNone(meanings.rendered),
  crawled: orNone(meanings.crawled),
  events: orNone(meanings.events),
  deliveries: orNone(meanings.deliveries),
});

/** The quotas of an API key. */
export const keyQuotas = rule({
  ...named("KeyQuotas", { day: periodQuotas, month: periodQuotas }),
  description: "By day and by month of UTC; null where there is no quota.",
});
export type KeyQuotas = Infer<typeof keyQuotas>;

const quotaFields = {
  name: {
    type: "enum",
    values: ["pages", "rendered", "crawled", "events", "deliveries"] satisfies QuotaName[],
    description: "What is counted.",
  },
  period: { type: "enum", values: ["day", "month"] satisfies QuotaPeriod[] },
  used: { ...amount, description: "Work under way included." },
  limit: amount,
  resets_at: { ...time, description: "When the period ends and the quota resets." },
} as const;

/** A quota, as errors and events name it. */
export const quotaUse = named("Quota", quotaFields);

/** Why a healthy endpoint gets nothing. */
export const heldForQuota = rule({
  ...quotaUse,
  nullable: true,
  description: "The quota of deliveries that is used up, while events wait for it; they are kept.",
});

/** A quota, and what is left of it. */
export const quotaLeft = named("QuotaLeft", {
  ...quotaFields,
  left: { ...amount, description: "0 when it is used up." },
});
export type QuotaLeft = Infer<typeof quotaLeft>;

const keyId = rule({ type: "string", min: 1, max: 64 });
const chargeId = rule({ type: "string", min: 1, max: 200 });
const count = rule({ ...amount, optional: true });
const amounts = object({
  pages: count,
  rendered: count,
  crawled: count,
  events: count,
  deliveries: count,
});

/**
 * Charges pieces of work to the quotas of a key, in their order: each before it begins, under an id that is the same when it
 * is repeated. `granted` are those that may begin; they stay open until `settleCharges`. A charge that is open already
 * takes nothing again. Not published.
 */
export const chargeQuotas = repeatable("keys.chargeQuotas", {
  params: {
    keyId,
    charges: { type: "array", min: 1, max: 1000, items: object({ id: chargeId, amounts }) },
  },
  result: object({
    granted: list(text),
    /** The quota that refused the first of the others. */
    refused: { ...quotaUse, nullable: true },
    /** All quotas of the key, after this. */
    quotas: list(quotaUse),
  }),
});
export type Charged = ResultOf<typeof chargeQuotas>;

/** Ends charges: of work that was done, or that was not and is given back. Others than open ones are left out. */
export const settleCharges = repeatable("keys.settleCharges", {
  params: {
    keyId,
    ids: { type: "array", min: 1, max: 2000, items: chargeId },
    isDone: { type: "boolean" },
  },
  result: nothing,
});

/** The keys that have quotas: all others are never charged. Not published. */
export const keysWithQuotas = repeatable("keys.withQuotas", {
  params: {},
  result: object({ ids: list(text) }),
});

/** What some keys have used of their quotas; keys without quotas are left out. Not published. */
export const quotasOfKeys = repeatable("keys.quotasOf", {
  params: { ids: { type: "array", max: 500, items: keyId } },
  result: object({ keys: list(object({ id: text, quotas: list(quotaUse) })) }),
});
