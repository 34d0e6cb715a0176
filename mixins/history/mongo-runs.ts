import type { AnyBulkWriteOperation, Collection, Document, Filter } from "mongodb";
import { type Mongo, withDeadline } from "../cluster/mongo.ts";
import type { CheckRun, ValueRun } from "./history.ts";

type Stored<Of> = Of & { _id: string };

/** The runs of checks and of values of a cluster's history. */
export class MongoRuns {
  readonly checks: Collection<Stored<CheckRun>>;
  readonly values: Collection<Stored<ValueRun>>;

  constructor({ db, name }: Mongo) {
    this.checks = withDeadline(db.collection(name("history_checks")));
    this.values = withDeadline(db.collection(name("history_values")));
  }

  async ensureIndexes(): Promise<void> {
    await this.checks.createIndex({ sourceId: 1, first: 1 });
    await this.checks.createIndex({ sourceId: 1, last: 1 });
    await this.values.createIndex({ sourceId: 1, last: 1 });
    await this.values.createIndex({ sourceId: 1, first: 1, field: 1 });
    await this.values.createIndex({ sourceId: 1, field: 1, first: 1 });
  }

  async addChecks(runs: CheckRun[]): Promise<void> {
    await write(this.checks, runs, ({ sourceId, first }) => JSON.stringify([sourceId, first]));
  }

  async addValues(runs: ValueRun[]): Promise<void> {
    await write(this.values, runs, valueId);
  }

  async checksOf(sourceId: string, before: number, limit: number): Promise<CheckRun[]> {
    const found = await this.checks
      .find({ sourceId, first: { $lt: before } })
      .sort({ first: -1 })
      .limit(limit)
      .toArray();
    return found.map(withoutId);
  }

  async valuesOf(
    sourceId: string,
    { field, from = 0, to = Number.MAX_SAFE_INTEGER, limit, newest = false }: ValuesWanted,
  ): Promise<ValueRun[]> {
    const wanted = {
      sourceId,
      ...(field !== undefined && { field }),
      last: { $gte: from },
      first: { $lt: to },
    };
    const order = newest ? (-1 as const) : (1 as const);
    const found = this.values.find(wanted).sort({ first: order, field: order }).limit(limit);
    const runs = (await found.toArray()).map(withoutId);
    return newest ? runs.reverse() : runs;
  }

  /** Gives a source the runs of another one from `since` on, cut at `until`. */
  async adopt(from: string, to: string, since: number, until: number): Promise<void> {
    const wanted = { sourceId: from, last: { $gte: since }, first: { $lt: until } };
    const adopted = <Run extends CheckRun | ValueRun>(run: Stored<Run>) =>
      ({ ...withoutId(run), sourceId: to, last: Math.min(run.last, until - 1) }) as unknown as Run;
    await this.addChecks((await this.checks.find(wanted).toArray()).map(adopted<CheckRun>));
    await this.addValues((await this.values.find(wanted).toArray()).map(adopted<ValueRun>));
  }

  /** Removes runs that ended before a time, the oldest first, of each kind `most` at most; answers how many went. */
  async removeOver(sourceId: string, until: number, most = Infinity): Promise<number> {
    const over = { sourceId, last: { $lt: until } };
    const checks = await removeSome(this.checks, over as Filter<Stored<CheckRun>>, most);
    return checks + (await removeSome(this.values, over as Filter<Stored<ValueRun>>, most));
  }

  /** Removes the oldest runs of a kind; answers how many went. */
  removeOldest(kind: "checks" | "values", sourceId: string, most: number): Promise<number> {
    if (kind === "checks") return removeSome(this.checks, { sourceId }, most);
    return removeSome(this.values, { sourceId }, most);
  }

  /** How many there are of each of these sources. */
  async countsOf(sourceIds: string[]): Promise<{ checks: Map<string, number>; values: Map<string, number> }> {
    return {
      checks: await countsIn(this.checks, sourceIds),
      values: await countsIn(this.values, sourceIds),
    };
  }
}

/** Rows that one command removes. */
const slice = 1000;

async function removeSome<Run extends { sourceId: string }>(
  collection: Collection<Stored<Run>>,
  wanted: Filter<Stored<Run>>,
  most: number,
): Promise<number> {
  for (let total = 0; ; ) {
    const limit = Math.min(slice, most - total);
    if (limit <= 0) return total;
    const some = collection.find(wanted).project<{ _id: string }>({ _id: 1 }).sort({ last: 1 });
    const ids = (await some.limit(limit).toArray()).map(({ _id }) => _id);
    if (ids.length > 0) await collection.deleteMany({ _id: { $in: ids } } as Filter<Stored<Run>>);
    total += ids.length;
    if (ids.length < limit) return total;
  }
}

async function countsIn<Run extends { sourceId: string }>(
  collection: Collection<Stored<Run>>,
  sourceIds: string[],
): Promise<Map<string, number>> {
  const counts = collection.aggregate<{ _id: string; count: number }>([
    { $match: { sourceId: { $in: sourceIds } } },
    { $project: { _id: 0, sourceId: 1 } },
    { $group: { _id: "$sourceId", count: { $sum: 1 } } },
  ]);
  return new Map((await counts.toArray()).map(({ _id, count }) => [_id, count]));
}

interface ValuesWanted {
  field?: string;
  from?: number;
  to?: number;
  limit: number;
  newest?: boolean;
}

function valueId({ sourceId, field, first }: ValueRun): string {
  return JSON.stringify([sourceId, field, first]);
}

async function write<Run extends object>(
  collection: Collection<Stored<Run>>,
  runs: Run[],
  idOf: (run: Run) => string,
): Promise<void> {
  if (runs.length === 0) return;
  const writes = runs.map(run => ({
    replaceOne: { filter: { _id: idOf(run) }, replacement: run, upsert: true },
  }));
  await collection.bulkWrite(writes as unknown as AnyBulkWriteOperation<Stored<Run>>[]);
}

function withoutId<Of extends Document>({ _id, ...run }: Of & { _id: unknown }): Omit<Of, "_id"> {
  return run as unknown as Omit<Of, "_id">;
}
