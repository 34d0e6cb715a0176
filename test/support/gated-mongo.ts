import type { Collection, Db } from "mongodb";
import type { Mongo } from "../../mixins/mongo/mongo.ts";

const writes = new Set<unknown>([
  "bulkWrite",
  "deleteMany",
  "deleteOne",
  "findOneAndDelete",
  "findOneAndReplace",
  "findOneAndUpdate",
  "insertMany",
  "insertOne",
  "replaceOne",
  "updateMany",
  "updateOne",
]);

/** A process' way to its database on which each write waits at a gate; one that never opens is the end of the process. */
export function gatedMongo({ db, name }: Mongo, gate: () => Promise<void>): Mongo {
  const collection = (called: string) => gated(db.collection(called), gate);
  return { db: instead(db, key => (key === "collection" ? collection : undefined)) as Db, name };
}

function gated(collection: Collection, gate: () => Promise<void>): Collection {
  return instead(collection, key => {
    if (!writes.has(key)) return undefined;
    const write = Reflect.get(collection, key) as (...args: unknown[]) => Promise<unknown>;
    return async (...args: unknown[]) => {
      await gate();
      return write.apply(collection, args);
    };
  });
}

function instead<Target extends object>(target: Target, other: (key: PropertyKey) => unknown): Target {
  return new Proxy(target, {
    get(_, key) {
      const value = other(key) ?? Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
