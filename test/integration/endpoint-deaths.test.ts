import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "../../mixins/store/sqlite/sqlite-store.ts";
import type { Store } from "../../mixins/store/store.ts";
import { storeOptions } from "../../services/webhook-dispatcher/webhooks.store.ts";
import { endpointDeathsSuite } from "../suites/endpoint-deaths.suite.ts";
import { madeOnceDeathsSuite } from "../suites/made-once.suite.ts";
import { removeFolder } from "../support/folders.ts";

const { collection, indexes = [], extraCollections = {} } = storeOptions;

const openStore = async () => {
  const folder = mkdtempSync(join(tmpdir(), "magpie-endpoint-deaths-"));
  const declared = Object.entries({ [collection]: indexes, ...extraCollections });
  const { store, close } = await openSqliteStore(join(folder, "magpie.db"), declared);
  return { store: store as unknown as Store<never>, close: () => close().then(() => removeFolder(folder)) };
};

endpointDeathsSuite("embedded", openStore);
madeOnceDeathsSuite("embedded", openStore);
