import { join } from "node:path";
import { openEmbeddedSitePages } from "../../mixins/site-pages/embedded.site-pages.ts";
import type { OpenSitePages } from "../../mixins/site-pages/site-pages.ts";
import { sitePagesApiSuite } from "../suites/site-pages-api.suite.ts";
import { startMagpie } from "../support/magpie.ts";

sitePagesApiSuite(async (overrides, services) => {
  let pages: OpenSitePages | undefined;
  const magpie = await startMagpie(overrides, config => {
    pages = openEmbeddedSitePages(join(config.dataDir, "magpie.db"));
    return services.map(service => service(config));
  });
  return { magpie, pages: pages as OpenSitePages };
});
