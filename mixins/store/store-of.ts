import type { Doc, FindOptions, Query, Store, Update } from "./store.ts";

/** What the driver of one collection offers. */
export interface StoreAdapter {
  insert(doc: Doc): Promise<Doc>;
  insertMany(docs: Doc[]): Promise<Doc[]>;
  findById(id: string): Promise<Doc | null>;
  findOne(query: Query<Doc>): Promise<Doc | null>;
  find(options: FindOptions<Doc>): Promise<Doc[]>;
  count(options: { query?: Query<Doc> }): Promise<number>;
  updateById(id: string, update: Update<Doc>): Promise<Doc | null>;
  upsertById(id: string, update: Update<Doc>): Promise<Doc>;
  updateMany(query: Query<Doc>, update: Update<Doc>): Promise<number>;
  removeById(id: string): Promise<Doc | null>;
  removeMany(query: Query<Doc>): Promise<number>;
}

/** A typed face on the adapter of one collection; the others of the room are reached through it, and changed together. */
export function storeOf<D extends Doc>(
  adapters: ReadonlyMap<string, StoreAdapter>,
  name: string,
  together: Pick<Store<Doc>, "isShared" | "transaction">,
): Store<D> {
  const adapter = adapters.get(name);
  if (!adapter) throw new Error(`The collection ${name} is not declared by this room`);
  const store: Store<Doc> = {
    ...together,
    insert: doc => adapter.insert(doc),
    insertMany: docs => adapter.insertMany(docs),
    findById: id => adapter.findById(id),
    findOne: query => adapter.findOne(query),
    find: (options = {}) => adapter.find(options),
    count: query => adapter.count({ query }),
    update: (id, update) => adapter.updateById(id, update),
    upsert: (id, update) => adapter.upsertById(id, update),
    updateMany: (query, update) => adapter.updateMany(query, update),
    remove: id => adapter.removeById(id),
    removeMany: query => adapter.removeMany(query),
    collection: other => storeOf(adapters, other, together),
  };
  // The driver keeps whatever document it is given; what it holds is the caller's to declare.
  return store as unknown as Store<D>;
}
