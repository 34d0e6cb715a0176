import type { Collection, Filter } from "mongodb";
import { encodeTime } from "ulid";
import { closeMongo, type Mongo, mapMongoErrors, openMongo, withDeadline } from "../cluster/mongo.ts";
import type { ClusterConfig } from "../config/config.ts";
import type { Blobs } from "../store/blobs/blobs.ts";
import type { OpenBlobs } from "../store/blobs/open-blobs.ts";
import { addVersions } from "./add-versions.ts";
import { bytesOfWords, bytesOf as heldBytes, nothing } from "./cost.ts";
import {
  after,
  isOutdone,
  type Kept,
  knownAs,
  type NewVersion,
  type OpenHistory,
  type Said,
  type Span,
  type Version,
  type VersionsWanted,
} from "./history.ts";
import { MongoContents, graceMs as usualGraceMs } from "./mongo-contents.ts";
import {
  bytesOf,
  ensureRemovalIndexes,
  erase,
  heldOf,
  type Inside,
  prune,
  type StoredVersion,
} from "./mongo-removal.ts";
import { MongoRuns } from "./mongo-runs.ts";
import { MongoWords } from "./mongo-words.ts";
import { indexedOf } from "./word-index.ts";

/** The history of a cluster, on the process' connection to MongoDB; large contents are in its blob store, which it closes. */
export async function openMongoHistory(
  cluster: ClusterConfig,
  blobs: OpenBlobs,
  options: MongoHistoryOptions = {},
): Promise<OpenHistory> {
  const mongo = await openMongo(cluster).catch(async error => {
    await blobs.close();
    throw error;
  });
  const close = async () => {
    await closeMongo(cluster);
    await blobs.close();
  };
  try {
    return { ...(await mongoHistory(mongo, blobs.blobs, options)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

export interface MongoHistoryOptions {
  /** Milliseconds for which a content stays that nothing refers to. */
  graceMs?(): number;
  /** A content, by its hash, cannot be read. */
  onUnreadable?(hash: string, error: unknown): void;
}

/** A history on a connection, which stays the caller's. */
export async function mongoHistory(
  mongo: Mongo,
  blobs: Blobs,
  { graceMs = () => usualGraceMs, onUnreadable = () => undefined }: MongoHistoryOptions = {},
): Promise<Omit<OpenHistory, "close">> {
  const versions: Collection<StoredVersion> = withDeadline(
    mongo.db.collection(mongo.name("history_versions")),
  );
  const contents = new MongoContents(mongo, {
    blobs,
    graceMs,
    onUnreadable,
    now: async () => ((await mongo.db.command({ hello: 1 })).localTime as Date).getTime(),
    isReferred: async hash => (await versions.findOne({ hash }, { projection: { _id: 1 } })) !== null,
    onRepacked: async (hash, bytes) => void (await versions.updateMany({ hash }, { $set: { bytes } })),
  });
  const [runs, words] = [new MongoRuns(mongo), new MongoWords(mongo)];
  const inside: Inside = { versions, contents, runs, words };
  await mapMongoErrors(ensureIndexes(inside));
  return mapped(openedHistory(inside));
}

function openedHistory(inside: Inside): Omit<OpenHistory, "close"> {
  const { versions, contents, runs, words } = inside;
  return {
    add: added => addVersions(added, version => addOne(inside, version)),
    restate: async (sourceId, id, said) => {
      const former = await versions.findOne({ sourceId, id });
      return former ? restate(versions, former, said) : { id };
    },
    versions: (sourceId, wanted) => list(versions, sourceId, wanted),
    version: async (sourceId, id) => shown(await versions.findOne({ sourceId, id })),
    versionAt: (sourceId, at, item) => versionAt(versions, sourceId, at, item),
    content: hash => contents.read(hash),
    adopt: (from, to, span) => adopt(inside, from, to, span),
    addChecks: added => runs.addChecks(added),
    checks: (sourceId, { before = Number.MAX_SAFE_INTEGER, limit }) => runs.checksOf(sourceId, before, limit),
    addValues: added => runs.addValues(added),
    values: (sourceId, wanted) => runs.valuesOf(sourceId, wanted),
    bytesOf: sourceIds => bytesOf(inside, sourceIds),
    size: async sourceId => {
      const held = (await heldOf(inside, [sourceId])).get(sourceId) ?? nothing;
      return { versions: held.versions, bytes: heldBytes(held) };
    },
    prune: (sourceId, keep) => prune(inside, sourceId, keep),
    erase: (sourceId, until) => erase(inside, sourceId, until),
    search: (query, scopes, page) => words.find(query, scopes, page),
    addEvents: events => words.putNew(events),
    pruneEvents: before => inSlices(limit => words.removeEvents(before, limit)),
    sourceIds: (after, limit) => sourceIds(inside, after, limit),
    sweep: () => contents.sweep(),
  };
}

const sweepSlice = 200;

async function inSlices(removeSome: (limit: number) => Promise<number>): Promise<number> {
  let removed = 0;
  for (let some = sweepSlice; some >= sweepSlice; removed += some) some = await removeSome(sweepSlice);
  return removed;
}

async function ensureIndexes({ versions, contents, runs, words }: Inside): Promise<void> {
  await versions.createIndex({ sourceId: 1, id: 1 });
  await versions.createIndex({ sourceId: 1, item: 1, id: 1 });
  await versions.createIndex({ hash: 1 });
  await ensureRemovalIndexes(versions);
  await contents.ensureIndexes();
  await runs.ensureIndexes();
  await words.ensureIndexes();
}

/** The operations with errors that say whether the server can be reached. */
function mapped<Operations extends object>(operations: Operations): Operations {
  const entries = Object.entries(operations).map(([name, operation]) => [
    name,
    (...args: unknown[]) => mapMongoErrors(operation(...args)),
  ]);
  return Object.fromEntries(entries) as Operations;
}

/** The content is there, and stays for the time of grace, before the version refers to it. */
async function addOne(inside: Inside, given: NewVersion): Promise<Kept> {
  const { versions, contents, words } = inside;
  const { sourceId, hash, content, item } = given;
  const [former] = await versions
    .find({ sourceId, item: item ?? null })
    .sort({ id: -1 })
    .limit(1)
    .toArray();
  const isRepeat = (await versions.findOne({ sourceId, id: given.id }, { projection: { _id: 1 } })) !== null;
  const version = isRepeat ? given : after(former ?? null, given);
  if (former?.hash === hash) {
    // A process may have died before it had indexed the words.
    await words.put([indexedOf({ ...version, id: former.id, at: former.at })]);
    return isOutdone(former, version) ? restate(versions, former, version, version.title) : knownAs(former);
  }
  const bytes = await contents.put(hash, content, former?.hash ?? null);
  // This process may have been suspended for longer than the time of grace: the content may have gone.
  if (!(await contents.touch(hash))) return addOne(inside, version);
  await put(versions, { ...version, bytes, wordBytes: bytesOfWords(version.words) });
  // From here on it stays, if it is there still.
  if (!(await contents.touch(hash))) await contents.put(hash, content, null);
  await words.put([indexedOf(version)]);
  return knownAs(version);
}

/** An event keeps its time. */
async function restate(
  versions: Collection<StoredVersion>,
  former: Pick<StoredVersion, "_id" | "id" | "eventId" | "eventAt">,
  { outcome, reason, eventId, previousId, picture, added, removed, ...said }: Said,
  title?: string,
): Promise<Kept> {
  const isKnown = eventId !== undefined && former.eventId === eventId;
  const eventAt = (isKnown ? former.eventAt : undefined) ?? said.eventAt;
  const all = {
    outcome,
    reason,
    eventId,
    eventAt,
    previousId,
    picture,
    added,
    removed,
    ...(title !== undefined && { title }),
  };
  const gone = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [[name, true as const]] : [],
  );
  const unset = gone.length > 0 && { $unset: Object.fromEntries(gone) };
  await versions.updateOne({ _id: former._id }, { $set: all, ...unset });
  return { id: former.id, ...(eventAt !== undefined && { eventAt }) };
}

async function put(
  versions: Collection<StoredVersion>,
  version: Version & { wordBytes?: number | undefined },
): Promise<void> {
  const stored = storedVersion(version);
  await versions.replaceOne({ _id: stored._id }, stored, { upsert: true });
}

function storedVersion({
  wordBytes,
  ...version
}: Version & { wordBytes?: number | undefined }): StoredVersion {
  const { id, sourceId, item = null, at, hash, title, outcome, reason, bytes } = version;
  const { eventId, eventAt, previousId, picture, added, removed } = version;
  const said = { outcome, reason, eventId, eventAt, previousId, picture, added, removed };
  return {
    _id: `${sourceId} ${id}`,
    id,
    sourceId,
    item,
    at,
    hash,
    title,
    ...said,
    bytes,
    ...(wordBytes !== undefined && { wordBytes }),
  };
}

function shown(stored: StoredVersion | null): Version | null {
  if (!stored) return null;
  const { _id, item, wordBytes: _, ...version } = stored;
  return { ...version, ...(item !== null && { item }) };
}

async function list(
  versions: Collection<StoredVersion>,
  sourceId: string,
  { before = "~", after = "", item, hash, outcomes, oldestFirst, limit }: VersionsWanted,
): Promise<Version[]> {
  const wanted: Filter<StoredVersion> = {
    sourceId,
    ...(item !== undefined && { item }),
    ...(hash !== undefined && { hash }),
    id: { $lt: before, $gt: after },
    ...(outcomes && { outcome: { $in: [...outcomes] } }),
  };
  const found = await versions
    .find(wanted)
    .sort({ id: oldestFirst ? 1 : -1 })
    .limit(limit)
    .toArray();
  return found.flatMap(each => shown(each) ?? []);
}

async function versionAt(
  versions: Collection<StoredVersion>,
  sourceId: string,
  at: number,
  item?: string,
): Promise<Version | null> {
  const [found] = await list(versions, sourceId, {
    before: firstIdAfter(at),
    ...(item !== undefined && { item }),
    limit: 1,
  });
  return found ?? null;
}

/** Sorts after every id of a version of this time, and before those of later ones. */
function firstIdAfter(at: number): string {
  return encodeTime(Math.max(0, Math.floor(at) + 1), 10);
}

/** Versions that are copied together. */
const adoptedAtOnce = 200;

async function adopt(
  { versions, contents, runs, words }: Inside,
  from: string,
  to: string,
  { since, notBefore = 0, until }: Span,
): Promise<void> {
  const begin = await versionAt(versions, from, since);
  const first = begin && begin.at >= notBefore ? begin.id : firstIdAfter(since - 1);
  const wanted = { sourceId: from, id: { $gte: first, $lt: firstIdAfter(until - 1) } };
  const adopted = await versions.find(wanted).sort({ id: 1 }).toArray();
  for (let at = 0; at < adopted.length; at += adoptedAtOnce) {
    const some = adopted.slice(at, at + adoptedAtOnce);
    const there = await contents.touchAll(some.map(({ hash }) => hash));
    const copies = some
      .filter(({ hash }) => there.has(hash))
      .map(each => ({ ...each, _id: `${to} ${each.id}`, sourceId: to }));
    const writes = copies.map(copy => ({
      replaceOne: { filter: { _id: copy._id }, replacement: copy, upsert: true },
    }));
    if (writes.length > 0) await versions.bulkWrite(writes);
    await words.copy(
      from,
      to,
      copies.map(({ id }) => id),
    );
  }
  await runs.adopt(from, to, since, until);
}

/** The next source of each collection, again and again: a distinct of all of them would read every row. */
async function sourceIds({ versions, runs }: Inside, after: string, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let last = after; ids.length < limit; ) {
    const next = await Promise.all([
      nextSource(versions, last),
      nextSource(runs.checks, last),
      nextSource(runs.values, last),
    ]);
    const [id] = next.filter(each => each !== null).sort();
    if (id === undefined) break;
    ids.push(id);
    last = id;
  }
  return ids;
}

async function nextSource<Of extends { sourceId: string }>(
  collection: Collection<Of>,
  after: string,
): Promise<string | null> {
  const later = { sourceId: { $gt: after } } as Filter<Of>;
  const [row] = await collection.find(later).sort({ sourceId: 1 }).limit(1).toArray();
  return row ? String(row.sourceId) : null;
}
