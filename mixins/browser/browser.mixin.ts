import { join, resolve } from "node:path";
import type { ServiceSchema } from "moleculer";
import { mixin } from "../../services/contracts/mixin.ts";
import type { Config } from "../config/config.ts";
import type { Egress } from "../egress/egress.ts";
import { type BrowserPool, createBrowserPool } from "./browser-pool.ts";
import { findBrowser } from "./find-browser.ts";
import { scratchFolder } from "./scratch-folder.ts";

/** What a room with this mixin has. Needs the egress mixin before it. */
export interface WithBrowser {
  browser: BrowserPool;
}

/** The pool of browser pages as `this.browser`. The first browser starts in the background. */
export function browserMixin(config: Config): Partial<ServiceSchema> {
  return mixin<WithBrowser & { egress: Egress }>({
    async started() {
      this.browser = await createBrowserPool({
        ...config.browser,
        maxIdle: config.browser.pages * 2,
        egress: this.egress,
        scratchRoot: scratchFolder(join(resolve(config.dataDir), "tmp")),
        findBinary: () =>
          findBrowser(config.browser.path, { searchPath: config.searchPath, dataDir: config.dataDir }),
      });
      this.browser
        .warm()
        .catch((error: unknown) => this.logger.warn("browser.unavailable", { error: String(error) }));
    },
    async stopped() {
      await this.browser?.close();
    },
  });
}
