import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "../../mixins/store/sqlite/sqlite-store.ts";
import type { OpenStore } from "../../mixins/store/store-of.ts";
import { auditSuite } from "../suites/audit.suite.ts";
import { keyBoundsSuite } from "../suites/key-bounds.suite.ts";
import { type QuotaDriver, quotasSuite } from "../suites/quotas.suite.ts";
import { removeFolder } from "../support/folders.ts";

quotasSuite("sqlite", driverOf);
keyBoundsSuite("sqlite", driverOf);
auditSuite("sqlite", driverOf);

function driverOf(): QuotaDriver {
  const folder = mkdtempSync(join(tmpdir(), "magpie-quotas-"));
  const opened: OpenStore[] = [];
  return {
    open: async collections => async () => {
      const store = await openSqliteStore(join(folder, "magpie.db"), collections);
      opened.push(store);
      return store.store;
    },
    close: async () => {
      for (const store of opened) await store.close();
      await removeFolder(folder);
    },
  };
}
