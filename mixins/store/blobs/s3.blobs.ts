import { Readable } from "node:stream";
import { allEnded } from "../../async/timeout.ts";
import type { S3Config } from "../../config/config.ts";
import {
  type BlobMeta,
  type Blobs,
  expiryOf,
  firstAfter,
  type KeyRange,
  makeKey,
  type OpenBlob,
  rangeOf,
} from "./blobs.ts";
import { S3Bucket } from "./s3-bucket.ts";

interface Place {
  bucket: S3Bucket;
  prefix: string;
}

/** Names of a page of a list, and removals at a time. */
const pageSize = 1000;
const removedTogether = 16;
const ownerHeader = "x-amz-meta-owner";

/** Binary results in a bucket of S3-compatible storage. Rejects with the name of the setting that cannot be used. */
export async function openS3Blobs(config: S3Config): Promise<{ blobs: Blobs; close(): Promise<void> }> {
  const bucket = new S3Bucket(config);
  try {
    await bucket.check();
  } catch (error) {
    await bucket.close();
    throw error;
  }
  return { blobs: s3Blobs({ bucket, prefix: config.prefix }), close: () => bucket.close() };
}

/** Blobs as objects, each under its key after the prefix. `now` gives Unix time in ms. */
export function s3Blobs(place: Place, now: () => number = Date.now): Blobs {
  return {
    put: (bytes, meta) => put(place, bytes, meta, now()),
    open: (key, owner) => openBlob(place, key, owner, now()),
    remove: async key => {
      if (expiryOf(key) !== null) await place.bucket.remove(place.prefix + key);
    },
    dropGroup: async group => void (await removeRange(place, rangeOf(group))),
    sweep: until => removeRange(place, { below: firstAfter(until) }),
  };
}

async function put(
  { bucket, prefix }: Place,
  bytes: Uint8Array,
  meta: BlobMeta,
  now: number,
): Promise<string> {
  const key = makeKey(meta, now);
  const headers = { [ownerHeader]: encodeURIComponent(meta.owner), "content-type": meta.contentType };
  await bucket.put(prefix + key, bytes, headers);
  return key;
}

/** The body is asked for when its reading begins: until then nothing is open. */
async function openBlob(
  { bucket, prefix }: Place,
  key: string,
  owner: string,
  now: number,
): Promise<OpenBlob | null> {
  const expiresAt = expiryOf(key);
  if (expiresAt === null || expiresAt <= now) return null;
  const headers = await bucket.head(prefix + key);
  if (headers?.[ownerHeader] !== encodeURIComponent(owner)) return null;
  const [size, contentType] = [Number(headers["content-length"]), String(headers["content-type"])];
  return { contentType, size, body: Readable.from(bucket.read(prefix + key), { objectMode: false }) };
}

/** The list comes in the order of the names, so a sweep reads the expired ones and one page more. */
async function removeRange({ bucket, prefix }: Place, { from = "", below }: KeyRange): Promise<number> {
  let removed = 0;
  // No name ends with the first of all characters, so the range begins with `from` itself.
  for (let after = prefix + from; ; ) {
    const names = await bucket.names({ prefix, after, limit: pageSize });
    const inRange = names.filter(name => name < prefix + below);
    const ours = inRange.filter(name => expiryOf(name.slice(prefix.length)) !== null);
    await removeAll(bucket, ours);
    removed += ours.length;
    after = names.at(-1) ?? "";
    if (names.length < pageSize || inRange.length < names.length) return removed;
  }
}

async function removeAll(bucket: S3Bucket, names: string[]): Promise<void> {
  for (let at = 0; at < names.length; at += removedTogether)
    await allEnded(names.slice(at, at + removedTogether).map(name => bucket.remove(name)));
}
