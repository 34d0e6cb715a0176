import { readdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import type { ServiceSchema } from "moleculer";
import { mixin } from "../../services/contracts/service.ts";
import { announceCapacity } from "../bus/capacity.strategy.ts";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/env.ts";
import { makeFolder } from "../config/make-folder.ts";
import type { Egress } from "../egress/egress.ts";
import { logEvent } from "../log/log-events.ts";
import { SparseLog } from "../log/sparse-log.ts";
import { counterOf } from "../runtime/counters.ts";
import { type BrowserPool, createBrowserPool } from "./browser-pool.ts";
import { replacements, runsAsRoot } from "./browser-process.ts";
import { findBrowser } from "./find-browser.ts";

/** What the mixin adds to a service. The egress mixin must come before it. */
export interface WithBrowser {
  browser: BrowserPool;
}

const asRoot =
  "Chromium has no sandbox in a process of root. Run Magpie as another user, so that a page that breaks out of its " +
  "renderer is still confined.";

/**
 * The pool of browser pages as `this.browser`. The first browser starts in the background where browsers stay, and with
 * the first page where they end when idle.
 */
export function browserMixin(config: Config): Partial<ServiceSchema> {
  return mixin<WithBrowser & { egress: Egress }>({
    async started() {
      const restarts = counterOf(this.broker, {
        name: "magpie_browser_restarts_total",
        description: "Browsers that were replaced: worn after many pages, or failed",
        by: [["reason", replacements]],
      });
      const sparse = new SparseLog(this.logger);
      const capacityChanged = announceCapacity(this.broker, () => capacityOf(this.browser, config));
      this.browser = await createBrowserPool({
        ...config.browser,
        maxIdle: config.browser.pages * 2,
        idleMs: config.scraperIdleMs,
        egress: this.egress,
        onError: error => sparse.log("browser.failed", { error }),
        onPageFault: error => logEvent(this.logger, "browser_page.failed", { error }),
        onReplaced: reason => restarts.add(reason),
        onLoad: capacityChanged,
        scratchRoot: scratchFolder(join(resolve(config.dataDir), "tmp")),
        findBinary: () =>
          findBrowser(config.browser.path, {
            searchPath: config.searchPath,
            dataDir: config.dataDir,
            say: progress => logEvent(this.logger, "browser_unpacking.progressed", { progress }),
          }),
      });
      if (runsAsRoot()) logEvent(this.logger, "browser_sandbox.disabled", { reason: asRoot });
      this.browser
        .prepare()
        .catch((error: unknown) => logEvent(this.logger, "browser_start.failed", { error: String(error) }));
    },
    async stopped() {
      await this.browser?.close();
    },
  });
}

/** Pages that are free, less the jobs that wait. */
function capacityOf(pool: BrowserPool | undefined, { browser: { pages } }: Config): number {
  const { running, waiting } = pool?.load() ?? { running: 0, waiting: 0 };
  return pages - running - waiting;
}

/** Folders that this process has made. */
const own = new Set<string>();

/**
 * A folder below `root` for the temporary files of one pool's browsers; several processes may share `root`. Removes the
 * folders of processes of this machine that have ended. Throws an error that names DATA_DIR when `root` is not writable.
 */
export function scratchFolder(root: string): string {
  const folder = join(root, `${hostname()}.${process.pid}.${own.size}`);
  try {
    makeFolder(root);
    removeDead(root);
    makeFolder(folder);
  } catch (cause) {
    throw new ConfigError("DATA_DIR", `${root} cannot be written (${(cause as Error).message})`, { cause });
  }
  own.add(folder);
  return folder;
}

function removeDead(root: string): void {
  for (const name of readdirSync(root))
    if (!own.has(join(root, name)) && !isAnothers(name))
      rmSync(join(root, name), { recursive: true, force: true, maxRetries: 3 });
}

/** Whether another process may still use it. A folder with this process' own number is of an earlier process. */
function isAnothers(name: string): boolean {
  const [, host, number] = /^(.+)\.(\d+)\.\d+$/.exec(name) ?? [];
  if (host === undefined) return false;
  const pid = Number(number);
  return host !== hostname() || (pid !== process.pid && isAlive(pid));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
