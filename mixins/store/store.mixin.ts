import { join } from "node:path";
import type { ServiceSchema } from "moleculer";
import DbService from "moleculer-db";
import { mixin } from "../../services/contracts/service.ts";
import type { Config } from "../config/config.ts";
import { openSqliteStore } from "./sqlite/sqlite-store.ts";
import type { Doc, Index, Store } from "./store.ts";
import type { Adapter, OpenStore } from "./store-of.ts";

/** What a service stores: its main collection, and others that `store.collection(name)` gives. */
export interface StoreOptions {
  collection: string;
  indexes?: Index[];
  extraCollections?: Record<string, Index[]>;
  /**
   * The database file of the embedded mode, without its extension. A file of its own is for a service that writes much and
   * seldom waits for the disk, since a sync waits for everything that was written to the same file.
   */
  file?: string;
}

/** What the mixin adds to a service. */
export interface WithStore<D extends Doc> {
  store: Store<D>;
}

interface Inside {
  adapter?: Adapter;
  store?: Store<Doc>;
  opened?: OpenStore;
}

// Its actions would publish raw queries. Its hooks create an adapter of their own and retry forever when a start must fail.
const {
  actions: _actions,
  created: _created,
  started: _started,
  stopped: _stopped,
  ...dbService
} = DbService as ServiceSchema;

/**
 * `this.store` on the driver of this installation, and the methods of moleculer-db for code of the service, on its main
 * collection (docs/decisions/0227). Its actions are not published.
 */
export function storeMixin(
  config: Pick<Config, "dataDir" | "cluster">,
  { collection, indexes = [], extraCollections = {}, file = "magpie" }: StoreOptions,
): Partial<ServiceSchema> {
  const declared = Object.entries({ [collection]: indexes, ...extraCollections });
  return {
    ...dbService,
    ...mixin<Inside>({
      async started() {
        this.opened = await open(config, file, declared);
        this.adapter = this.opened.adapters.get(collection);
        this.store = this.opened.store;
      },
      async stopped() {
        await this.opened?.close();
        this.opened = undefined;
      },
    }),
  };
}

async function open(
  { cluster, dataDir }: Pick<Config, "dataDir" | "cluster">,
  file: string,
  declared: [string, Index[]][],
): Promise<OpenStore> {
  if (!cluster) return openSqliteStore(join(dataDir, `${file}.db`), declared);
  // Two drivers of MongoDB are 40 MB that the embedded mode need not load.
  const { openMongoStore } = await import("./mongo/mongo-store.ts");
  return openMongoStore(cluster, declared);
}
