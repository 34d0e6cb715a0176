import type { BrowserContext, CDPSession, Page, Target } from "puppeteer";
import { fail } from "../../services/contracts/errors.ts";
import type { Egress, TenantProxy } from "../egress/egress.ts";
import type { BrowserProcess } from "./browser-process.ts";
import { listen, type OnError } from "./listen.ts";
import { interceptRequests } from "./page-requests.ts";
import { type PageState, rememberOrigin } from "./page-state.ts";

export type { HTTPRequest, HTTPResponse, Page } from "puppeteer";

/** What separates one browsing state from another: pages share a context only when all of it is equal. */
export interface LeaseSpec {
  /** The API key that the page is rendered for. */
  tenant: string;
  proxyUrl?: string;
  skipTlsVerification: boolean;
}

/** One browser context with one page, behind a tenant proxy of the egress guard; lent to one job at a time. */
export interface Session extends PageState {
  readonly proxy: TenantProxy;
  readonly process: BrowserProcess;
  readonly specKey: string;
  /** Fires when the page has to end before its job does; its reason is the job's error. */
  readonly ended: AbortSignal;
  /** Ends the page: its job fails with this error, and the pool closes the session. */
  end(reason: Error): void;
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
}

/** What a page makes the browser's own process do; the renderer's time and memory do not show that. */
const costs = { request: 1, frame: 4, navigation: 4 };
const maxCost = 2000;

export function specKey(spec: LeaseSpec): string {
  return JSON.stringify([spec.tenant, spec.proxyUrl ?? "", spec.skipTlsVerification]);
}

export async function openSession(
  process: BrowserProcess,
  spec: LeaseSpec,
  { egress, onError }: { egress: Egress; onError: OnError },
): Promise<Session> {
  const proxy = await egress.openTenantProxy({ tenant: spec.tenant, upstreamProxyUrl: spec.proxyUrl });
  let context: BrowserContext | undefined;
  try {
    context = await process.browser.createBrowserContext({
      proxyServer: proxy.url,
      proxyBypassList: ["<-loopback>"],
      downloadBehavior: { policy: "deny" },
    });
    return await preparePage({ context, process, spec, proxy, onError });
  } catch (error) {
    await Promise.allSettled([context?.close(), proxy.close()]);
    throw error;
  }
}

/** A new page in the same context: another renderer, and nothing of what the old tab stored. */
export async function renew({ parts, page, unwatch }: Session): Promise<Session> {
  unwatch();
  const session = await preparePage(parts);
  await page.close();
  return session;
}

/** Ends the renderer of a page, however busy it is, so that its context can close. */
export function crash({ cdp, onError }: Session): void {
  cdp.send("Page.crash").catch(ignoreGone).catch(onError);
}

/** The answer of a page that has ended, or that this command ends. */
function ignoreGone(error: unknown): void {
  if (!/closed|crashed|detached|not found/i.test(String(error))) throw error;
}

async function preparePage(parts: Parts): Promise<Session> {
  const { context, process, spec, proxy, onError } = parts;
  const page = await context.newPage();
  const cdp = await page.createCDPSession();
  const { frameTree } = await cdp.send("Page.getFrameTree");
  const ending = new AbortController();
  const session: Session = {
    page,
    cdp,
    proxy,
    process,
    specKey: specKey(spec),
    mainFrameId: frameTree.frame.id,
    decide: () => ({ kind: "block" }),
    origins: new Set(),
    spoiled: false,
    ended: ending.signal,
    end: reason => {
      session.spoiled = true;
      ending.abort(reason);
    },
    onError: error => {
      onError(error);
      session.end(
        fail("upstream_error", "The browser reported something that cannot be handled.", {}, error),
      );
    },
    cost: 0,
    parts,
    unwatch: () => undefined,
    close: async () => {
      await Promise.allSettled([context.close(), proxy.close()]);
    },
  };
  keepToOnePage(context, session);
  await Promise.all([
    interceptRequests(session, request => {
      if (!affords(session, costs.request)) return undefined;
      if (request.resourceType === "Document") rememberOrigin(session, request.url);
      return session.decide(request);
    }),
    cdp.send("Performance.enable"),
    silence(session),
    cdp.send("Security.setIgnoreCertificateErrors", { ignore: spec.skipTlsVerification }),
  ]);
  return session;
}

/** Closes popups and dismisses dialogs; a crash ends the job. */
function keepToOnePage(context: BrowserContext, session: Session): void {
  const { page, onError } = session;
  session.unwatch = listen(context, "targetcreated", onError, async target => {
    if (target.type() === "page") await closePopup(target, page).catch(() => spoil(session));
  });
  listen(page, "dialog", onError, async dialog => {
    const answer = dialog.type() === "beforeunload" ? dialog.accept() : dialog.dismiss();
    await answer.catch(() => spoil(session));
  });
  listen(page, "frameattached", onError, () => affords(session, costs.frame));
  listen(page, "framenavigated", onError, () => affords(session, costs.navigation));
  listen(page, "error", onError, cause =>
    session.end(fail("upstream_error", session.process.endedRenderer ?? crashed, {}, cause)),
  );
}

const crashed = "The page ended the browser's process that showed it.";

/**
 * Puppeteer subscribes to the console, to exceptions and to script contexts of each page and worker, and a page can flood
 * all of them. Magpie does not use them: it evaluates scripts in isolated worlds of its own (services/scraper/render).
 */
async function silence({ page, onError }: Session): Promise<void> {
  const { _client } = page as Page & { _client(): CDPSession };
  const client = _client.call(page);
  listen(page, "workercreated", onError, async worker => {
    await worker.client.send("Runtime.disable").catch(ignoreGone);
  });
  await Promise.all([client.send("Runtime.disable"), client.send("Log.disable")]);
}

async function closePopup(target: Target, page: Page): Promise<void> {
  const popup = await target.page();
  if (popup !== null && popup !== page) await popup.close();
}

function spoil(session: Session): void {
  session.spoiled = true;
}

/** False when the page has cost too much; it ends then. */
function affords(session: Session, cost: number): boolean {
  session.cost += cost;
  if (session.cost > maxCost && !session.ended.aborted) session.end(fail("upstream_error", floods));
  return session.cost <= maxCost;
}

const floods = "The page makes more requests, frames or navigations than a page may.";
