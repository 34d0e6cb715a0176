import type { Readable } from "node:stream";

export interface BlobMeta {
  /** Who may read it. */
  owner: string;
  contentType: string;
  ttlMs: number;
}

export interface OpenBlob {
  contentType: string;
  /** Bytes. */
  size: number;
  body: Readable;
}

/** Binary results that live for a while. */
export interface Blobs {
  /** The key of what was put: opaque, unguessable, made of letters, digits, `-` and `_`. Durable once resolved. */
  put(bytes: Uint8Array, meta: BlobMeta): Promise<string>;
  /** Null for a key that is unknown, expired or another owner's. The caller reads `body` to its end or destroys it. */
  open(key: string, owner: string): Promise<OpenBlob | null>;
  /** Removes what has expired at `now` (Unix time in ms); tells how many. */
  sweep(now: number): Promise<number>;
}
