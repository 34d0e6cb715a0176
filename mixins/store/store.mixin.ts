import { join } from "node:path";
import type { ServiceSchema } from "moleculer";
import DbService from "moleculer-db";
import type { Config } from "../config/config.ts";
import { adapterStore } from "./adapter-store.ts";
import { SqliteAdapter } from "./sqlite/sqlite.adapter.ts";
import type { Doc, Index, Store } from "./store.ts";

/** What a room stores: its main collection, and others that are reached by `store.collection(name)`. */
export interface StoreOptions {
  collection: string;
  indexes?: Index[];
  extraCollections?: Record<string, Index[]>;
}

/** What the mixin adds to a service. */
export interface WithStore<D extends Doc> {
  store: Store<D>;
}

// Its actions would publish raw queries, and its `started` hook tries for ever where a start must fail.
const { actions: _actions, started: _started, stopped: _stopped, ...dbService } = DbService as ServiceSchema;

/**
 * moleculer-db on the driver of this installation, without published actions; the accessor is `this.store`. One call
 * serves one service.
 */
export function storeMixin(
  config: Pick<Config, "dataDir">,
  { collection, indexes = [], extraCollections = {} }: StoreOptions,
): Partial<ServiceSchema> {
  const path = join(config.dataDir, "magpie.db");
  const declared = Object.entries({ [collection]: indexes, ...extraCollections });
  const adapters = new Map(declared.map(([name, of]) => [name, new SqliteAdapter(path, name, of)]));
  // Merging clones schemas deeply, so the adapter joins afterwards. Moleculer's types do not know the hook.
  const afterMerging = {
    merged: (schema: ServiceSchema) => Object.assign(schema, { adapter: adapters.get(collection) }),
  };
  return {
    ...dbService,
    ...afterMerging,
    async started() {
      for (const adapter of adapters.values()) await adapter.connect();
      this.store = adapterStore(adapters, collection);
    },
    async stopped() {
      for (const adapter of adapters.values()) await adapter.disconnect();
    },
  };
}
