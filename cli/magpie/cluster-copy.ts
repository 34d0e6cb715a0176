import { Readable } from "node:stream";
import type { Redis } from "ioredis";
import { BSON, type ClientSession, type Document, type Filter } from "mongodb";
import { checkRedis } from "../../mixins/cluster/check-redis.ts";
import { closeMongo, type Mongo, openMongo } from "../../mixins/cluster/mongo.ts";
import { openSharedRedis } from "../../mixins/cluster/redis.ts";
import type { ClusterConfig } from "../../mixins/config/config.ts";
import { copyLogs } from "../../mixins/event-log/copied-log.ts";
import { copyFrontier } from "../../mixins/frontier/copied-frontier.ts";
import type { BackupFile } from "../../mixins/store/backup/archive.ts";
import { CommandError, exitCodes } from "./failure.ts";

export interface Servers {
  mongo: Mongo;
  redis: Redis;
  namespace: string;
}

/** Connections to the servers of a cluster. Rejects with a message that names the setting of one that cannot be used. */
export async function openServers(cluster: ClusterConfig): Promise<Servers & { close(): Promise<void> }> {
  await checkRedis(cluster);
  const mongo = await openMongo(cluster);
  const { redis, close } = openSharedRedis(cluster.redisUrl, () => "what waits for it gets the error");
  return {
    ...{ mongo, redis, namespace: cluster.namespace },
    close: async () => {
      close();
      await closeMongo(cluster);
    },
  };
}

/**
 * What the servers of a cluster hold, while its nodes work: first MongoDB as it is at one moment, then what Redis has of logs
 * and crawls, then what these refer to, as it is at a second moment. So a source is never further than the log, no lane is
 * ahead of it, and each event and each page that has ended has its contents. Queues are left out: services make jobs anew
 * from their records.
 */
export async function* copyCluster(cluster: ClusterConfig): AsyncGenerator<BackupFile, void, void> {
  const servers = await openServers(cluster);
  try {
    yield* copyOf(servers);
  } finally {
    await servers.close();
  }
}

async function* copyOf(servers: Servers): AsyncGenerator<BackupFile, void, void> {
  const { mongo, redis, namespace } = servers;
  const { isSet, since } = await momentOf(servers);
  const collections = await collectionsOf(mongo);
  yield await indexesOf(mongo, collections);
  const crawlIds: string[] = [];
  yield* atOneMoment(mongo, isSet, async function* (session) {
    const crawls = mongo.db.collection<{ _id: string }>(mongo.name("crawls"));
    for await (const { _id } of crawls.find({}, { session, projection: { _id: 1 } })) crawlIds.push(_id);
    for (const name of collections.filter(each => !readLater.has(each)))
      yield* documents(mongo, { name, filter: {}, session });
  });
  yield* inParts("log", lines(copyLogs(redis, `${namespace}:log:`)));
  yield* inParts("frontier", lines(frontiersOf(servers, crawlIds)));
  yield* atOneMoment(mongo, isSet, async function* (session) {
    for (const name of ["log_segments", "log_bodies"]) yield* documents(mongo, { name, filter: {}, session });
    for (const id of crawlIds) yield* documents(mongo, { name: "crawl_pages", filter: pagesOf(id), session });
    yield* blobsSince(mongo, since, session);
  });
}

/** Read after Redis, and `cluster`: a restored cluster gets an identity of its own. */
const readLater = new Set(["cluster", "log_segments", "log_bodies", "crawl_pages"]);

/** For clocks that differ. */
const slackMs = 600_000;

/** Whether MongoDB can be read as it is at one moment, and a time (of MongoDB) that is surely before it. */
async function momentOf({ mongo, redis, namespace }: Servers): Promise<{ isSet: boolean; since: Date }> {
  const { setName, msg, localTime } = await mongo.db.admin().command({ hello: 1 });
  const isSet = setName !== undefined || msg === "isdbgrid";
  if (!isSet && (await someKey(redis, `${namespace}:lease:*`)))
    throw new CommandError(
      "MONGO_URL: this MongoDB is a single server, which cannot be read as it is at one moment. Make it a replica set, of one server at least (docs/operations/backup-and-restore.md), or stop all nodes of the cluster and wait 15 s.",
      exitCodes.usage,
    );
  return { isSet, since: new Date((localTime as Date).getTime() - slackMs) };
}

/** The keys that a pattern matches, some at a time. */
export async function* keysOf(redis: Redis, pattern: string): AsyncGenerator<string[]> {
  for (let cursor = "0"; ; ) {
    const [next, keys] = await redis.scan(cursor, "MATCH", pattern, "COUNT", 1000);
    if (keys.length > 0) yield keys;
    if (next === "0") return;
    cursor = next;
  }
}

/** A key that a pattern matches; undefined where there is none. */
export async function someKey(redis: Redis, pattern: string): Promise<string | undefined> {
  for await (const [key] of keysOf(redis, pattern)) return key;
  return undefined;
}

/** Those of this cluster, without its namespace. */
export async function collectionsOf({ db, name }: Mongo): Promise<string[]> {
  const prefix = name("");
  const all = await db.listCollections({ type: "collection" }, { nameOnly: true }).toArray();
  const own = all.filter(each => each.name.startsWith(prefix));
  return own.map(each => each.name.slice(prefix.length)).sort();
}

async function indexesOf({ db, name }: Mongo, collections: string[]): Promise<BackupFile> {
  const indexes: Record<string, Document[]> = {};
  for (const each of collections) indexes[each] = await db.collection(name(each)).indexes();
  const bytes = Buffer.from(JSON.stringify(indexes));
  return { name: "indexes.json", size: bytes.length, content: Readable.from([bytes]) };
}

const [snapshotUnavailable, snapshotTooOld] = [246, 239];

async function* atOneMoment<Value>(
  { db }: Mongo,
  isSet: boolean,
  read: (session: ClientSession) => AsyncGenerator<Value>,
): AsyncGenerator<Value> {
  const session = db.client.startSession({ snapshot: isSet });
  try {
    yield* read(session);
  } catch (cause) {
    const { code } = cause as { code?: unknown };
    if (code === snapshotTooOld)
      throw new Error(
        "MongoDB has forgotten the moment that is copied: the copy takes longer than it remembers. Set its parameter minSnapshotHistoryWindowInSeconds to more than the 300 s of its default.",
        { cause },
      );
    if (code === snapshotUnavailable)
      throw new Error("a collection or an index is being made. Try again in a minute.", { cause });
    throw cause;
  } finally {
    await session.endSession();
  }
}

interface Selection {
  name: string;
  filter: Record<string, unknown>;
  session: ClientSession;
}

async function* documents(mongo: Mongo, { name, filter, session }: Selection): AsyncGenerator<BackupFile> {
  const found = mongo.db
    .collection(mongo.name(name))
    .find(filter as Filter<Document>, { session, raw: true });
  yield* inParts(`mongo/${name}`, found as AsyncIterable<unknown> as AsyncIterable<Uint8Array>);
}

/** The ids of all pages of a crawl: "/" is the character after ".". */
function pagesOf(crawlId: string): Selection["filter"] {
  return { _id: { $gt: `${crawlId}.`, $lt: `${crawlId}/` } };
}

const filesTogether = 100;

/** Blobs that may have come since the first moment; those of before are among the rest of MongoDB. */
async function* blobsSince(mongo: Mongo, since: Date, session: ClientSession): AsyncGenerator<BackupFile> {
  const files = mongo.db.collection<{ _id: string }>(mongo.name("blobs.files"));
  const newer = { uploadDate: { $gte: since } } as Filter<{ _id: string }>;
  const ids: string[] = [];
  for await (const { _id } of files.find(newer, { session, projection: { _id: 1 } })) ids.push(_id);
  for (let at = 0; at < ids.length; at += filesTogether) {
    const some = { $in: ids.slice(at, at + filesTogether) };
    yield* documents(mongo, { name: "blobs.chunks", filter: { files_id: some }, session });
    yield* documents(mongo, { name: "blobs.files", filter: { _id: some }, session });
  }
}

async function* frontiersOf({ redis, namespace }: Servers, crawlIds: string[]): AsyncGenerator<unknown> {
  for (const id of crawlIds) {
    const part = await copyFrontier(redis, `${namespace}:frontier`, id);
    if (part) yield part;
  }
}

async function* lines(values: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const value of values) yield Buffer.from(`${JSON.stringify(value)}\n`);
}

const partBytes = 4 * 1024 ** 2;
let parts = 0;

/** Records as files of some megabytes, each below this name. */
async function* inParts(name: string, records: AsyncIterable<Uint8Array>): AsyncGenerator<BackupFile> {
  let [some, size] = [[] as Uint8Array[], 0];
  const part = (): BackupFile => {
    parts += 1;
    const file = { name: `${name}/${parts}`, size, content: Readable.from([Buffer.concat(some)]) };
    [some, size] = [[], 0];
    return file;
  };
  for await (const record of records) {
    some.push(record);
    size += record.length;
    if (size >= partBytes) yield part();
  }
  if (size > 0) yield part();
}

/** The documents that a part of a collection holds, with the types that they have in MongoDB. */
export function documentsIn(part: Buffer): Document[] {
  const found: Document[] = [];
  for (let at = 0; at < part.length; ) {
    const length = part.readInt32LE(at);
    found.push(BSON.deserialize(part.subarray(at, at + length), { promoteValues: false, bsonRegExp: true }));
    at += length;
  }
  return found;
}
