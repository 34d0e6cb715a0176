import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Collection, GridFSBucket, type ObjectId } from "mongodb";
import {
  closeMongo,
  inTime,
  type Mongo,
  mapMongoErrors,
  openMongo,
  withDeadline,
} from "../../cluster/mongo.ts";
import type { ClusterConfig } from "../../config/config.ts";
import {
  type BlobMeta,
  type Blobs,
  expiryOf,
  firstAfter,
  type KeyRange,
  makeKey,
  type OpenBlob,
  only,
  rangeOf,
} from "./blobs.ts";

/** The binary results of a cluster, on the process' connection to MongoDB. */
export async function openClusterBlobs(
  cluster: ClusterConfig,
): Promise<{ blobs: Blobs; close(): Promise<void> }> {
  const mongo = await openMongo(cluster);
  try {
    return { blobs: await gridfsBlobs(mongo), close: () => closeMongo(cluster) };
  } catch (error) {
    await closeMongo(cluster);
    throw error;
  }
}

interface Place {
  bucket: GridFSBucket;
  files: Collection<StoredFile>;
  chunks: Collection<{ files_id: string; n: number; data: Buffer }>;
}

/** As the specification of GridFS has it. Lengths in bytes. */
interface StoredFile {
  _id: string;
  length: number;
  chunkSize: number;
  metadata: { owner: string; contentType: string };
}

/** Blobs in GridFS, under their keys as ids. `now` gives Unix time in ms. */
export async function gridfsBlobs({ db, name }: Mongo, now: () => number = Date.now): Promise<Blobs> {
  const bucketName = name("blobs");
  const place: Place = {
    bucket: new GridFSBucket(db, { bucketName }),
    files: withDeadline(db.collection(`${bucketName}.files`)),
    chunks: withDeadline(db.collection(`${bucketName}.chunks`)),
  };
  // The bucket creates this index too, but does not try again when its first attempt failed.
  await mapMongoErrors(place.chunks.createIndex({ files_id: 1, n: 1 }, { unique: true }));
  return {
    put: (bytes, meta) => mapMongoErrors(put(place, bytes, meta, now())),
    open: (key, owner) => mapMongoErrors(openBlob(place, key, owner, now())),
    remove: async key => void (await mapMongoErrors(removeRange(place, only(key)))),
    dropGroup: async group => void (await mapMongoErrors(removeRange(place, rangeOf(group)))),
    sweep: until => mapMongoErrors(removeRange(place, { below: firstAfter(until) })),
  };
}

/** Writes the chunks before the file entry, by which a blob is found: a blob exists as a whole or not at all. */
async function put(place: Place, bytes: Uint8Array, meta: BlobMeta, now: number): Promise<string> {
  const key = makeKey(meta, now);
  const metadata = { owner: meta.owner, contentType: meta.contentType };
  const upload = place.bucket.openUploadStreamWithId(idOf(key), key, { metadata });
  await inTime(pipeline(Readable.from([bytes]), upload));
  return key;
}

async function openBlob(place: Place, key: string, owner: string, now: number): Promise<OpenBlob | null> {
  const expiresAt = expiryOf(key);
  if (expiresAt === null || expiresAt <= now) return null;
  const file = await place.files.findOne({ _id: key, "metadata.owner": owner });
  if (!file) return null;
  const body = Readable.from(chunksOf(place, file), { objectMode: false });
  return { contentType: file.metadata.contentType, size: file.length, body };
}

/** Chunk by chunk, each with a deadline: the stream of the bucket has none, and a client would wait for ever. */
async function* chunksOf({ chunks }: Place, { _id, length, chunkSize }: StoredFile): AsyncGenerator<Buffer> {
  for (let n = 0; n * chunkSize < length; n += 1) {
    const chunk = await mapMongoErrors(chunks.findOne({ files_id: _id, n }, { promoteBuffers: true }));
    if (chunk?.data.length !== Math.min(chunkSize, length - n * chunkSize))
      throw new Error(`The blob ${_id} has lost its chunk ${n}`);
    yield chunk.data;
  }
}

/**
 * Removes by key, so that the rest of an upload of a dead process goes too. Several nodes may run it at the same time;
 * each counts what it has removed itself.
 */
async function removeRange({ files, chunks }: Place, { from = "", below }: KeyRange): Promise<number> {
  const range = { $gte: from, $lt: below };
  const { deletedCount } = await files.deleteMany({ _id: range });
  await chunks.deleteMany({ files_id: range });
  return deletedCount;
}

/** GridFS takes ids of any type; the types of the library know one. */
function idOf(key: string): ObjectId {
  return key as unknown as ObjectId;
}
