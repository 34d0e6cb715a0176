import type { SqliteAdapter } from "./sqlite/sqlite.adapter.ts";
import type { Doc, Store, Transaction, TransactionCollection } from "./store.ts";

/** The adapters of a room's collections, by name. */
export type Adapters = Map<string, SqliteAdapter>;

/** A typed face on the adapter of one collection; the others of the room are reached through it. */
export function adapterStore<D extends Doc>(adapters: Adapters, name: string): Store<D> {
  const adapter = declared(adapters, name);
  const store: Store<Doc> = {
    isShared: false,
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
    collection: other => adapterStore(adapters, other),
    transaction: async (work, survives, before) => {
      if (before) throw new TypeError("A transaction of the embedded store waits for nothing");
      return adapter.transaction(() => work(steps(adapters)), survives);
    },
  };
  // The driver keeps whatever document it is given; what it holds is the caller's to declare.
  return store as unknown as Store<D>;
}

function steps(adapters: Adapters): Transaction {
  return {
    collection: <D extends Doc>(name: string) =>
      declared(adapters, name).steps as unknown as TransactionCollection<D>,
  };
}

function declared(adapters: Adapters, name: string): SqliteAdapter {
  const adapter = adapters.get(name);
  if (!adapter) throw new Error(`The collection ${name} is not declared by this room`);
  return adapter;
}
