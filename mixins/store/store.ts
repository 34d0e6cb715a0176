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

/** The steps of a transaction. They are synchronous. */
export interface TransactionCollection<D extends Doc> {
  insert(doc: D): D;
  findById(id: string): D | null;
  find(options?: FindOptions<D>): D[];
  updateById(id: string, update: Update<D>): D | null;
  upsertById(id: string, update: Update<D>): D;
  /** Writes the whole document, and replaces one with the same identity. */
  put(doc: D): D;
  removeById(id: string): D | null;
}

export interface Transaction {
  collection<D extends Doc>(name: string): TransactionCollection<D>;
}

/**
 * One collection of documents. A resolved write survives the death of the process. A write that breaks a unique index
 * rejects with the code `conflict` (`codeOf`).
 */
export interface Store<D extends Doc> {
  /**
   * Other processes write to it too: a document may have changed since it was read, and a transaction is cheap only when
   * it reads and changes one document.
   */
  readonly isShared: boolean;
  insert(doc: D): Promise<D>;
  /** Inserts all or none. In a shared store, the death of the process in between may leave some. */
  insertMany(docs: D[]): Promise<D[]>;
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
  updateMany(query: Query<D>, update: Update<D>): Promise<number>;
  /** The document that was removed; null when there is none. */
  remove(id: string): Promise<D | null>;
  removeMany(query: Query<D>): Promise<number>;
  /** Another declared collection of the same service. */
  collection<Other extends Doc>(name: string): Store<Other>;
  /**
   * All writes of `work` or none. `work` is synchronous and touches nothing but the transaction, so no other write comes
   * between its steps. In a cluster it may run several times, and only its last result counts. There the store awaits
   * `before` with the result of each run that is about to commit: it must be repeatable, and its rejection leaves
   * everything as it was. The embedded store refuses `before`, since its transactions cannot wait.
   */
  transaction<Result>(
    work: (transaction: Transaction) => Result,
    survives?: Survives,
    before?: (result: Result) => Promise<unknown>,
  ): Promise<Result>;
}
