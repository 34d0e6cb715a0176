import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedHistory } from "../../mixins/history/embedded.history.ts";
import { historySuite } from "../suites/history.suite.ts";
import { removeFolder } from "../support/folders.ts";

historySuite("sqlite", async () => {
  const folder = mkdtempSync(join(tmpdir(), "magpie-history-"));
  const path = join(folder, "magpie.db");
  const [history, other] = [openEmbeddedHistory(path), openEmbeddedHistory(path)];
  return {
    history,
    other,
    advance: () => undefined,
    close: async () => {
      await Promise.all([history.close(), other.close()]);
      await removeFolder(folder);
    },
  };
});
