import type { DbAdapter } from "moleculer-db";
import type { Doc, Store } from "./store.ts";

/** The collections of a room, ready for use. */
export interface OpenStore {
  adapters: ReadonlyMap<string, DbAdapter>;
  /** The main one; the others are reached through it. */
  store: Store<Doc>;
  close(): Promise<void>;
}
