/**
 * What sources said: versions, checks and values, of every source by its id. One process keeps them in SQLite, a cluster in
 * MongoDB and, what is large, in the blob store. Both drivers pass test/suites/history.suite.ts.
 */

/** A state of a source, or of an item of it, that differs from the one before. */
export interface Version {
  /** A ULID of the time at which it was first seen: ids sort by time. */
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
  /** The key of its picture, where the watch takes pictures. */
  picture?: string;
  /** Counts of lines, for lists. */
  added?: number;
  removed?: number;
  /** Bytes that it takes, compressed. */
  bytes?: number;
}

/** A version to be kept, with its content. */
export interface NewVersion extends Version {
  content: Uint8Array;
  /** The words that are new in it, for the search. */
  words: string;
}

/**
 * Checks in a row with the same outcome, reason and version. Each version begins a run, so that one knows how many checks
 * saw it: what the judge says of a line depends on that.
 */
export interface CheckRun {
  sourceId: string;
  /** Milliseconds since the epoch; first and last check of the run. `first` identifies it within the source. */
  first: number;
  last: number;
  count: number;
  outcome: "same" | "changed" | "held" | "muted" | "failed";
  reason: string;
  /** HTTP status of the last one; absent where there was none. */
  status?: number;
  engine?: "http" | "browser";
  /** Milliseconds of the last one. */
  tookMs: number;
  /** The version that its checks saw; absent where they failed. */
  versionId?: string;
  eventId?: string;
  /** Milliseconds: the event's `timestamp`. */
  eventAt?: number;
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
  /** Milliseconds since the epoch: versions older than this go, but for the last one and those of events that exist. */
  before: number;
  versions: number;
  /** Bytes. */
  bytes: number;
}

export interface VersionsWanted {
  /** ULIDs, exclusive: what is older than `before`, newer than `after`. */
  before?: string;
  after?: string;
  item?: string;
  outcomes?: readonly Version["outcome"][];
  limit: number;
}

export interface History {
  /**
   * Keeps versions: durable once resolved, and harmless when repeated. The content of one hash is stored once, whoever
   * refers to it, compressed against the version before it.
   */
  add(versions: NewVersion[]): Promise<void>;
  /** Newest first. */
  versions(sourceId: string, wanted: VersionsWanted): Promise<Version[]>;
  version(sourceId: string, id: string): Promise<Version | null>;
  /** The version that was there at a time (ms): the newest that is not younger. */
  versionAt(sourceId: string, at: number, item?: string): Promise<Version | null>;
  /** Null for a content that nothing refers to. */
  content(hash: string): Promise<Buffer | null>;
  /** Gives a source the versions of another one from a time (ms) on: a key has changed its options. */
  adopt(from: string, to: string, since: number): Promise<void>;
  /** Writes runs of checks, each over the one of the same source and `first`. */
  addChecks(runs: CheckRun[]): Promise<void>;
  /** Newest first; `before` in ms, exclusive. */
  checks(sourceId: string, wanted: { before?: number; limit: number }): Promise<CheckRun[]>;
  /** Writes runs of values, each over the one of the same source, field and `first`. */
  addValues(runs: ValueRun[]): Promise<void>;
  /** Oldest first; ms, `from` inclusive, `to` exclusive. */
  values(
    sourceId: string,
    wanted: { field?: string; from?: number; to?: number; limit: number },
  ): Promise<ValueRun[]>;
  /** Counts and bytes of a source. */
  size(sourceId: string): Promise<{ versions: number; bytes: number }>;
  /** Removes what is beyond `keep`; `isNeeded` says of an event's id whether it still exists. Answers how many versions went. */
  prune(
    sourceId: string,
    keep: Keep,
    isNeeded: (eventIds: string[]) => Promise<Set<string>>,
  ): Promise<number>;
  /** Removes everything of a source up to a time (ms), for good, with contents to which nothing else refers. */
  erase(sourceId: string, until?: number): Promise<void>;
}
