import type { Filter } from "mongodb";
import { type Mongo, mapMongoErrors, withDeadline } from "../../cluster/mongo.ts";
import type { Segment, SegmentIndex, Wanted } from "./segment-index.ts";

interface StoredSegment extends Omit<Segment, "blob"> {
  /** The key of its blob. */
  _id: string;
  state: "planned" | "sealed" | "withdrawn";
}

/** The index of a cluster, in MongoDB. */
export async function openMongoIndex({ db, name }: Mongo): Promise<SegmentIndex> {
  const segments = withDeadline(db.collection<StoredSegment>(name("log_segments")));
  for (const fields of [["keyId", "last"], ["lastAt"], ["state"]])
    await mapMongoErrors(segments.createIndex(fields));
  const one = async (filter: Filter<StoredSegment>, last: 1 | -1) => {
    const found = segments.findOne({ ...filter, state: "sealed" }, { sort: { last } });
    return segmentOf(await mapMongoErrors(found));
  };
  return {
    plan: async ({ blob, ...segment }) =>
      void (await mapMongoErrors(segments.insertOne({ _id: blob, ...segment, state: "planned" }))),
    seal: async blob => {
      const change = segments.updateOne({ _id: blob, state: "planned" }, { $set: { state: "sealed" } });
      return (await mapMongoErrors(change)).modifiedCount > 0;
    },
    following: (keyId, after) => one({ keyId, last: { $gt: after } }, 1),
    begunBefore: (keyId, time) => one({ keyId, firstAt: { $lt: time } }, -1),
    find: async (wanted, limit) => {
      return segmentsOf(segments.find(filterOf(wanted), { limit }).toArray());
    },
    sealedAfter: async (blob, limit) => {
      const filter: Filter<StoredSegment> = { _id: { $gt: blob }, state: "sealed" };
      return segmentsOf(segments.find(filter, { sort: { _id: 1 }, limit }).toArray());
    },
    withPositionsOf: ({ keyId, first, last }) =>
      segmentsOf(segments.find({ keyId, first, last, state: "sealed" }).toArray()),
    withdraw: async (blobs, sealedToo) => {
      const which: Filter<StoredSegment> = {
        _id: { $in: blobs },
        ...(!sealedToo && { state: { $ne: "sealed" } }),
      };
      await mapMongoErrors(segments.updateMany(which, { $set: { state: "withdrawn" } }));
      const staying = segments.find({ _id: { $in: blobs }, state: "sealed" }, { projection: { _id: 1 } });
      return (await mapMongoErrors(staying.toArray())).map(({ _id }) => _id);
    },
    forget: async blobs =>
      void (await mapMongoErrors(segments.deleteMany({ _id: { $in: blobs }, state: "withdrawn" }))),
  };
}

function filterOf(wanted: Wanted): Filter<StoredSegment> {
  if ("keyId" in wanted) return { keyId: wanted.keyId };
  if ("endedBefore" in wanted) return { lastAt: { $lt: wanted.endedBefore } };
  return { state: { $in: ["planned", "withdrawn"] } };
}

async function segmentsOf(found: Promise<StoredSegment[]>): Promise<Segment[]> {
  return (await mapMongoErrors(found)).flatMap(segment => segmentOf(segment) ?? []);
}

function segmentOf(stored: StoredSegment | null): Segment | null {
  if (stored === null) return null;
  const { _id: blob, keyId, first, last, firstAt, lastAt, bytes } = stored;
  return { blob, keyId, first, last, firstAt, lastAt, bytes };
}
