import type { SqliteAdapter } from "./sqlite/sqlite.adapter.ts";
import type { Doc, Store, Transaction, TransactionCollection } from "./store.ts";
import { storeOf } from "./store-of.ts";

/** The adapters of a room's collections, by name. */
export type Adapters = Map<string, SqliteAdapter>;

/** A typed face on the adapter of one collection in a database file. */
export function adapterStore<D extends Doc>(adapters: Adapters, name: string): Store<D> {
  const transaction: Store<Doc>["transaction"] = async (work, survives, before) => {
    if (before) throw new TypeError("A transaction of the embedded store waits for nothing");
    return declared(adapters, name).transaction(() => work(steps(adapters)), survives);
  };
  return storeOf<D>(adapters, name, { isShared: false, transaction });
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
