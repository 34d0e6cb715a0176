import type { BrowserContext, CDPSession, Connection, Page, Protocol, Target } from "puppeteer";
import { listen, type OnError } from "./listen.ts";

/**
 * A tab that is driven by commands of the DevTools protocol, in one session. Puppeteer's `Page` would have a session of its
 * own: each event of the page would come twice, and each document would get a script context that nobody uses
 * (docs/decisions/0179).
 */
export interface Tab {
  readonly cdp: CDPSession;
  readonly target: Target;
  /** DevTools identifier of the top frame. It never changes for a tab. */
  readonly mainFrameId: string;
  /** The address of the document in the top frame, as Chromium spells it. */
  url: string;
}

interface TabOptions {
  context: BrowserContext;
  connection: Connection;
  onError: OnError;
}

/** A tab that reports its requests, and shows nothing yet. */
export async function openTab({ context, connection, onError }: TabOptions): Promise<Tab> {
  const { targetId } = await connection.send("Target.createTarget", {
    url: "about:blank",
    browserContextId: context.id,
  });
  const target = await context.waitForTarget(each => idOf(each) === targetId);
  const cdp = await target.createCDPSession();
  const { frameTree } = await cdp.send("Page.getFrameTree");
  const tab: Tab = { cdp, target, mainFrameId: frameTree.frame.id, url: "about:blank" };
  listen(cdp, "Page.frameNavigated", onError, ({ frame: { id, url, urlFragment = "" } }) => {
    if (id === tab.mainFrameId) tab.url = url + urlFragment;
  });
  listen(cdp, "Page.navigatedWithinDocument", onError, ({ frameId, url }) => {
    if (frameId === tab.mainFrameId) tab.url = url;
  });
  // Nobody asks for bodies of answers.
  const keepNothing = { maxTotalBufferSize: 0, maxResourceBufferSize: 0 };
  await Promise.all([
    cdp.send("Page.enable"),
    cdp.send("Network.enable", keepNothing),
    // Requests of workers are reported to the workers' sessions.
    cdp.send("Target.setAutoAttach", {
      autoAttach: true,
      waitForDebuggerOnStart: false,
      flatten: true,
      filter: [{ type: "worker" }],
    }),
  ]);
  return tab;
}

export async function closeTab({ target }: Pick<Tab, "target">, connection: Connection): Promise<void> {
  await connection.send("Target.closeTarget", { targetId: idOf(target) });
}

/** This answer is a document too: Chromium's own page about it. */
const isShown = "net::ERR_HTTP_RESPONSE_CODE_FAILURE";

/**
 * Starts a navigation of the top frame. Resolves with the document's identifier; undefined where the address leads within the
 * document that is shown. Rejects with Chromium's net error.
 */
export async function navigate({ cdp }: Tab, url: string): Promise<string | undefined> {
  // An address that was typed is loaded again where it is shown already, and forms are filled as they were.
  const { loaderId, errorText } = await cdp.send("Page.navigate", { url, transitionType: "auto_toplevel" });
  if (errorText !== undefined && errorText !== isShown) throw new Error(`${errorText} at ${url}`);
  return loaderId;
}

/** Replaces the document, with which its scripts, timers and workers end. Resolves when the next one is there. */
export async function replaceDocument(tab: Tab, url: string, onError: OnError): Promise<void> {
  const shown = new Set<string>();
  let check: () => void = () => undefined;
  const stop = listen(tab.cdp, "Page.frameNavigated", onError, ({ frame }) => {
    if (frame.id === tab.mainFrameId) shown.add(frame.loaderId);
    check();
  });
  try {
    const wanted = await navigate(tab, url);
    if (wanted === undefined) throw new Error("the document was not replaced");
    await new Promise<void>(resolve => {
      check = () => {
        if (shown.has(wanted)) resolve();
      };
      check();
    });
  } finally {
    stop();
  }
}

/**
 * Evaluates in the isolated world of a frame, of whatever origin: it sees the same document, and the page cannot change its
 * built-ins. Rejects when the frame leaves its document meanwhile.
 */
export async function evaluateIn<T>(
  { cdp }: Pick<Tab, "cdp">,
  frameId: string,
  expression: string,
): Promise<T> {
  const world = await cdp.send("Page.createIsolatedWorld", { frameId, worldName: "magpie" });
  const { result, exceptionDetails } = await cdp.send("Runtime.evaluate", {
    expression,
    contextId: world.executionContextId,
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error(`the page could not be read: ${exceptionDetails.text}`);
  return result.value as T;
}

/** Whether an evaluation failed since the document was replaced under it. */
export function hasLeft(error: unknown): boolean {
  return /Cannot find context|context was destroyed|Inspected target navigated/.test(String(error));
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

/** Holds every request of a page until `decide` has answered; a request without a decision stays paused. */
export async function interceptRequests(
  { cdp, mainFrameId }: Tab,
  onError: OnError,
  decide: (request: PageRequest) => Decision | undefined,
): Promise<void> {
  listen(cdp, "Fetch.requestPaused", onError, async event => {
    const decision = decide(pageRequest(event, mainFrameId));
    if (decision) await answer(cdp, event, decision).catch(() => undefined);
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

/** The command rejects for a request that was answered before, or whose page has closed; the caller ignores that. */
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

/** Puppeteer's own page of a tab, for its keyboard and mouse. It stays as long as the tab. */
export async function puppeteerPage({ target }: Tab, onError: OnError): Promise<Page> {
  const page = await target.page();
  if (page === null) throw new Error("Target closed");
  await silence(page, onError);
  return page;
}

function idOf(target: Target): string {
  return (target as Target & { _targetId: string })._targetId;
}

/**
 * Puppeteer subscribes to the console, to exceptions and to script contexts of each page and worker, and a page can flood
 * all of them. Magpie does not use them: it evaluates scripts in isolated worlds of its own (services/scraper/render).
 */
async function silence(page: Page, onError: OnError): Promise<void> {
  const { _client } = page as Page & { _client(): CDPSession };
  const client = _client.call(page);
  listen(page, "workercreated", onError, async worker => {
    await worker.client.send("Runtime.disable").catch(ignoreGone);
  });
  await Promise.all([client.send("Runtime.disable"), client.send("Log.disable")]);
}

/** The answer of a page that has ended, or that this command ends. */
export function ignoreGone(error: unknown): void {
  if (!/closed|crashed|detached|not found/i.test(String(error))) throw error;
}
