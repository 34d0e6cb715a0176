import type { Collection } from "mongodb";
import { bytesWith, type Held, bytesOf as heldBytes, nothing } from "./cost.ts";
import type { Keep, Version } from "./history.ts";
import type { MongoContents } from "./mongo-contents.ts";
import type { MongoRuns } from "./mongo-runs.ts";
import type { MongoWords } from "./mongo-words.ts";
import { type Aged, type AgedSource, removeBeyond, removeOver } from "./what-goes.ts";

/** `_id` is the source's id and its own. A page has no item. */
export type StoredVersion = Omit<Version, "id" | "item"> & {
  _id: string;
  id: string;
  item: string | null;
  /** What its words take, with their index. */
  wordBytes?: number;
};

/** The parts of a cluster's history. */
export interface Inside {
  versions: Collection<StoredVersion>;
  contents: MongoContents;
  runs: MongoRuns;
  words: MongoWords;
}

/** Versions that one round removes. */
const slice = 100;
/** Versions, and runs of each kind, that one erasure removes. */
const erasedAtOnce = 1000;
const runsErasedAtOnce = 10_000;

export async function ensureRemovalIndexes(versions: Collection<StoredVersion>): Promise<void> {
  // All that is added up is in the index.
  await versions.createIndex({ sourceId: 1, bytes: 1, wordBytes: 1 });
  await versions.createIndex(
    { sourceId: 1, previousId: 1 },
    { partialFilterExpression: { previousId: { $exists: true } } },
  );
}

export function prune(inside: Inside, sourceId: string, keep: Keep): Promise<number> {
  return removeBeyond(agedSource(inside, sourceId), keep);
}

export async function erase(inside: Inside, sourceId: string, until?: number): Promise<boolean> {
  if (until !== undefined) {
    const source = agedSource(inside, sourceId);
    const removed = await removeOver(source, until, erasedAtOnce);
    await source.removeRuns(until);
    return removed < erasedAtOnce;
  }
  const { versions, runs, words } = inside;
  const newest = versions.find({ sourceId }, { projection: { id: 1, hash: 1 } });
  const some = await newest.sort({ id: -1 }).limit(erasedAtOnce).toArray();
  await removeVersions(inside, sourceId, some);
  const texts = await words.removeSome(sourceId, erasedAtOnce);
  const ended = await runs.removeOver(sourceId, Number.MAX_SAFE_INTEGER, runsErasedAtOnce);
  return some.length < erasedAtOnce && texts < erasedAtOnce && ended < runsErasedAtOnce;
}

/** What is kept of these sources. */
export async function heldOf(
  { versions, runs }: Pick<Inside, "versions" | "runs">,
  sourceIds: string[],
): Promise<Map<string, Held>> {
  const held = new Map<string, Held>();
  const add = (id: string, some: Partial<Held>) => held.set(id, { ...nothing, ...held.get(id), ...some });
  const ofThem = { $match: { sourceId: { $in: sourceIds } } };
  const bytes = { $sum: { $add: ["$bytes", { $ifNull: ["$wordBytes", 0] }] } };
  const sums = versions.aggregate<{ _id: string; versions: number; bytes: number }>([
    ofThem,
    { $project: { _id: 0, sourceId: 1, bytes: 1, wordBytes: 1 } },
    { $group: { _id: "$sourceId", versions: { $sum: 1 }, bytes } },
  ]);
  for await (const { _id, ...sum } of sums) add(_id, sum);
  for (const [kind, counts] of Object.entries(await runs.countsOf(sourceIds)))
    for (const [id, count] of counts) add(id, { [kind]: count });
  return held;
}

export async function bytesOf(
  inside: Pick<Inside, "versions" | "runs">,
  sourceIds: string[],
): Promise<Map<string, number>> {
  return new Map([...(await heldOf(inside, sourceIds))].map(([id, held]) => [id, heldBytes(held)]));
}

function agedSource(inside: Inside, sourceId: string): AgedSource {
  const { versions, runs, words } = inside;
  return {
    newestId: async () => {
      const [newest] = await versions.find({ sourceId }).sort({ id: -1 }).limit(1).toArray();
      return newest?.id ?? null;
    },
    after: async (id, limit) => {
      const found = versions.find({ sourceId, id: { $gt: id } }).sort({ id: 1 });
      return (await found.limit(limit).toArray()).map(agedOf);
    },
    firstAfter: async (id, items) => {
      const later = versions.aggregate<{ first: StoredVersion }>([
        { $match: { sourceId, item: { $in: items.map(item => item ?? null) }, id: { $gt: id } } },
        { $sort: { item: 1, id: 1 } },
        { $group: { _id: "$item", first: { $first: "$$ROOT" } } },
      ]);
      const found = (await later.toArray()).map(({ first }) => agedOf(first));
      return new Map(found.map(each => [each.item, each]));
    },
    comparedFrom: async eventsFrom => {
      const told = [
        { eventAt: { $gte: eventsFrom } },
        { eventAt: { $exists: false }, at: { $gte: eventsFrom } },
      ];
      const found = versions.find({ sourceId, previousId: { $exists: true }, $or: told });
      return new Set((await found.toArray()).map(({ previousId }) => String(previousId)));
    },
    remove: async ids => {
      for (let at = 0; at < ids.length; at += slice) {
        const id = { $in: ids.slice(at, at + slice) };
        const some = await versions.find({ sourceId, id }).sort({ id: -1 }).toArray();
        await removeVersions(inside, sourceId, some);
      }
    },
    held: async () => (await heldOf(inside, [sourceId])).get(sourceId) ?? nothing,
    removeWords: async bytes => {
      let removed = 0;
      while (removed < bytes) {
        const some = await versions
          .find({ sourceId, wordBytes: { $gt: 0 } }, { projection: { id: 1, wordBytes: 1 } })
          .sort({ id: 1 })
          .limit(slice)
          .toArray();
        if (some.length === 0) break;
        const ids = some.map(({ id }) => id);
        await words.remove(sourceId, ids);
        await versions.updateMany({ sourceId, id: { $in: ids } }, { $unset: { wordBytes: true } });
        removed += some.reduce((sum, { wordBytes = 0 }) => sum + wordBytes, 0);
      }
      return removed;
    },
    removeRuns: async until => void (await runs.removeOver(sourceId, until)),
    removeOldest: async (kind, count) => void (await runs.removeOldest(kind, sourceId, count)),
  };
}

function agedOf(stored: StoredVersion): Aged {
  const { id, item, at, eventId, eventAt, previousId, bytes = 0, wordBytes = 0 } = stored;
  return {
    ...{ id, at, bytes: bytesWith(bytes, wordBytes) },
    ...(item !== null && { item }),
    ...(eventId !== undefined && { eventId }),
    ...(eventAt !== undefined && { eventAt }),
    ...(previousId !== undefined && { previousId }),
  };
}

/** Contents are doubted before their versions go, so that a crash in between leaves none that nobody looks at. */
async function removeVersions(
  { versions, contents, words }: Inside,
  sourceId: string,
  gone: Pick<StoredVersion, "id" | "hash">[],
): Promise<void> {
  for (let at = 0; at < gone.length; at += slice) {
    const some = gone.slice(at, at + slice);
    const hashes = [...new Set(some.map(({ hash }) => hash))];
    const token = await contents.doubt(hashes);
    const removed = some.map(({ id }) => id);
    await words.remove(sourceId, removed);
    await versions.deleteMany({ sourceId, id: { $in: removed } });
    await contents.removeDoubted(hashes, token);
  }
}
