import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedHistory } from "../../mixins/history/embedded.history.ts";
import { openSqliteStore } from "../../mixins/store/sqlite/sqlite-store.ts";
import { storeOptions } from "../../services/tracker/sources.store.ts";
import type { TrackerStore } from "../suites/tracker-deaths.suite.ts";
import { removeFolder } from "./folders.ts";

const { collection, indexes = [], extraCollections = {} } = storeOptions;

/** The tracker's store with a history in a new folder, which goes when it is closed. */
export async function openFolderTracker(): Promise<TrackerStore> {
  const folder = mkdtempSync(join(tmpdir(), "magpie-tracker-"));
  const path = join(folder, "magpie.db");
  const declared = Object.entries({ [collection]: indexes, ...extraCollections });
  const { store, close } = await openSqliteStore(path, declared);
  const history = openEmbeddedHistory(path);
  return {
    store: store as unknown as TrackerStore["store"],
    history,
    close: async () => {
      await history.close();
      await close();
      await removeFolder(folder);
    },
  };
}
