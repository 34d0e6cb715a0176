import { fail } from "../../../services/contracts/errors.ts";
import { applyUpdate } from "../apply-update.ts";
import type { Doc, FindOptions, Transaction, TransactionCollection, Update } from "../store.ts";
import { filterOf } from "./filter.ts";
import { matches } from "./matches.ts";
import { ordering } from "./order.ts";
import { type Known, keyOf, type Read, type Reads } from "./reads.ts";
import type { Place } from "./stored.ts";

/** What a run does to a document. `before` is undefined for one that was inserted unread. */
export interface Change {
  place: Place;
  id: string;
  before: Known | null | undefined;
  after: Doc | null;
}

/** Reads that a run may miss before it is cut short. */
const mostMissing = 1000;

/**
 * One run of a transaction's work over what has been read so far. A read that is missing is noted and answered by a
 * guess, nothing found, so that the run may tell what else it reads; such a run counts for nothing.
 */
export class View implements Transaction {
  readonly missing = new Map<string, Read>();
  readonly used = new Map<string, Read>();
  readonly changes = new Map<string, Change>();
  readonly #places: ReadonlyMap<string, Place>;
  readonly #reads: Reads;

  constructor(places: ReadonlyMap<string, Place>, reads: Reads) {
    this.#places = places;
    this.#reads = reads;
  }

  collection<D extends Doc>(name: string): TransactionCollection<D> {
    const place = this.#places.get(name);
    if (!place) throw new Error(`The collection ${name} is not declared by this room`);
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

  #insert(place: Place, doc: Doc): Doc {
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

  #update(place: Place, id: string, update: Update<Doc>): Doc | null {
    const doc = this.#current(place, id);
    return doc && this.#change(place, id, applyUpdate(doc, update));
  }

  #put(place: Place, doc: Doc): Doc {
    this.#current(place, doc._id);
    return this.#change(place, doc._id, doc);
  }

  #remove(place: Place, id: string): Doc | null {
    const doc = this.#current(place, id);
    if (doc) this.#change(place, id, null);
    return doc;
  }

  #change<After extends Doc | null>(place: Place, id: string, after: After): After {
    const key = keyOf({ place, id });
    const change = this.changes.get(key);
    const before = change ? change.before : this.#reads.docs.get(key);
    // What this run has made and removed leaves nothing to do.
    if (after === null && !before) this.changes.delete(key);
    else this.changes.set(key, { place, id, before, after: after && asStored(after) });
    return after;
  }

  #current(place: Place, id: string): Doc | null {
    const key = keyOf({ place, id });
    const change = this.changes.get(key);
    if (change) return change.after;
    const read = this.#reads.docs.get(key);
    this.used.set(key, { place, id });
    if (read === undefined) this.#miss(key, { place, id });
    return read?.doc ?? null;
  }

  #find(place: Place, options: FindOptions<Doc>): Doc[] {
    const { query = {}, sort = [], limit = -1, offset = 0 } = options;
    filterOf(query);
    const touched = [...this.changes.values()].filter(change => change.place === place);
    if (touched.length === 0) return this.#result(place, options);
    const end = limit < 0 ? undefined : offset + limit;
    // Each of the changed ones may have stood in the place of another.
    const wide = end === undefined ? -1 : end + touched.length;
    const ids = new Set(touched.map(({ id }) => id));
    const found = this.#result(place, { query, sort, limit: wide }).filter(({ _id }) => !ids.has(_id));
    const own = touched.flatMap(({ after }) => (after && matches(after, query) ? [after] : []));
    return [...found, ...own].sort(ordering(sort)).slice(offset, end);
  }

  #result(place: Place, options: FindOptions<Doc>): Doc[] {
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

/** What is kept is JSON, and nobody else's. */
function asStored(doc: Doc): Doc {
  return JSON.parse(JSON.stringify(doc)) as Doc;
}

function copy<Value extends Doc | null>(doc: Value): Value {
  return structuredClone(doc);
}
