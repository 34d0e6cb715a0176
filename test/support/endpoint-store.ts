import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "../../mixins/store/sqlite/sqlite-store.ts";
import type { Store } from "../../mixins/store/store.ts";
import { type StoredEndpoint, storeOptions } from "../../services/webhook-dispatcher/webhooks.store.ts";
import { removeFolder } from "./folders.ts";

const { collection, indexes = [], extraCollections = {} } = storeOptions;

/** An empty store for endpoints, in a folder of its own. */
export async function openEndpointStore<Stored = StoredEndpoint>(): Promise<{
  store: Store<Stored & { _id: string }>;
  close(): Promise<void>;
}> {
  const folder = mkdtempSync(join(tmpdir(), "magpie-endpoints-"));
  const declared = Object.entries({ [collection]: indexes, ...extraCollections });
  const { store, close } = await openSqliteStore(join(folder, "magpie.db"), declared);
  return { store: store as never, close: () => close().then(() => removeFolder(folder)) };
}
