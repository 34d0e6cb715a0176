import type { Doc, FindOptions } from "../../store.ts";
import { toMongoFilter } from "../query.ts";
import { type StoredCollection, type StoredDoc, withoutMarks } from "../stored-documents.ts";
import type { DocumentLocks } from "./document-locks.ts";

/** A document as it was read. */
export interface ReadDocument {
  doc: Doc;
  version: string;
}

/** A read of one document, or of what a query finds. */
export type Read =
  | { place: StoredCollection; id: string }
  | { place: StoredCollection; options: FindOptions<Doc> };

/** What the attempts of one transaction have read so far, by `keyOf`. */
export class Reads {
  readonly docs = new Map<string, ReadDocument | null>();
  readonly results = new Map<string, ReadDocument[]>();
  /** How often the transaction has asked the server. */
  rounds = 0;
  readonly #locks: DocumentLocks;
  readonly #since = performance.now();

  constructor(locks: DocumentLocks) {
    this.#locks = locks;
  }

  async load(wanted: Iterable<Read>): Promise<void> {
    this.rounds += 1;
    const reads = [...wanted];
    const byId = Map.groupBy(
      reads.filter(read => "id" in read),
      ({ place }) => place,
    );
    const queries = reads.filter(read => "options" in read);
    await Promise.all([
      ...[...byId].map(([place, of]) => this.#loadDocs(place, new Set(of.map(({ id }) => id)))),
      ...queries.map(({ place, options }) => this.#loadResult(place, options)),
    ]);
  }

  async #loadDocs(place: StoredCollection, ids: Set<string>): Promise<void> {
    const [only = ""] = ids;
    // FerretDB uses an index for this form only.
    const filter = { _id: ids.size === 1 ? only : { $in: [...ids] } };
    const found = await this.#free(place, () => place.stored.find(filter).toArray());
    for (const id of ids) this.docs.set(keyOf({ place, id }), null);
    for (const stored of found) this.docs.set(keyOf({ place, id: stored._id }), known(stored));
  }

  async #loadResult(place: StoredCollection, options: FindOptions<Doc>): Promise<void> {
    const found = await this.#free(place, () => findStored(place, options));
    this.results.set(keyOf({ place, options }), found.map(known));
    for (const stored of found) {
      const key = keyOf({ place, id: stored._id });
      if (!this.docs.has(key)) this.docs.set(key, known(stored));
    }
  }

  /** Reads again until no transaction holds any of the documents: a held one may be half written. */
  async #free(place: StoredCollection, read: () => Promise<StoredDoc[]>): Promise<StoredDoc[]> {
    for (;;) {
      const found = await read();
      const held = found.find(({ _lock }) => _lock !== undefined);
      if (held?._lock === undefined) return found;
      await this.#locks.wait(held._lock, this.#since, { stored: place.stored, id: held._id });
    }
  }
}

export function keyOf(read: Read): string {
  if ("id" in read) return `${read.place.name}\n${read.id}`;
  const { query = {}, sort = [], limit = -1, offset = 0 } = read.options;
  return `${read.place.name}\n${JSON.stringify([query, sort, limit, offset])}`;
}

/** What a query finds, including placeholders. */
export async function findStored(
  { stored }: StoredCollection,
  { query = {}, sort = [], limit = -1, offset = 0 }: FindOptions<Doc>,
): Promise<StoredDoc[]> {
  if (limit === 0) return [];
  const cursor = stored.find(toMongoFilter(query)).sort(directions(sort)).skip(offset);
  return (limit > 0 ? cursor.limit(limit) : cursor).toArray();
}

function directions(sort: string[]): [string, 1 | -1][] {
  return sort.map(term => (term.startsWith("-") ? [term.slice(1), -1] : [term, 1]));
}

function known(stored: StoredDoc): ReadDocument {
  return { doc: withoutMarks(stored), version: stored._v };
}
