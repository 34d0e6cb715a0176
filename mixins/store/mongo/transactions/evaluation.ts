import { fail } from "../../../../services/contracts/errors.ts";
import { applyUpdate } from "../../apply-update.ts";
import type { Doc, FindOptions, Index, Transaction, TransactionCollection, Update } from "../../store.ts";
import { collide } from "../indexes.ts";
import { matches, ordering, toMongoFilter } from "../query.ts";
import type { StoredCollection } from "../stored-documents.ts";
import type { TransactionScope } from "./document-locks.ts";
import { keyOf, type Read, type ReadDocument, Reads } from "./reads.ts";
import type { Write } from "./transaction-record.ts";

/** Rounds of questions to the server in one evaluation. */
const mostRounds = 200;

/** The result of the work over documents that were read, though not all at one moment; nothing is written yet. */
export interface Evaluation<Result> {
  view: TransactionView;
  reads: Reads;
  outcome: { result: Result } | { error: unknown };
}

/** Runs the work again and again until everything that it reads has been fetched. */
export async function evaluate<Result>(
  { places, locks }: TransactionScope,
  work: (transaction: Transaction) => Result,
): Promise<Evaluation<Result>> {
  const reads = new Reads(locks);
  while (reads.rounds < mostRounds) {
    const view = new TransactionView(places, reads);
    const outcome = runOnce(view, work);
    if (view.missing.size === 0) return { view, reads, outcome };
    await reads.load(view.missing.values());
  }
  throw new Error("The work of a transaction reads something else each time that it is run");
}

function runOnce<Result>(view: TransactionView, work: (transaction: Transaction) => Result) {
  try {
    const result = work(view);
    if (result instanceof Promise) throw new TypeError("The work of a transaction must be synchronous");
    return { result };
  } catch (error) {
    return { error };
  }
}

/** What a run does to a document. `before` is undefined for a document that was inserted without a read. */
export interface Change {
  place: StoredCollection;
  id: string;
  before: ReadDocument | null | undefined;
  after: Doc | null;
}

/** Missing reads after which a run is cut short. */
const mostMissing = 1000;

/**
 * One run of a transaction's work over what has been read so far. A missing read is noted and answered as "nothing found",
 * so that the run continues and shows what else it reads. Such a run is discarded.
 */
class TransactionView implements Transaction {
  readonly missing = new Map<string, Read>();
  readonly used = new Map<string, Read>();
  readonly changes = new Map<string, Change>();
  readonly #places: ReadonlyMap<string, StoredCollection>;
  readonly #reads: Reads;

  constructor(places: ReadonlyMap<string, StoredCollection>, reads: Reads) {
    this.#places = places;
    this.#reads = reads;
  }

  collection<D extends Doc>(name: string): TransactionCollection<D> {
    const place = this.#places.get(name);
    if (!place) throw new Error(`The collection ${name} is not declared by this service`);
    const steps: TransactionCollection<Doc> = {
      insert: doc => this.#insert(place, doc),
      findById: id => copy(this.#current(place, id)),
      find: (options = {}) => this.#find(place, options).map(copy),
      updateById: (id, update) => this.#update(place, id, update),
      upsertById: (id, update) =>
        this.#update(place, id, update) ?? this.#insert(place, applyUpdate({ _id: id }, update)),
      put: doc => this.#put(place, doc),
      removeById: id => this.#remove(place, id),
    };
    return steps as unknown as TransactionCollection<D>;
  }

  #insert(place: StoredCollection, doc: Doc): Doc {
    if (typeof doc._id !== "string") throw new TypeError("A document needs a string _id");
    const key = keyOf({ place, id: doc._id });
    const change = this.changes.get(key);
    const read = this.#reads.docs.get(key);
    if (change ? change.after : read) {
      this.used.set(key, { place, id: doc._id });
      throw fail("conflict", "Such a record exists already.");
    }
    const before = change ? change.before : read;
    this.changes.set(key, { place, id: doc._id, before, after: asStored(doc) });
    return doc;
  }

  #update(place: StoredCollection, id: string, update: Update<Doc>): Doc | null {
    const doc = this.#current(place, id);
    return doc && this.#change(place, id, applyUpdate(doc, update));
  }

  #put(place: StoredCollection, doc: Doc): Doc {
    this.#current(place, doc._id);
    return this.#change(place, doc._id, doc);
  }

  #remove(place: StoredCollection, id: string): Doc | null {
    const doc = this.#current(place, id);
    if (doc) this.#change(place, id, null);
    return doc;
  }

  #change<After extends Doc | null>(place: StoredCollection, id: string, after: After): After {
    const key = keyOf({ place, id });
    const change = this.changes.get(key);
    const before = change ? change.before : this.#reads.docs.get(key);
    // A document that this run has inserted and removed again needs no write.
    if (after === null && !before) this.changes.delete(key);
    else this.changes.set(key, { place, id, before, after: after && asStored(after) });
    return after;
  }

  #current(place: StoredCollection, id: string): Doc | null {
    const key = keyOf({ place, id });
    const change = this.changes.get(key);
    if (change) return change.after;
    const read = this.#reads.docs.get(key);
    this.used.set(key, { place, id });
    if (read === undefined) this.#miss(key, { place, id });
    return read?.doc ?? null;
  }

  #find(place: StoredCollection, options: FindOptions<Doc>): Doc[] {
    const { query = {}, sort = [], limit = -1, offset = 0 } = options;
    toMongoFilter(query);
    const touched = [...this.changes.values()].filter(change => change.place === place);
    if (touched.length === 0) return this.#result(place, options);
    const end = limit < 0 ? undefined : offset + limit;
    // Each changed document may have taken the place of another in the result.
    const wide = end === undefined ? -1 : end + touched.length;
    const ids = new Set(touched.map(({ id }) => id));
    const found = this.#result(place, { query, sort, limit: wide }).filter(({ _id }) => !ids.has(_id));
    const own = touched.flatMap(({ after }) => (after && matches(after, query) ? [after] : []));
    return [...found, ...own].sort(ordering(sort)).slice(offset, end);
  }

  #result(place: StoredCollection, options: FindOptions<Doc>): Doc[] {
    const read = { place, options };
    const key = keyOf(read);
    this.used.set(key, read);
    const result = this.#reads.results.get(key);
    if (!result) this.#miss(key, read);
    return (result ?? []).map(({ doc }) => doc);
  }

  #miss(key: string, read: Read): void {
    this.missing.set(key, read);
    if (this.missing.size > mostMissing) throw new Error("Too much is read at a time");
  }
}

/** A JSON copy, as the server would store it. */
function asStored(doc: Doc): Doc {
  return JSON.parse(JSON.stringify(doc)) as Doc;
}

function copy<Value extends Doc | null>(doc: Value): Value {
  return structuredClone(doc);
}

/** A document that a transaction has to lock. */
export interface LockedDocument {
  place: StoredCollection;
  id: string;
  /** The version of a document that exists. */
  version?: string;
  write: Write;
}

export function documentsToLock({ view, reads }: Evaluation<unknown>): LockedDocument[] {
  const lockedDocuments = [...view.changes.values()].map(holdingOf);
  for (const [key, read] of view.used) {
    const known = "id" in read && !view.changes.has(key) && reads.docs.get(key);
    if (!known) continue;
    const write = { collection: read.place.stored.collectionName, id: read.id, kind: "read" } as const;
    lockedDocuments.push({ place: read.place, id: read.id, version: known.version, write });
  }
  return lockedDocuments;
}

function holdingOf({ place, id, before, after }: Change): LockedDocument {
  if (before && after) refuseTaking(place.uniques, before.doc, after);
  const kind = after === null ? "remove" : before ? "change" : "insert";
  const write: Write = { collection: place.stored.collectionName, id, kind, ...(after && { doc: after }) };
  return { place, id, version: before?.version, write };
}

/** Only the server knows whether a unique value is free, and readers would see the new value of an existing document at once. */
function refuseTaking(uniques: Index[], before: Doc, after: Doc): void {
  const taken = uniques.find(index => collide([index], after, after) && !collide([index], after, before));
  if (taken)
    throw new TypeError(`A transaction of several documents cannot change ${taken.fields.join(", ")} of one`);
}
