import { action, type ParamsOf, repeatable } from "./action.ts";
import { keyId, nullableTime, pageOf, pageOfKey, pageWith } from "./paging.ts";
import {
  count,
  cursorOf,
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
import { oneTag, source, sourceKind, tags } from "./source.ts";
import { watchedSource } from "./watch.contract.ts";

/*
 * What is tracked, and how its polling goes: for one key, and for all.
 */

const health = rule({ type: "enum", values: ["ok", "failing", "gone"] });

const polling = {
  health: {
    ...health,
    description: "`failing` after five failed polls in a row; `gone` when the source says so.",
  },
  failures: { ...count, description: "Polls that failed since the last good one." },
  problem: {
    ...nullableText,
    description: "Why the last poll failed, since when, and what to do, in words; null when it succeeded.",
  },
  polled_at: { ...time, description: "When the last poll began." },
  due_at: { ...time, description: "When it is polled next; the past while a poll is under way." },
  last_event_at: {
    ...nullableTime,
    description: "When a poll last found something that became an event; null while there was none.",
  },
} as const;

const filters = {
  source: { ...sourceKind, optional: true, description: "Only sources of this kind." },
  health: { ...health, optional: true, description: "Only sources with this health." },
  query: {
    type: "string",
    trim: true,
    min: 1,
    max: 200,
    optional: true,
    description: "Only sources whose user name, display name or external id contains this text, in any case.",
  },
} as const;

/** A line that is muted, because it changes at nearly every check. */
const mutedLine = named("MutedLine", {
  text: { ...text, description: "What it shows now." },
  since: { ...time, description: "Since when it is muted." },
  ignore: { ...text, description: "The pattern for `ignore` that would settle it for good." },
});

export const trackedSource = named("TrackedSource", {
  ...watchedSource.props,
  ...polling,
  muted: {
    ...list(mutedLine),
    description: "The lines whose changes are muted, because they change so often.",
  },
  tags,
  tracked_at: { ...time, description: "When the calling key began to track it." },
});
export type TrackedSource = Infer<typeof trackedSource>;

/**
 * The sources that the calling key tracks, the latest first. A page with a filter may be short, even empty, before the
 * end: the list ends where `next_cursor` is null.
 */
export const listTracked = repeatable("tracker.listTracked", {
  params: { ...pageOfKey, cursor: cursorOf(/^[0-9A-HJKMNP-TV-Z]{26}$/), ...filters, tag: oneTag },
  result: pageWith(trackedSource),
});
export type TrackedRequest = ParamsOf<typeof listTracked>;

/** Whether a key tracks a source, by its `_id`. */
export const isTracking = repeatable("tracker.isTracking", {
  params: { keyId, sourceId: { type: "string", min: 1, max: 64 } },
  result: object({ tracked: { type: "boolean" } }),
});

/** The sources that a key tracks and that have any of these tags, now. `sources.retagged` says when to ask again. */
export const sourcesOfTags = repeatable("tracker.sourcesOfTags", {
  params: { keyId, tags: { ...tags, min: 1 } },
  result: object({ ids: list(text) }),
});

const sourceSummary = named("SourceSummary", {
  ...source.props,
  keys: { ...count, description: "Keys that track it." },
  ...polling,
});
export type SourceSummary = Infer<typeof sourceSummary>;

/** Tracked sources of all keys, in the order of their ids. A page with `query` may be short before the end. */
export const listSources = repeatable("tracker.listSources", {
  params: {
    ...pageOf,
    ...filters,
    query: {
      ...filters.query,
      description:
        "Only the source with this id, or sources whose user name, display name or external id contains this text, in any case.",
    },
  },
  result: pageWith(sourceSummary),
});
export type SourcesRequest = ParamsOf<typeof listSources>;

const sourceId = rule({ type: "string", min: 1, max: 64, description: "`id` of the source." });
const due = withMessage(
  object({ due_at: { ...time, description: "When the poll is due, or began if it is under way." } }),
);

/**
 * Makes a source that the calling key tracks due at once. `rate_limited` when it was polled, or asked for so, less than
 * 30 s ago, or when the site has asked for a longer wait. A poll under way is not repeated.
 */
export const pollNow = action("tracker.pollNow", {
  params: { source: sourceKind, iid: sourceId },
  result: due,
});

/** Asks for a poll of any source, for administrators. */
export const pollSourceNow = action("tracker.pollSourceNow", { params: { id: sourceId }, result: due });

/** Stops the tracking of a source for all keys, as if each of them had. */
export const removeSource = action("tracker.removeSource", { params: { id: sourceId }, result: nothing });
