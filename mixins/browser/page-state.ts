import { endDocument } from "./end-document.ts";
import type { OnError } from "./listen.ts";
import { type Decision, evaluateIn, type PageRequest, type Tab } from "./tab.ts";

/** What a job leaves in a page, and `wipe` removes. */
export interface PageState extends Tab {
  /** The job that holds the session sets it. */
  decide: (request: PageRequest) => Decision;
  /** Origins whose documents the page has shown; their storage is cleared between jobs. */
  readonly origins: Set<string>;
  /** The state of the page is unknown. The pool closes the session when the job returns it. */
  spoiled: boolean;
  /** Puppeteer has a page of the tab too. */
  isHandled: boolean;
  /** Takes what a listener of this page throws. */
  readonly onError: OnError;
  /** What the job has cost so far, in the units of the session. */
  cost: number;
}

const storageTypes =
  "local_storage,indexeddb,websql,service_workers,cache_storage,file_systems,shared_storage,interest_groups";
const maxOriginsToWipe = 16;

export function rememberOrigin(state: PageState, url: string): void {
  // Chromium asks for hosts that the URL standard refuses, such as `a%20b`; it stores nothing for them.
  const { origin } = (/^https?:/.test(url) && URL.parse(url)) || {};
  if (origin === undefined) return;
  state.origins.add(origin);
  if (state.origins.size > maxOriginsToWipe) state.spoiled = true;
}

/**
 * Ends the scripts of the last job by an empty document, and removes its cookies, storage, history and the window's name
 * (docs/decisions/0180). The HTTP cache stays: it serves the same tenant only, and documents do not come from it. Resolves
 * with whether the page is clean: not when its history is not, when Puppeteer has a page of its tab, or when it has shown
 * several origins: a tab keeps the session storage of origins that it no longer shows, and Chromium before 156 keeps it even
 * when an origin's data is cleared.
 */
export async function wipe(state: PageState): Promise<boolean> {
  const { origins } = state;
  const place = await endDocument(state);
  await clear(state);
  const isClean = (await isHistoryCleared(state, place)) && origins.size <= 1 && !state.isHandled;
  origins.clear();
  state.cost = 0;
  return isClean;
}

/** In the empty document: until the last one has ended, its promises continue even where scripts are disabled. */
async function clear(state: PageState): Promise<void> {
  const { cdp, origins, mainFrameId } = state;
  await Promise.all([
    evaluateIn(state, mainFrameId, leavings),
    cdp.send("Network.setBypassServiceWorker", { bypass: false }),
    cdp.send("Network.clearBrowserCookies"),
    ...[...origins].map(origin => cdp.send("Storage.clearDataForOrigin", { origin, storageTypes })),
  ]);
}

/** Asked last: the renderer shows a document before the browser has its entry, and what is removed until then is not all. */
async function isHistoryCleared({ cdp }: PageState, place: string): Promise<boolean> {
  const [, { entries }] = await Promise.all([
    cdp.send("Page.resetNavigationHistory"),
    cdp.send("Page.getNavigationHistory"),
  ]);
  return entries.length === 1 && entries[0]?.url === place;
}

/** An empty document of no origin has no storage. */
const leavings = `
  window.name = "";
  if (origin !== "null") sessionStorage.clear();`;

/**
 * Processor time of the page's renderer since it started, in ms. While `Performance` is on, each task of the page costs more;
 * to ask after each page would cost a tenth of it.
 */
export async function cpuMsOf({ cdp }: Pick<PageState, "cdp">): Promise<number> {
  const [, { metrics }] = await Promise.all([
    cdp.send("Performance.enable"),
    cdp.send("Performance.getMetrics"),
    cdp.send("Performance.disable"),
  ]);
  return 1000 * (metrics.find(({ name }) => name === "ProcessTime")?.value ?? 0);
}
