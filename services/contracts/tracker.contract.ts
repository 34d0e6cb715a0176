import { action, repeatable } from "./action.ts";
import { limit } from "./paging.ts";
import { type DatedSource, type Source, type SourceKind, sourceKinds } from "./source.ts";

const source = { type: "enum", values: [...sourceKinds], description: "The kind of source." };

export interface Tracked {
  data: Source;
  message: string;
}

/** Somebody has to let us in first; `tracker.status` tells how that stands. */
export interface TrackQueued {
  message: string;
  jobId: string;
}

/**
 * Begins to track; 201 when new for the calling key, 200 when it tracks the source already, 202 for a gated channel of
 * the messenger. Its past is not delivered.
 */
export const track = action<{ source: SourceKind; sid: string }, Tracked | TrackQueued>("tracker.track", {
  $$strict: true,
  source,
  sid: {
    type: "string",
    trim: true,
    min: 1,
    max: 2048,
    description: "A user name, an invite, a channel's user name or invite link, or a URL.",
  },
});

/** Ends tracking by exactly one of external and internal id; the upstream is let go when no key is left. */
export const untrack = action<
  { source: SourceKind; eid?: string; iid?: string },
  { data: Source; message: string }
>("tracker.untrack", {
  $$strict: true,
  source,
  eid: {
    type: "string",
    min: 1,
    max: 2048,
    optional: true,
    description: "`externalId` of the source; this or `iid`.",
  },
  iid: { type: "string", min: 1, max: 64, optional: true, description: "`id` of the source; this or `eid`." },
});

/**
 * Makes a source due as soon as its shortest interval allows: a hint that something is new there. One that fails is
 * left to its backoff. `isTracked` is false when nobody tracks it.
 */
export const pollSoon = repeatable<{ kind: SourceKind; externalId: string }, { isTracked: boolean }>(
  "tracker.pollSoon",
  { $$strict: true, kind: source, externalId: { type: "string", min: 1, max: 2048 } },
);

/** Searches username and name, case-insensitively, among what the calling key tracks; newest first. */
export const findSources = repeatable<
  { source: SourceKind; query: string; page: number; limit: number },
  { data: DatedSource[]; total: number; page: number; limit: number; message: string }
>("tracker.find", {
  $$strict: true,
  source,
  query: { type: "string", min: 1, max: 200, description: "A part of the user name or display name." },
  page: {
    type: "number",
    integer: true,
    min: 1,
    max: 1_000_000,
    default: 1,
    convert: true,
    description: "From 1.",
  },
  limit: limit("Sources a page."),
});
