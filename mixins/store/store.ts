/**
 * The store: documents in collections, for every service. A service declares its collections and indexes (`storeMixin` in
 * store.mixin.ts) and gets `this.store`, a `Store`. What is behind it differs by the size of the installation:
 *
 * - One process: a file of SQLite in the data folder (sqlite/). Each document is a row of JSON. Writes of one moment share a
 *   transaction and a sync (group-commit.ts). The process has the file to itself.
 * - A cluster: a database of MongoDB (mongo/). Each document has a version, `_v`; `change` reads, works, and writes only over
 *   the version that it read, else again. Nothing is repeated after a network error: the caller gets `overloaded`, and the
 *   write may have been done.
 *
 * Both pass test/suites/store.suite.ts, so a service need not know which one it has. How to write to it:
 *
 * - By what a document is now: `change`, or `updateIf` (update-if.ts) under a condition such as "I hold its lease".
 * - By what must be unique: a unique index, and `isInserted`, which answers who was first.
 * - Several documents: an order of writes in which each may be the last, and somebody who finds what is open and finishes it.
 *   docs/decisions/0163-no-transactions.md has the orders. Add a new one to the suites that stop a process before each write
 *   (test/suites/tracker-deaths.suite.ts, endpoint-deaths.suite.ts): it dies, sleeps, or does not get its answer.
 * - Every write must bear to be done twice, since an answer may be lost.
 *
 * Queries need an index: a collection may have millions of documents. Beside it: lists by cursor (pages.ts), idempotency keys
 * (idempotency.ts), large contents (blobs/).
 */

/** What every stored document has: its identity, a string that the caller chooses. */
export interface Doc {
  _id: string;
}

export type Scalar = string | number | boolean | null;

/** Conditions on one field. `null` means "null or missing", as in MongoDB; comparisons need fields of one type. */
export interface Condition {
  $eq?: Scalar;
  $ne?: Scalar;
  $in?: readonly Scalar[];
  $gt?: string | number;
  $gte?: string | number;
  $lt?: string | number;
  $lte?: string | number;
  $exists?: boolean;
}

type Dotted<Value> = { [path: `${string}.${string}`]: Value };

/** The part of MongoDB's query language that every driver understands; all fields must hold. */
export type Query<D> = { [Field in keyof D & string]?: Scalar | Condition } & Dotted<Scalar | Condition> & {
    $or?: Query<D>[];
  };

/** The part of MongoDB's update language that every driver understands. Dotted paths name fields of inner objects. */
export interface Update<D> {
  $set?: Partial<Omit<D, "_id">> & Dotted<unknown>;
  $unset?: { [Field in keyof D & string]?: true } & Dotted<true>;
  $inc?: { [Field in keyof D & string]?: number } & Dotted<number>;
}

/** A `unique` index needs its fields in every document, unless it is `sparse`, which leaves out documents without them. */
export interface Index {
  fields: string[];
  unique?: boolean;
  sparse?: boolean;
}

/** `sort` is a list of fields, each with `-` before it for descending order. */
export interface FindOptions<D> {
  query?: Query<D>;
  sort?: string[];
  limit?: number;
  offset?: number;
}

/**
 * What a resolved write survives: a loss of power (the default), or only the end of the process. The second one does not
 * wait for the disk; it is for work that is repeated when it is undone. A loss of power undoes only the latest writes,
 * never part of one, and never one that came before a write that survives.
 */
export type Survives = "loss of power" | "end of process";

/**
 * A collection of documents. A write is of one document, and there are no transactions of several: a change of several is
 * a row of writes, each of which may be the last one of its process (docs/decisions/0163-no-transactions.md). A resolved write survives
 * the death of the process. A write that breaks a unique index rejects with the code `conflict` (`codeOf`).
 */
export interface Store<D extends Doc> {
  /** Other processes write to it too: a document may have changed since it was read. */
  readonly isShared: boolean;
  insert(doc: D): Promise<D>;
  /** Inserts all or none. In a shared store, the death of the process in between may leave some. */
  insertMany(docs: D[], survives?: Survives): Promise<D[]>;
  findById(id: string): Promise<D | null>;
  findOne(query: Query<D>): Promise<D | null>;
  find(options?: FindOptions<D>): Promise<D[]>;
  count(query?: Query<D>): Promise<number>;
  /** How many documents have each of these values in an indexed field; values without documents are left out. */
  countEach(field: keyof D & string, values: readonly string[]): Promise<Map<string, number>>;
  /** The values of some fields, of every document that a query finds, in no order; an index on all of them answers fast. */
  valuesOf(fields: readonly (keyof D & string)[], query: Query<D>): Promise<Scalar[][]>;
  /** The document after the update; null when there is none. */
  update(id: string, update: Update<D>): Promise<D | null>;
  /** Updates the document, or creates it by updating one that has nothing but its identity. */
  upsert(id: string, update: Update<D>): Promise<D>;
  /**
   * Changes one document by what it is now, with no other write in between: `work` gets it, or null, and returns the whole
   * document that it becomes, null to remove it, or undefined to leave it. `work` is synchronous and may run several times;
   * the last run counts. Answers the document afterwards.
   */
  change(id: string, work: (doc: D | null) => D | null | undefined, survives?: Survives): Promise<D | null>;
  updateMany(query: Query<D>, update: Update<D>): Promise<number>;
  /** The document that was removed; null when there is none. */
  remove(id: string): Promise<D | null>;
  removeMany(query: Query<D>): Promise<number>;
  /** Another declared collection of the same service. */
  collection<Other extends Doc>(name: string): Store<Other>;
}
