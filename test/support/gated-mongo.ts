import type { Collection } from "mongodb";
import type { Mongo } from "../../mixins/cluster/mongo.ts";

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

export type Gate = (kind: "read" | "write") => Promise<void>;

/** A process' way to its database on which each step waits at a gate; one that never opens is the end of the process. */
export function gatedMongo({ db, name }: Mongo, gate: Gate): Mongo {
  const collection = (called: string) => gated(db.collection(called), gate);
  return { db: instead(db, key => (key === "collection" ? collection : undefined)), name };
}

function gated(collection: Collection, gate: Gate): Collection {
  return instead(collection, key => {
    const step = Reflect.get(collection, key) as (...args: unknown[]) => unknown;
    if (key === "find")
      return (...args: unknown[]) => gatedCursor(step.apply(collection, args) as Cursor, gate);
    if (key !== "findOne" && !writes.has(key)) return undefined;
    return async (...args: unknown[]) => {
      await gate(key === "findOne" ? "read" : "write");
      return step.apply(collection, args);
    };
  });
}

type Cursor = ReturnType<Collection["find"]>;

function gatedCursor(cursor: Cursor, gate: Gate): Cursor {
  const all = async () => {
    await gate("read");
    return cursor.toArray();
  };
  const narrowing = (key: "sort" | "skip" | "limit") => (argument: never) =>
    gatedCursor(cursor[key](argument), gate);
  return instead(cursor, key => {
    if (key === "toArray") return all;
    return key === "sort" || key === "skip" || key === "limit" ? narrowing(key) : undefined;
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
