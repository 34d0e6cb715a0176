import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedHistory } from "../../mixins/history/embedded.history.ts";
import { openSqliteStore } from "../../mixins/store/sqlite/sqlite-store.ts";
import type { Store } from "../../mixins/store/store.ts";
import { storeOptions } from "../../services/tracker/sources.store.ts";
import { monitorDeathsSuite } from "../suites/monitor-deaths.suite.ts";
import { removeFolder } from "../support/folders.ts";

const { collection, indexes = [], extraCollections = {} } = storeOptions;

monitorDeathsSuite("embedded", async () => {
  const folder = mkdtempSync(join(tmpdir(), "magpie-monitor-deaths-"));
  const path = join(folder, "magpie.db");
  const declared = Object.entries({ [collection]: indexes, ...extraCollections });
  const { store, close } = await openSqliteStore(path, declared);
  const history = openEmbeddedHistory(path);
  return {
    store: store as unknown as Store<never>,
    history,
    close: async () => {
      await history.close();
      await close();
      await removeFolder(folder);
    },
  };
});
