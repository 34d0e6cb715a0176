import { buffer } from "node:stream/consumers";
import type { Document } from "mongodb";
import { brokenOffRestore } from "../../mixins/cluster/join-cluster.ts";
import type { Mongo } from "../../mixins/cluster/mongo.ts";
import type { ClusterConfig } from "../../mixins/config/config.ts";
import { type LogPart, restoreLog } from "../../mixins/event-log/copied-log.ts";
import { type FrontierPart, restoreFrontier } from "../../mixins/frontier/copied-frontier.ts";
import type { BackupFile } from "../../mixins/store/backup/archive.ts";
import { gapSince } from "../../mixins/store/backup/snapshot.ts";
import { type Manifest, readBackup } from "./backup-file.ts";
import { collectionsOf, documentsIn, keysOf, openServers, type Servers, someKey } from "./cluster-copy.ts";
import { CommandError, exitCodes } from "./failure.ts";

const known = /^(?:indexes\.json|mongo\/[\w.-]+\/\d+|(?:log|frontier)\/\d+)$/;

/**
 * Puts a backup into the servers of a cluster, which must hold nothing of its namespace. The file is read twice: nothing is
 * written before all of it is known to be sound. Nodes refuse to start on what a restore has left that was broken off; the
 * next one removes it and begins anew.
 */
export async function restoreCluster(cluster: ClusterConfig, path: string): Promise<Manifest> {
  try {
    const manifest = await readBackup(path, 2, pass);
    const servers = await openServers(cluster);
    try {
      await putBack(servers, path, manifest);
    } finally {
      await servers.close();
    }
    return manifest;
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw new CommandError(`${path} cannot be restored: ${(cause as Error).message}`, exitCodes.failed, {
      cause,
    });
  }
}

async function pass({ name, content }: BackupFile): Promise<void> {
  if (!known.test(name)) throw new Error("it is of a data folder, and a cluster does not take one over.");
  for await (const part of content) void part;
}

async function putBack(servers: Servers, path: string, { taken_at }: Manifest): Promise<void> {
  const { mongo, redis, namespace } = servers;
  const facts = mongo.db.collection<{ _id: string; value: string }>(mongo.name("cluster"));
  if (await facts.findOne({ _id: brokenOffRestore })) await empty(servers);
  await refuseFull(servers);
  await facts.insertOne({ _id: brokenOffRestore, value: taken_at });
  const gap = gapSince(Date.parse(taken_at), Date.now());
  await readBackup(path, 2, async ({ name, content }) => {
    const bytes = await buffer(content);
    const [kind, collection = ""] = name.split("/");
    if (kind === "mongo") await insert(mongo, collection, bytes);
    else if (kind === "indexes.json") await createIndexes(mongo, bytes);
    else
      for (const line of bytes.toString().split("\n").filter(Boolean))
        if (kind === "log") await restoreLog(redis, `${namespace}:log:`, JSON.parse(line) as LogPart, gap);
        else await restoreFrontier(redis, `${namespace}:frontier`, JSON.parse(line) as FrontierPart);
  });
  await skipUnknown(servers, gap);
  await facts.deleteOne({ _id: brokenOffRestore });
}

async function refuseFull({ mongo, redis, namespace }: Servers): Promise<void> {
  const refuse = (what: string) => {
    throw new CommandError(
      `The servers hold ${what} of the namespace ${namespace}. Stop all nodes, and name empty servers or another CLUSTER_NAMESPACE.`,
      exitCodes.usage,
    );
  };
  const key = await someKey(redis, `${namespace}:*`);
  if (key) refuse(`the key ${key}`);
  for (const name of await collectionsOf(mongo))
    if (await mongo.db.collection(mongo.name(name)).findOne({}, { projection: { _id: 1 } }))
      refuse(`the collection ${mongo.name(name)}`);
}

/** Removes what a restore has left that was broken off: no node has worked on it. */
async function empty({ mongo, redis, namespace }: Servers): Promise<void> {
  for await (const keys of keysOf(redis, `${namespace}:*`)) await redis.unlink(keys);
  const collections = await collectionsOf(mongo);
  // What marks it goes last.
  for (const name of collections.filter(each => each !== "cluster"))
    await mongo.db.dropCollection(mongo.name(name));
  if (collections.includes("cluster")) await mongo.db.dropCollection(mongo.name("cluster"));
}

const duplicateKey = 11_000;

async function insert(mongo: Mongo, collection: string, bytes: Buffer): Promise<void> {
  const documents = documentsIn(bytes).map(asRestored[collection] ?? (document => document));
  const inserted = mongo.db.collection(mongo.name(collection)).insertMany(documents, { ordered: false });
  // A blob may be in the backup twice.
  await inserted.catch((error: { code?: unknown }) => {
    if (error.code !== duplicateKey || !collection.startsWith("blobs.")) throw error;
  });
}

/** Queues are empty after a restore, and runs are counted anew. */
const asRestored: Record<string, (document: Document) => Document> = {
  // Each is queued anew by the first scraper that looks for what is overdue.
  scrapes: document => (document.status === "pending" ? { ...document, checkAt: 0 } : document),
  crawl_pages: document => ({ ...document, fence: 0 }),
};

/** Before there are documents, since a large collection would keep the first node waiting. */
async function createIndexes(mongo: Mongo, bytes: Buffer): Promise<void> {
  const all = JSON.parse(bytes.toString()) as Record<string, (Document & { name: string })[]>;
  for (const [collection, found] of Object.entries(all)) {
    const indexes = found.filter(({ name }) => name !== "_id_").map(({ v, ns, ...index }) => index);
    if (indexes.length > 0) await mongo.db.command({ createIndexes: mongo.name(collection), indexes });
  }
}

/** A key without events may have got its first ones since the backup: its numbers are not given again either. */
async function skipUnknown({ mongo, redis, namespace }: Servers, gap: number): Promise<void> {
  const keys = mongo.db.collection<{ _id: string }>(mongo.name("api_keys"));
  for await (const { _id } of keys.find({}, { projection: { _id: 1 } }))
    await redis.hsetnx(`${namespace}:log:floors`, _id, gap);
}
