import { adapterStore } from "../adapter-store.ts";
import type { OpenStore } from "../open-store.ts";
import type { Index } from "../store.ts";
import { SqliteAdapter } from "./sqlite.adapter.ts";

/** The collections of a room in the database file at `path`, the main one first. */
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
