/**
 * What sources said: versions, checks and values, of every source by its id. One process keeps them in SQLite, a cluster in
 * MongoDB and, what is large, in the blob store. Both drivers pass test/suites/history.suite.ts.
 */

import { encodeTime } from "ulid";
import type { RunOfChecks } from "../../services/contracts/held-source.contract.ts";
import type { IndexedText, WordIndex } from "./word-index.ts";

/** A state of a source, or of an item of it, that differs from the one before. */
export interface Version {
  /** A ULID whose time is `at`: ids sort by time. */
  id: string;
  sourceId: string;
  /** `postId` of an item of a feed; absent for a page. */
  item?: string;
  /** Milliseconds since the epoch; when a check first saw it. */
  at: number;
  /** SHA-256 of the content, hex. */
  hash: string;
  title: string;
  /**
   * `changed`: an event was made of it; `first`: the baseline; `held`, `muted`: it differs, and made none. A page whose
   * view is the same is kept, too, as `same`: other options may see more of it.
   */
  outcome: "first" | "changed" | "held" | "muted" | "same";
  /** Why, in a sentence. */
  reason: string;
  /** The body of the event that was made of it (`bodyId` in the log). */
  eventId?: string;
  /** Milliseconds: the event's `timestamp`, which is a part of the id that a key reads. */
  eventAt?: number;
  /** The version with which its event was compared, where that need not be the one before it. */
  previousId?: string;
  /** The key of its picture, where the watch takes pictures. */
  picture?: string;
  /** Counts of lines, for lists. */
  added?: number;
  removed?: number;
  /** Bytes of its content, compressed. */
  bytes?: number;
}

/** What a check decided about a version. */
export type Said = Pick<
  Version,
  "outcome" | "reason" | "eventId" | "eventAt" | "previousId" | "picture" | "added" | "removed"
>;

/** How a version is known once it is kept. */
export type Kept = Pick<Version, "id" | "eventAt">;

/** A version to be kept, with its content. */
export interface NewVersion extends Version {
  content: Uint8Array;
  /** The words that are new in it, for the search. */
  words: string;
  /** The address of an item, for the search. */
  url?: string;
}

/**
 * Checks in a row with the same outcome, reason and version. Each version begins a run, so that one knows how many checks
 * saw it: what the judge says of a line depends on that.
 */
export interface CheckRun extends RunOfChecks {
  /** `first` identifies the run within the source. */
  sourceId: string;
}

/** A number or field of a source, as long as it stayed the same. */
export interface ValueRun {
  sourceId: string;
  field: string;
  value: number | string | boolean | null;
  /** Milliseconds since the epoch: the first check that saw it, and the last. */
  first: number;
  last: number;
}

/** What may be kept of a source. */
export interface Keep {
  /** Milliseconds since the epoch: what was over by then goes, but for the last version and those of events that exist. */
  before: number;
  /** Milliseconds since the epoch: the first key reads from here on. What a newer version had replaced by then goes. */
  readsFrom?: number;
  versions: number;
  /** Bytes. */
  bytes: number;
  /** Milliseconds since the epoch: the event of a version that is not older may exist. It and what it changed stay. */
  eventsFrom: number;
}

export interface VersionsWanted {
  /** ULIDs, exclusive: what is older than `before`, newer than `after`. */
  before?: string;
  after?: string;
  item?: string;
  /** With this content. */
  hash?: string;
  outcomes?: readonly Version["outcome"][];
  /** The oldest first, in place of the newest. */
  oldestFirst?: boolean;
  limit: number;
}

/** A span of a past, in milliseconds since the epoch. */
export interface Span {
  /** The version that was there then is the first, unless it is from before `notBefore`. */
  since: number;
  notBefore?: number;
  /** Exclusive; runs are cut there. */
  until: number;
}

export interface History {
  /**
   * Keeps versions: durable once resolved, and harmless when repeated. The content of one hash is stored once, whoever
   * refers to it, compressed against the version before it. A version with the content of the newest one of its source and
   * item is that one: it keeps its id and time, and what is said of it is replaced, unless it has an event and this has
   * none; an event keeps its time. Answers the versions as they are kept, in their order.
   */
  add(versions: NewVersion[]): Promise<Kept[]>;
  /** Replaces what is said of a version: a later check has decided about it. An event keeps its time. */
  restate(sourceId: string, id: string, said: Said): Promise<Kept>;
  /** Newest first. */
  versions(sourceId: string, wanted: VersionsWanted): Promise<Version[]>;
  version(sourceId: string, id: string): Promise<Version | null>;
  /** The version that was there at a time (ms): the newest that is not younger; of a feed without `item`, of any item. */
  versionAt(sourceId: string, at: number, item?: string): Promise<Version | null>;
  /** Null for a content that nothing refers to. */
  content(hash: string): Promise<Buffer | null>;
  /**
   * Gives a source a span of the past of another one: a key has changed its options. It begins with the version that was
   * there then. Harmless when repeated.
   */
  adopt(from: string, to: string, span: Span): Promise<void>;
  /** Writes runs of checks, each over the one of the same source and `first`. */
  addChecks(runs: CheckRun[]): Promise<void>;
  /** Newest first; `before` in ms, exclusive. */
  checks(sourceId: string, wanted: { before?: number; limit: number }): Promise<CheckRun[]>;
  /** Writes runs of values, each over the one of the same source, field and `first`. */
  addValues(runs: ValueRun[]): Promise<void>;
  /** Oldest first; ms, `from` inclusive, `to` exclusive. With `newest` the newest ones, where there are more than `limit`. */
  values(
    sourceId: string,
    wanted: { field?: string; from?: number; to?: number; limit: number; newest?: boolean },
  ): Promise<ValueRun[]>;
  /** The bytes of each of these sources of which anything is kept, about: with words, runs and the indexes. */
  bytesOf(sourceIds: string[]): Promise<Map<string, number>>;
  /** The number of versions of a source, and its bytes. */
  size(sourceId: string): Promise<{ versions: number; bytes: number }>;
  /**
   * Removes what is beyond `keep`; answers how many versions went. Beyond the bytes the oldest words go first, then the
   * oldest runs, then versions. What stays is not read: this may be called again and again.
   */
  prune(sourceId: string, keep: Keep): Promise<number>;
  /**
   * Removes everything of a source for good, with contents to which nothing else refers; of a large one a part, at most some
   * thousand rows. Answers whether it has removed all: it is called again otherwise. With `until` (ms) only what was over
   * by then; the newest version stays, and so does that of each item of a feed.
   */
  erase(sourceId: string, until?: number): Promise<boolean>;
  /** Finds what meets a query in these sources, newest first, after a position. */
  search: WordIndex["find"];
  /** Makes events findable that have no version: the posts of accounts and channels. Harmless when repeated. */
  addEvents(events: IndexedText[]): Promise<void>;
  /** Removes the events before a time (ms) from the search; answers how many there were. */
  pruneEvents(before: number): Promise<number>;
  /** Sources of which something is kept, in the order of their ids, after one of them. */
  sourceIds(after: string, limit: number): Promise<string[]>;
}

/** A history that its opener closes. */
export interface OpenHistory extends History {
  /** Removes what no version needs any more and dead processes have left. Answers how many contents went. */
  sweep(): Promise<number>;
  close(): Promise<void>;
}

/** Whether what is said of a version anew replaces what was: an event stays known. */
export function isOutdone(former: Pick<Version, "eventId">, said: Pick<Version, "eventId">): boolean {
  return said.eventId !== undefined || former.eventId === undefined;
}

/** How a version is known once it is kept. */
export function knownAs({ id, eventAt }: Kept): Kept {
  return { id, ...(eventAt !== undefined && { eventAt }) };
}

/** A version that comes after the newest one of its item also where a clock was set back. */
export function after<Of extends Pick<Version, "id" | "at">>(
  newest: Pick<Version, "at"> | null,
  version: Of,
): Of {
  if (!newest || version.at >= newest.at) return version;
  const at = newest.at + 1;
  return { ...version, at, id: encodeTime(at, 10) + version.id.slice(10) };
}
