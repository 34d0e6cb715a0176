import type { BrowserContext, Page } from "puppeteer";
import { fail } from "../../services/contracts/errors.ts";
import type { Egress, TenantProxy } from "../egress/egress.ts";
import type { BrowserProcess } from "./browser-process.ts";
import { listen, type OnError } from "./listen.ts";
import { type PageState, rememberOrigin } from "./page-state.ts";
import {
  closeTab,
  type Decision,
  ignoreGone,
  interceptRequests,
  openTab,
  puppeteerPage,
  type Tab,
} from "./tab.ts";

export type { CDPSession, Protocol } from "puppeteer";

/** What separates one browsing state from another: pages share a context only when all of it is equal. */
export interface LeaseSpec {
  /** The API key that the page is rendered for. */
  tenant: string;
  proxyUrl?: string;
  skipTlsVerification: boolean;
}

/** A browser context with one page, behind a tenant proxy of the egress guard; lent to one job at a time. */
export interface Session extends PageState {
  readonly proxy: TenantProxy;
  readonly process: BrowserProcess;
  readonly specKey: string;
  /** Fires when the page has to end before its job does; its reason is the job's error. */
  readonly ended: AbortSignal;
  /** Ends the page: its job fails with this error, and the pool closes the session. */
  end(reason: Error): void;
  /** For keys and clicks. The pool replaces a tab that was used so. */
  hand(): Promise<Pick<Page, "keyboard" | "mouse">>;
  /** Takes what a listener of this page throws: the job fails, and the log says why. */
  readonly onError: OnError;
  readonly parts: Parts;
  /** Stops listening for what its context opens. */
  unwatch(): void;
  close(): Promise<void>;
}

/** What a session is made of, and keeps when its page is replaced. */
interface Parts {
  context: BrowserContext;
  process: BrowserProcess;
  spec: LeaseSpec;
  proxy: TenantProxy;
  onError: OnError;
  /** Set for good by the first shared or service worker: these end some time after their page (docs/decisions/0180). */
  hadWorkers: boolean;
}

/** What a page makes the browser's own process do; the renderer's time and memory do not show that. */
const costs = { request: 1, frame: 4, navigation: 4 };
const maxCost = 2000;

export function specKey(spec: LeaseSpec): string {
  return JSON.stringify([spec.tenant, spec.proxyUrl ?? "", spec.skipTlsVerification]);
}

/** A context with one empty tab, which nobody has used and no tenant has yet. */
export interface Room {
  readonly process: BrowserProcess;
  readonly context: BrowserContext;
  readonly proxy: TenantProxy;
  readonly tab: Tab;
  readonly onError: OnError;
}

export async function openRoom(
  process: BrowserProcess,
  { proxyUrl }: Pick<LeaseSpec, "proxyUrl">,
  { egress, onError }: { egress: Egress; onError: OnError },
): Promise<Room> {
  const proxy = await egress.openTenantProxy({ upstreamProxyUrl: proxyUrl });
  let context: BrowserContext | undefined;
  try {
    context = await process.browser.createBrowserContext({
      proxyServer: proxy.url,
      proxyBypassList: ["<-loopback>"],
      downloadBehavior: { policy: "deny" },
    });
    const tab = await openTab({ context, connection: process.connection, onError });
    return { process, context, proxy, tab, onError };
  } catch (error) {
    await Promise.allSettled([context?.close(), proxy.close()]);
    throw error;
  }
}

/** Gives a room to a tenant, for good. */
export async function occupy(room: Room, spec: LeaseSpec): Promise<Session> {
  const { process, context, tab, onError } = room;
  const proxy: TenantProxy = {
    ...room.proxy,
    begin: ({ maxBytes, tenant = spec.tenant }) => room.proxy.begin({ maxBytes, tenant }),
  };
  const parts: Parts = { context, process, spec, proxy, onError, hadWorkers: false };
  listen(context, "targetcreated", onError, target => {
    if (target.type() === "shared_worker" || target.type() === "service_worker") parts.hadWorkers = true;
  });
  try {
    return await preparePage(parts, tab);
  } catch (error) {
    await leave(room);
    throw error;
  }
}

/** Closes the room. */
export async function leave({ context, proxy }: Pick<Room, "context" | "proxy">): Promise<void> {
  await Promise.allSettled([context.close(), proxy.close()]);
}

/** A new page in the same context: another renderer, and nothing of what the old tab stored. */
export async function renew(session: Session): Promise<Session> {
  session.unwatch();
  const { context, process, onError } = session.parts;
  const tab = await openTab({ context, connection: process.connection, onError });
  const next = await preparePage(session.parts, tab);
  await closeTab(session, session.process.connection);
  return next;
}

/** Ends the renderer of a page, however busy it is, so that its context can close. Chromium refuses while a navigation begins. */
export function crash({ cdp, onError }: Session): void {
  const end = () => cdp.send("Page.crash");
  const again = (error: unknown) => {
    if (!isNavigating.test(String(error))) throw error;
    return cdp.send("Page.stopLoading").then(end);
  };
  const ignoreNavigating = (error: unknown) => {
    if (!isNavigating.test(String(error))) throw error;
  };
  end().catch(again).catch(ignoreNavigating).catch(ignoreGone).catch(onError);
}

const isNavigating = /pending navigations/;

async function preparePage(parts: Parts, tab: Tab): Promise<Session> {
  const { context, process, spec, proxy, onError } = parts;
  const ending = new AbortController();
  // The tab itself, since its URL changes.
  const session: Session = Object.assign(tab, {
    proxy,
    process,
    specKey: specKey(spec),
    decide: (): Decision => ({ kind: "block" }),
    origins: new Set<string>(),
    spoiled: false,
    isHandled: false,
    ended: ending.signal,
    hand: () => {
      session.isHandled = true;
      return puppeteerPage(tab, session.onError);
    },
    end: (reason: Error) => {
      session.spoiled = true;
      ending.abort(reason);
    },
    onError: (error: unknown) => {
      onError(error);
      session.end(
        fail("upstream_error", "The browser reported something that cannot be handled.", {}, error),
      );
    },
    cost: 0,
    parts,
    unwatch: () => undefined,
    close: () => leave(parts),
  });
  keepToOnePage(context, session);
  await Promise.all([
    interceptRequests(session, session.onError, request => {
      if (!affords(session, costs.request)) return undefined;
      if (request.resourceType === "Document") rememberOrigin(session, request.url);
      return session.decide(request);
    }),
    session.cdp.send("Security.setIgnoreCertificateErrors", { ignore: spec.skipTlsVerification }),
  ]);
  return session;
}

/** Closes popups and dismisses dialogs; a crash ends the job. */
function keepToOnePage(context: BrowserContext, session: Session): void {
  const { cdp, onError } = session;
  const spoil = () => {
    session.spoiled = true;
  };
  session.unwatch = listen(context, "targetcreated", onError, async target => {
    if (target.type() === "page" && target !== session.target)
      await closeTab({ target }, session.process.connection).catch(spoil);
  });
  listen(cdp, "Page.javascriptDialogOpening", onError, async ({ type }) => {
    await cdp.send("Page.handleJavaScriptDialog", { accept: type === "beforeunload" }).catch(spoil);
  });
  listen(cdp, "Page.frameAttached", onError, () => affords(session, costs.frame));
  listen(cdp, "Page.frameNavigated", onError, () => affords(session, costs.navigation));
  listen(cdp, "Page.navigatedWithinDocument", onError, () => affords(session, costs.navigation));
  listen(cdp, "Inspector.targetCrashed", onError, () =>
    session.end(fail("upstream_error", session.process.endedRenderer ?? crashed)),
  );
}

const crashed = "The page ended the browser's process that showed it.";

/** False when the page has cost too much; it ends then. */
function affords(session: Session, cost: number): boolean {
  session.cost += cost;
  if (session.cost > maxCost && !session.ended.aborted) session.end(fail("upstream_error", floods));
  return session.cost <= maxCost;
}

const floods = "The page makes more requests, frames or navigations than a page may.";
