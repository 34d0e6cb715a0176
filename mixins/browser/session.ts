import type { BrowserContext, CDPSession, Page, Protocol, Target } from "puppeteer";
import type { Egress, Lane } from "../egress/egress.ts";
import type { BrowserProcess } from "./browser-process.ts";

export type { HTTPRequest, HTTPResponse, Page } from "puppeteer";

/** What separates one browsing state from another: contexts are shared only inside one value of it. */
export interface LeaseSpec {
  /** The API key that the page is rendered for. */
  tenant: string;
  proxyUrl?: string;
  skipTlsVerification: boolean;
}

/** What becomes of a request of the page. */
export type Decision =
  | { kind: "continue"; headers?: Record<string, string> }
  | { kind: "block" }
  | { kind: "fulfil"; status: number; headers: Record<string, string>; body: Buffer };

/** A request of the page, before it is sent. */
export interface PageRequest {
  url: string;
  method: string;
  /** CDP resource type: `Document`, `Script`, `XHR`… */
  resourceType: string;
  headers: Record<string, string>;
  /** True for a navigation of the top frame. */
  isMainDocument: boolean;
}

/** One browser context with one page, behind one lane of the egress guard; lent to one job at a time. */
export interface Session {
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly lane: Lane;
  readonly process: BrowserProcess;
  readonly specKey: string;
  /** DevTools identifier of the top frame; a page keeps it for life. */
  readonly mainFrameId: string;
  /** Set by the job that holds the session. */
  decide: (request: PageRequest) => Decision;
  /** Origins whose documents the page has shown; their storage is cleared between jobs. */
  readonly origins: Set<string>;
  /** Set when the state of the page is not known any more; the session is thrown away on return. */
  spoiled: boolean;
  close(): Promise<void>;
}

const storedThings =
  "local_storage,indexeddb,websql,service_workers,cache_storage,file_systems,shared_storage,interest_groups";
const maxOriginsToWipe = 16;

export function specKey(spec: LeaseSpec): string {
  return JSON.stringify([spec.tenant, spec.proxyUrl ?? "", spec.skipTlsVerification]);
}

export async function openSession(
  process: BrowserProcess,
  spec: LeaseSpec,
  egress: Egress,
): Promise<Session> {
  const lane = await egress.openLane({ upstreamProxyUrl: spec.proxyUrl });
  let context: BrowserContext | undefined;
  try {
    context = await process.browser.createBrowserContext({
      proxyServer: lane.url,
      proxyBypassList: ["<-loopback>"],
      downloadBehavior: { policy: "deny" },
    });
    return await preparePage(context, process, spec, lane);
  } catch (error) {
    await Promise.allSettled([context?.close(), lane.close()]);
    throw error;
  }
}

async function preparePage(
  context: BrowserContext,
  process: BrowserProcess,
  spec: LeaseSpec,
  lane: Lane,
): Promise<Session> {
  const page = await context.newPage();
  const cdp = await page.createCDPSession();
  const { frameTree } = await cdp.send("Page.getFrameTree");
  const session: Session = {
    page,
    cdp,
    lane,
    process,
    specKey: specKey(spec),
    mainFrameId: frameTree.frame.id,
    decide: () => ({ kind: "block" }),
    origins: new Set(),
    spoiled: false,
    close: async () => {
      await Promise.allSettled([context.close(), lane.close()]);
    },
  };
  keepToOnePage(context, session);
  await Promise.all([
    interceptRequests(session),
    cdp.send("Security.setIgnoreCertificateErrors", { ignore: spec.skipTlsVerification }),
  ]);
  return session;
}

/** Popups are closed, dialogs dismissed; a crash spoils the session. */
function keepToOnePage(context: BrowserContext, session: Session): void {
  const { page } = session;
  context.on("targetcreated", target => {
    if (target.type() !== "page") return;
    closePopup(target, page).catch(() => spoil(session));
  });
  page.on("dialog", dialog => {
    const answer = dialog.type() === "beforeunload" ? dialog.accept() : dialog.dismiss();
    answer.catch(() => spoil(session));
  });
  page.on("error", () => spoil(session));
}

async function closePopup(target: Target, page: Page): Promise<void> {
  const popup = await target.page();
  if (popup !== null && popup !== page) await popup.close();
}

function spoil(session: Session): void {
  session.spoiled = true;
}

async function interceptRequests(session: Session): Promise<void> {
  const { cdp, mainFrameId } = session;
  cdp.on("Fetch.requestPaused", event => {
    const request = pageRequest(event, mainFrameId);
    if (request.resourceType === "Document") rememberOrigin(session, request.url);
    answer(cdp, event, session.decide(request)).catch(() => undefined);
  });
  await cdp.send("Fetch.enable", { patterns: [{ urlPattern: "*" }] });
}

function pageRequest(event: Protocol.Fetch.RequestPausedEvent, mainFrameId: string): PageRequest {
  const { request, resourceType, frameId } = event;
  return {
    url: request.url,
    method: request.method,
    resourceType,
    headers: request.headers,
    isMainDocument: resourceType === "Document" && frameId === mainFrameId,
  };
}

/** A request that is answered twice or whose page has gone is the browser's business: the promise rejects, no more. */
function answer(
  cdp: CDPSession,
  { requestId }: Protocol.Fetch.RequestPausedEvent,
  decision: Decision,
): Promise<void> {
  if (decision.kind === "block")
    return cdp.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
  if (decision.kind === "continue")
    return cdp.send("Fetch.continueRequest", {
      requestId,
      ...(decision.headers && { headers: headerEntries(decision.headers) }),
    });
  return cdp.send("Fetch.fulfillRequest", {
    requestId,
    responseCode: decision.status,
    responseHeaders: headerEntries(decision.headers),
    body: decision.body.toString("base64"),
  });
}

function headerEntries(headers: Record<string, string>): Protocol.Fetch.HeaderEntry[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function rememberOrigin(session: Session, url: string): void {
  if (!/^https?:/.test(url)) return;
  session.origins.add(new URL(url).origin);
  if (session.origins.size > maxOriginsToWipe) session.spoiled = true;
}

/**
 * Takes cookies, storage, service workers, history and the window's name of the last job away. The HTTP cache stays:
 * it serves the same tenant only, and documents do not come from it.
 */
export async function wipe(session: Session): Promise<void> {
  const { cdp, origins } = session;
  session.decide = () => ({ kind: "block" });
  await cdp.send("Page.stopLoading");
  await Promise.all([
    cdp.send("Network.clearBrowserCookies"),
    cdp.send("Page.resetNavigationHistory"),
    // Chromium before 156 keeps the tab's session storage when it clears an origin's data.
    cdp.send("Runtime.evaluate", { expression: "window.name = ''; sessionStorage.clear()" }),
    ...[...origins].map(origin =>
      cdp.send("Storage.clearDataForOrigin", { origin, storageTypes: storedThings }),
    ),
  ]);
  origins.clear();
}
