import type { Doc, Index, Store, Transaction, TransactionCollection } from "../store.ts";
import { type OpenStore, storeOf } from "../store-of.ts";
import { SqliteAdapter } from "./sqlite.adapter.ts";

/** The collections of a service in the database file at `path`, the main one first. */
export async function openSqliteStore(path: string, declared: [string, Index[]][]): Promise<OpenStore> {
  const adapters = new Map(declared.map(([name, of]) => [name, new SqliteAdapter(path, name, of)]));
  const close = async () => {
    for (const adapter of adapters.values()) await adapter.disconnect();
  };
  try {
    for (const adapter of adapters.values()) await adapter.connect();
  } catch (error) {
    await close();
    throw error;
  }
  return { adapters, store: adapterStore(adapters, declared[0]?.[0] ?? ""), close };
}

/** The adapters of a service's collections, by name. */
export type Adapters = Map<string, SqliteAdapter>;

/** A typed store on the adapter of one collection in a database file. */
export function adapterStore<D extends Doc>(adapters: Adapters, name: string): Store<D> {
  const transaction: Store<Doc>["transaction"] = async (work, survives, before) => {
    if (before) throw new TypeError("A transaction of the embedded store cannot wait");
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
  if (!adapter) throw new Error(`The collection ${name} is not declared by this service`);
  return adapter;
}
