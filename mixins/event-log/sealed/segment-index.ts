/** Events of one key's log that lie together in a blob. Positions are inclusive, times in milliseconds. */
export interface Segment {
  /** The key of its blob. */
  blob: string;
  keyId: string;
  first: number;
  last: number;
  firstAt: number;
  lastAt: number;
  bytes: number;
}

/**
 * Where the segments of all keys are. A segment is planned before its blob is written, sealed once the blob is durable, and
 * withdrawn before the blob is removed: so a blob without an entry is never left behind, and readers see sealed ones only.
 */
export interface SegmentIndex {
  plan(segment: Segment): Promise<void>;
  /** Makes a planned segment readable, durably; false for one that is no longer planned. */
  seal(blob: string): Promise<boolean>;
  /** The first segment of a key that has positions after `after`. */
  following(keyId: string, after: number): Promise<Segment | null>;
  /** The last segment of a key that begins before a time. */
  begunBefore(keyId: string, time: number): Promise<Segment | null>;
  /** Segments in any state. */
  find(wanted: Wanted, limit: number): Promise<Segment[]>;
  /** Sealed segments of all keys, in the order of their blobs, after one of them. */
  sealedAfter(blob: string, limit: number): Promise<Segment[]>;
  /** Other sealed segments with the same positions of a key; and itself, while it is sealed. */
  withPositionsOf(segment: Segment): Promise<Segment[]>;
  /**
   * Hides segments from readers, and from a node that is about to seal one. Unless `sealedToo`, those that are sealed by now
   * stay: their blobs are the answer.
   */
  withdraw(blobs: string[], sealedToo: boolean): Promise<string[]>;
  /** Forgets segments that are withdrawn. */
  forget(blobs: string[]): Promise<void>;
}

/** The segments of a key, those that end before a time, or those that no reader sees. */
export type Wanted = { keyId: string } | { endedBefore: number } | { unsealed: true };
