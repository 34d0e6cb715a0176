import type { Doc, FindOptions } from "../store.ts";
import { filterOf } from "./filter.ts";
import type { Locks } from "./locks.ts";
import { bare, type Place, type Stored } from "./stored.ts";

/** A document as it was read. */
export interface Known {
  doc: Doc;
  version: string;
}

/** A read of one document, or of what a query finds. */
export type Read = { place: Place; id: string } | { place: Place; options: FindOptions<Doc> };

/** What the tries of one transaction have read so far, by `keyOf`. */
export class Reads {
  readonly docs = new Map<string, Known | null>();
  readonly results = new Map<string, Known[]>();
  /** How often the server was asked. */
  rounds = 0;
  readonly #locks: Locks;
  readonly #since = performance.now();

  constructor(locks: Locks) {
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

  async #loadDocs(place: Place, ids: Set<string>): Promise<void> {
    const [only = ""] = ids;
    // FerretDB looks nothing else up by an index.
    const filter = { _id: ids.size === 1 ? only : { $in: [...ids] } };
    const found = await this.#free(place, () => place.stored.find(filter).toArray());
    for (const id of ids) this.docs.set(keyOf({ place, id }), null);
    for (const stored of found) this.docs.set(keyOf({ place, id: stored._id }), known(stored));
  }

  async #loadResult(place: Place, options: FindOptions<Doc>): Promise<void> {
    const found = await this.#free(place, () => findStored(place, options));
    this.results.set(keyOf({ place, options }), found.map(known));
    for (const stored of found) {
      const key = keyOf({ place, id: stored._id });
      if (!this.docs.has(key)) this.docs.set(key, known(stored));
    }
  }

  /** Reads again until no transaction holds any of it, since what it holds may be half written. */
  async #free(place: Place, read: () => Promise<Stored[]>): Promise<Stored[]> {
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

/** What a query finds, documents that are not there yet among it. */
export async function findStored(
  { stored }: Place,
  { query = {}, sort = [], limit = -1, offset = 0 }: FindOptions<Doc>,
): Promise<Stored[]> {
  if (limit === 0) return [];
  const cursor = stored.find(filterOf(query)).sort(directions(sort)).skip(offset);
  return (limit > 0 ? cursor.limit(limit) : cursor).toArray();
}

function directions(sort: string[]): [string, 1 | -1][] {
  return sort.map(term => (term.startsWith("-") ? [term.slice(1), -1] : [term, 1]));
}

function known(stored: Stored): Known {
  return { doc: bare(stored), version: stored._v };
}
