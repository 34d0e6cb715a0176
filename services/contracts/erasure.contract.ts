import { action, type ParamsOf, type ResultOf, repeatable } from "./action.ts";
import { keyId } from "./paging.ts";
import {
  count,
  type Infer,
  list,
  named,
  nullableText,
  object,
  rule,
  text,
  time,
  withMessage,
} from "./schema.ts";
import { externalId, sourceKind } from "./source.ts";

const counts = rule({
  ...list(
    named("ErasedKind", { kind: { ...text, description: "As the page of what is kept names it." }, count }),
  ),
  description: "What was found of each kind, before anything was erased.",
});

const erasure = named("Erasure", {
  id: text,
  subject: {
    type: "enum",
    values: ["key", "owner", "source"],
    description: "Whose data. The name itself is forgotten at the end.",
  },
  dry_run: { type: "boolean", description: "Counts, and erases nothing." },
  state: { type: "enum", values: ["running", "completed", "failed"] },
  step: { ...nullableText, description: "What is being done; null at the end." },
  found: counts,
  created_at: time,
  ended_at: { ...time, nullable: true },
});
export type Erasure = Infer<typeof erasure>;

/** Begins to erase what is kept of a key, of an owner or of a source; 400 unless exactly one is named. */
export const startErasure = action("keys.startErasure", {
  params: {
    key_id: {
      type: "string",
      min: 1,
      max: 64,
      optional: true,
      description: "`id` of a key, also of a deleted one.",
    },
    owner: {
      type: "string",
      trim: true,
      min: 1,
      max: 100,
      optional: true,
      description: "An owner, with all its keys.",
    },
    source: { ...sourceKind, optional: true, description: "The kind of the source that `eid` names." },
    eid: {
      ...externalId,
      optional: true,
      description:
        "A source, for all keys: its `externalId`, the URL of a page, feed or site, or the handle of an account.",
    },
    dry_run: { type: "boolean", default: false, description: "Only counts what there is." },
  },
  result: withMessage(erasure),
});

/** How far an erasure is. 404 for an unknown one. */
export const getErasure = repeatable("keys.getErasure", {
  params: { id: { type: "string", min: 1, max: 64, description: "`id` of an erasure." } },
  result: withMessage(erasure),
});

/*
 * The part of each service. A call may be repeated: it erases what is there, and counts what is left. `dry` only counts.
 */

const part = {
  params: {
    keyIds: { type: "array", items: keyId, max: 10_000 },
    owner: { ...text, optional: true },
    /** A source in place of them, and the ids that it had. */
    source: { ...object({ kind: sourceKind, eid: text }), optional: true },
    sourceIds: { ...list(text), optional: true },
    dry: { type: "boolean" },
    /** `next` of the call before. */
    cursor: { type: "string", optional: true },
  },
  result: object({
    counts: list(object({ kind: text, count })),
    /** Ids of the source that were found. */
    sourceIds: { ...list(text), optional: true },
    /** Where the next call goes on; absent at the end. */
    next: { ...text, optional: true },
  }),
} as const;

export const eraseScrapes = repeatable("scraper.erase", part);
export const eraseCrawls = repeatable("crawler.erase", part);
export const eraseTracked = repeatable("tracker.erase", part);
export const eraseDeliveries = repeatable("webhook-dispatcher.erase", part);
export type ErasureOf = ParamsOf<typeof eraseScrapes>;
export type ErasureCounts = ResultOf<typeof eraseScrapes>;

/** Counts of kinds, without those of which there is nothing. */
export async function countsOf(kinds: Record<string, Promise<number>>): Promise<ErasureCounts> {
  const counted = Object.entries(kinds).map(async ([kind, number]) => ({ kind, count: await number }));
  return { counts: (await Promise.all(counted)).filter(({ count: found }) => found > 0) };
}
