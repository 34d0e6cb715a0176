import { closeMongo, openMongo } from "../../mixins/cluster/mongo.ts";
import { openMongoStore } from "../../mixins/store/mongo/mongo-store.ts";
import type { StoreOptions } from "../../mixins/store/store.mixin.ts";
import type { Store } from "../../mixins/store/store.ts";
import type { TestMongo } from "./mongo.ts";

/**
 * Opens a service's store, empty each time, for suites that need hundreds of them one after another. It is one database,
 * whose documents go: MongoDB makes files for each collection and index of a new one.
 */
export function emptiedStore(
  server: TestMongo,
  { collection, indexes = [], extraCollections = {} }: StoreOptions,
) {
  const declared = Object.entries({ [collection]: indexes, ...extraCollections });
  return async () => {
    const place = { mongoUrl: server.url, namespace: "emptied" };
    const { db } = await openMongo(place);
    for (const each of await db.collections()) await each.deleteMany();
    await closeMongo(place);
    const { store, close } = await openMongoStore(place, declared);
    return { store: store as unknown as Store<never>, close };
  };
}
