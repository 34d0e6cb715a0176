/** What a key holds of a source, for the services that read the past of sources. */
import type { MutedLine } from "../domain/watch/line.ts";
import { repeatable } from "./action.ts";
import { keyId } from "./paging.ts";
import { list, nothing, nullableText, object, text, trusted } from "./schema.ts";
import { externalId, type SourceKind, sourceKind } from "./source.ts";
import type { TrackedSource } from "./source-lists.contract.ts";
import type { View } from "./watch.contract.ts";

/** Checks in a row with the same outcome, reason and version. All times are milliseconds since the epoch. */
export interface RunOfChecks {
  first: number;
  last: number;
  count: number;
  outcome: "same" | "changed" | "held" | "muted" | "failed";
  /** At most 300 characters. */
  reason: string;
  /** HTTP status of the last one; absent where there was none. */
  status?: number;
  engine?: "http" | "browser";
  /** Milliseconds of the last one. */
  tookMs: number;
  /** The version that its checks saw; absent where they failed. */
  versionId?: string;
  /** The body of the event that was made of it. */
  eventId?: string;
  /** The event's `timestamp`, in milliseconds. */
  eventAt?: number;
}

/** A number or field of a source, as long as it stayed the same; milliseconds since the epoch. */
export interface RunOfValue {
  field: string;
  value: number | string | boolean | null;
  first: number;
  last: number;
}

/** A source that a key tracks, with what its latest checks left, which the history does not have yet. */
export interface HeldSource {
  /** `_id` of the source: the one of its history. */
  id: string;
  /** As the list of what the key tracks shows it. */
  shown: TrackedSource;
  /** How it is read, with headers and cookies sealed. */
  view: View;
  /** Milliseconds since the epoch. The version that was there then is the first that the key may read. */
  readsFrom: number;
  /** Milliseconds since the epoch: what the source has from before is another key's. Absent where there can be none. */
  ownFrom?: number;
  /** The checks in a row up to now; null before the first one. `first` identifies it in the history. */
  run: RunOfChecks | null;
  /** The values that the last good check saw. `field` and `first` identify one in the history. */
  values: RunOfValue[];
  muted: MutedLine[];
  /** The pages of a site are being read for the first time. */
  isBaseline?: true;
}

const sourceId = { type: "string", min: 1, max: 64 } as const;

/** A source that a key tracks, by its id, or by the address of its view. 404 when the key does not track it. */
export const heldSource = repeatable("tracker.heldSource", {
  params: {
    keyId,
    id: { ...sourceId, optional: true },
    kind: { ...sourceKind, optional: true },
    externalId: { ...externalId, optional: true },
  },
  result: object({ held: trusted<HeldSource>() }),
});

/** What `heldSources` says of one source. */
export interface HeldMark {
  id: string;
  kind: SourceKind;
  /** Milliseconds since the epoch; as in `HeldSource`. */
  readsFrom: number;
  ownFrom?: number;
  tags: string[];
}

/** The sources that a key tracks, in the order in which it began to, a page at a time. */
export const heldSources = repeatable("tracker.heldSources", {
  params: {
    keyId,
    after: { ...sourceId, optional: true, description: "`next` of the page before." },
    limit: { type: "number", integer: true, min: 1, max: 1000 },
  },
  result: object({ data: list(trusted<HeldMark>()), next: nullableText }),
});

/** The sources themselves as the key sees them; without those that it does not track. */
export const shownSources = repeatable("tracker.shownSources", {
  params: { keyId, ids: { ...list(text), max: 1000 } },
  result: object({ data: list(trusted<TrackedSource>()) }),
});

/**
 * Ends the past of a source for a key, now: the latest version is the first that it may read from then on. What no key may
 * read any more is erased. 404 when the key does not track it.
 */
export const forgetPast = repeatable("tracker.forgetPast", {
  params: { keyId, id: sourceId },
  result: nothing,
});
