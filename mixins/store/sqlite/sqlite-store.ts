import type { Doc, Index, Store } from "../store.ts";
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
  return storeOf<D>(adapters, name, false);
}
