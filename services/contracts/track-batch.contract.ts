import { action, type ParamsOf, repeatable } from "./action.ts";
import { pageOfKey } from "./paging.ts";
import {
  count,
  cursorOf,
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
import { source, sourceKind } from "./source.ts";
import { watchOptions } from "./watch.contract.ts";

/*
 * Many sources at once. Each becomes an entry that is tracked as a request of its own would be.
 */

const wanted = rule({
  type: "object",
  strict: true,
  props: {
    source: sourceKind,
    sid: { type: "string", trim: true, min: 1, max: 2048, description: "As in `POST /track/{source}`." },
    options: { ...watchOptions, optional: true, description: "As in `POST /track/{source}`." },
  },
});
export type WantedSource = Infer<typeof wanted>;

/** Entries of one batch, at most. */
export const maxBatchEntries = 5000;

const entryStatus = rule({
  type: "enum",
  values: ["pending", "tracked", "known", "waiting", "removed", "failed"],
  description:
    "`tracked` from now on, `known`: the key tracked it before, `waiting` for somebody who must approve us, `removed`: no longer tracked, as an OPML document asked, `failed` for good.",
});
export type EntryStatus = Infer<typeof entryStatus>;

const entry = named("TrackBatchEntry", {
  number: { ...count, description: "Its place in the request, from 0." },
  line: { ...count, optional: true, description: "Its line in the OPML document that named it." },
  source: sourceKind,
  sid: { ...text, description: "As it was sent." },
  status: entryStatus,
  data: { ...source, optional: true, description: "The source, when `tracked` or `known`." },
  jobId: { ...text, optional: true, description: "The id of the join request, when `waiting`." },
  error: {
    ...object({ code: text, message: text }),
    optional: true,
    description: "When `failed`; when `pending`, why the last try failed.",
  },
});
export type BatchEntry = Infer<typeof entry>;

const numbers = object({
  total: { ...count, description: "All entries: the sum of the others." },
  pending: { ...count, description: "Entries that are still to be tracked." },
  tracked: { ...count, description: "Sources that the key tracks since this batch." },
  known: { ...count, description: "Sources that it tracked before." },
  waiting: { ...count, description: "Private channels that must approve us first." },
  removed: { ...count, description: "Sources that the key no longer tracks, as an OPML document asked." },
  failed: { ...count, description: "Entries that cannot be tracked." },
});

const batch = named("TrackBatch", {
  id: text,
  state: {
    type: "enum",
    values: ["running", "completed"],
    description: "`completed` when nothing is pending.",
  },
  progress: numbers,
  entries: list(entry),
  next_cursor: {
    ...nullableText,
    description: "Where the next page of entries begins; null after the last.",
  },
  created_at: time,
  expires_at: { ...time, description: "When the record is removed; the sources stay." },
});
export type TrackBatch = Infer<typeof batch>;

/** Entries of the answer to a new batch. */
export const firstEntries = 500;

/**
 * Tracks many sources: 200 when all entries have ended within ten seconds, 202 while some are pending. They are stored
 * before the answer, and continue after the process dies.
 */
export const trackMany = action("tracker.trackMany", {
  params: {
    items: {
      type: "array",
      min: 1,
      max: maxBatchEntries,
      items: wanted,
      description: "The sources to track, in the order in which they are tried.",
    },
  },
  result: withMessage(batch),
});

/** A batch, with its entries a page at a time. */
export const trackBatch = repeatable("tracker.batch", {
  params: {
    batch_id: { type: "string", min: 1, max: 64, description: "`id` of the batch." },
    ...pageOfKey,
    cursor: cursorOf(/^\d{1,5}$/),
    status: { ...entryStatus, optional: true, description: "Only entries with this status." },
  },
  result: withMessage(batch),
});
export type TrackBatchRequest = ParamsOf<typeof trackBatch>;
