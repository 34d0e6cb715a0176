import type { Readable } from "node:stream";

export type BlobMeta = {
  /** Who may read it. */
  owner: string;
  contentType: string;
} & Life;

/** How long a blob lives: for a time, or for as long as the group that it belongs to, whatever names that. */
export type Life = { ttlMs: number } | { group: string };

export interface OpenBlob {
  contentType: string;
  /** Bytes. */
  size: number;
  body: Readable;
}

/** Binary results that live for a while, or as long as what they belong to. */
export interface Blobs {
  /** The key of what was put: opaque, unguessable, made of letters, digits, `-` and `_`. Durable once resolved. */
  put(bytes: Uint8Array, meta: BlobMeta): Promise<string>;
  /** Null for a key that is unknown, expired or another owner's. The caller reads `body` to its end or destroys it. */
  open(key: string, owner: string): Promise<OpenBlob | null>;
  /** Removes all of a group; nothing happens when there is none. */
  dropGroup(group: string): Promise<void>;
  /** Removes what has expired at `now` (Unix time in ms); tells how many. */
  sweep(now: number): Promise<number>;
}
