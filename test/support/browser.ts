import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type BrowserPool,
  type BrowserPoolOptions,
  createBrowserPool,
} from "../../mixins/browser/browser-pool.ts";
import type { BrowserBinary } from "../../mixins/browser/browser-process.ts";
import { findBrowser } from "../../mixins/browser/find-browser.ts";
import type { Egress } from "../../mixins/egress/egress.ts";
import { noAdFilters } from "../../services/scraper/render/ad-filters.ts";
import { type RenderedPage, type RenderJob, renderPage } from "../../services/scraper/render/render-page.ts";

/** The browser that the service would use here. */
export async function testBrowser(): Promise<BrowserBinary> {
  const machine = { searchPath: process.env.PATH ?? "", dataDir: "data" };
  const binary = await findBrowser(process.env.BROWSER_PATH, machine);
  if (binary === undefined) throw new Error("no browser to test with");
  return binary;
}

export async function testPool(
  egress: Egress,
  options: Partial<BrowserPoolOptions> = {},
): Promise<BrowserPool> {
  return await createBrowserPool({
    pages: 4,
    queue: 16,
    maxIdle: 4,
    idleMs: Number.POSITIVE_INFINITY,
    recycleAfterPages: 500,
    maxMemoryMb: 4096,
    maxPageCpuMs: 15_000,
    findBinary: testBrowser,
    egress,
    onError: () => undefined,
    scratchRoot: mkdtempSync(join(tmpdir(), "magpie-test-browser-")),
    ...options,
  });
}

/** Renders a page with the defaults of a scrape request. */
export async function render(
  pool: BrowserPool,
  url: string,
  {
    timeoutMs = 60_000,
    tenant = "tenant",
    ...job
  }: Partial<RenderJob> & { timeoutMs?: number; tenant?: string } = {},
): Promise<RenderedPage> {
  const signal = AbortSignal.timeout(timeoutMs);
  const defaults: RenderJob = {
    url,
    requestedUrl: url,
    request: { device: "desktop" },
    jsRender: { enabled: true },
    cookies: [],
    siteCookies: [],
    headers: {},
    hasOwnCookies: false,
    ads: noAdFilters,
    needsPicture: job.screenshot !== undefined,
    lease: { tenant, skipTlsVerification: true },
    maxBytes: 64 * 1024 * 1024,
    deadline: Date.now() + timeoutMs,
  };
  const page = await renderPage(pool, { ...defaults, ...job }, signal);
  if ("isLate" in page) throw new Error("the page was late");
  return page;
}

/** Processes that belong to a browser's group and still run. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}
