import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedSitePages } from "../../mixins/site-pages/embedded.site-pages.ts";
import { sitePagesSuite } from "../suites/site-pages.suite.ts";
import { removeFolder } from "../support/folders.ts";

sitePagesSuite("sqlite", async () => {
  const folder = mkdtempSync(join(tmpdir(), "magpie-sites-"));
  const pages = openEmbeddedSitePages(join(folder, "magpie.db"));
  return {
    pages,
    close: async () => {
      await pages.close();
      await removeFolder(folder);
    },
  };
});
