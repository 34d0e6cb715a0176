import { untilAborted } from "../../../mixins/async/timeout.ts";
import type { BrowserPool } from "../../../mixins/browser/browser-pool.ts";
import type { LeaseSpec, Session } from "../../../mixins/browser/session.ts";
import { navigate } from "../../../mixins/browser/tab.ts";
import { codeOf, fail } from "../../contracts/errors.ts";
import type { OutputOptions } from "../../contracts/page-options.ts";
import { act, type Stage, takeScreenshot, waitForPage } from "./act.ts";
import { evaluateApart } from "./find-element.ts";
import { checkLoadedUrl, navigationError, type RequestRules, requestRules } from "./navigation.ts";
import { type PageLoad, type Reading, readWhenSettled, untilQuiet, watchLoad } from "./page-load.ts";
import { type Presentation, preparePage } from "./prepare-page.ts";

export interface RenderJob extends Presentation, RequestRules {
  lease: LeaseSpec;
  /** Name lookups are counted against this tenant; the lease's tenant by default. */
  lookupsOf?: string;
  screenshot?: OutputOptions["screenshot"];
  /** Limit of all bytes that the page loads. */
  maxBytes: number;
  /** Milliseconds since the epoch at which the job's signal fires. */
  deadline: number;
  /** Fires when the request was answered: a page that is being rendered then makes room for others. */
  answered?: AbortSignal;
}

export interface RenderedPage {
  status: number;
  finalUrl: string;
  html: string;
  /** Requests for scripts and data that failed. */
  failedRequests: number;
  screenshot?: Uint8Array;
  /** What the actions took. */
  pictures: Uint8Array[];
}

/** Limit of a rendered document in characters; the rest is cut off. */
const maxHtmlCharacters = 20_000_000;
/** Kept of the time for reading the page if its load event does not come. */
const readingMs = 1000;
/** Interval of looks at a page whose load event has not come. */
const lookMs = 250;

/** What to return instead of navigating to a URL; null: navigate. */
export type StopAt<Result> = (url: string) => Result | null;

/**
 * Shows a page in the browser and reads it once it has settled. If the page navigates to a URL for which `stopAt` returns
 * a value, returns that value and sends no request there. Where the actions of the request lead is still this page.
 */
export async function renderPage<Result extends object = never>(
  browser: BrowserPool,
  job: RenderJob,
  signal: AbortSignal,
  stopAt: StopAt<Result> = () => null,
): Promise<RenderedPage | Result> {
  return await browser.run(job.lease, signal, async session => {
    const left = new AbortController();
    let result: Result | null = null;
    const state = { isActing: false };
    session.decide = requestRules(job, url => {
      if (!state.isActing) result ??= stopAt(url);
      if (result !== null) left.abort();
      return result !== null;
    });
    const stay = endOnAnswer(session, job.answered);
    const onAct = () => {
      state.isActing = true;
    };
    return await show(session, job, AbortSignal.any([signal, left.signal]), onAct)
      .catch(error => {
        if (result === null) throw error;
        return result;
      })
      .finally(stay);
  });
}

/** Does not end a page that gets its turn after the answer. Returns the function that removes the listener. */
function endOnAnswer(session: Session, answered: AbortSignal | undefined): () => void {
  const end = () => session.end(fail("scrape_timeout", "The page was still busy when its time was over."));
  answered?.addEventListener("abort", end);
  return () => answered?.removeEventListener("abort", end);
}

async function show(
  session: Session,
  job: RenderJob,
  signal: AbortSignal,
  onAct: () => void,
): Promise<RenderedPage> {
  session.proxy.begin({ maxBytes: job.maxBytes, tenant: job.lookupsOf });
  await preparePage(session, job);
  const load = watchLoad(session);
  try {
    await goTo(session, job, load, signal);
    await waitForLoad(session, job, load, signal);
    const stage = { session, load, deadline: job.deadline - readingMs, signal };
    const pictures = await prepare(stage, job, onAct).catch(error => {
      // What is missing may be so because the page is elsewhere.
      if (codeOf(error) === "element_not_found") checkLoadedUrl(session, load.status());
      throw error;
    });
    const { html } = await readSettled(session, job, load, signal);
    signal.throwIfAborted();
    checkLoadedUrl(session, load.status());
    const screenshot = job.screenshot && (await takeScreenshot(session, job.screenshot));
    return {
      status: load.status(),
      finalUrl: session.url,
      html,
      failedRequests: load.failedRequests(),
      screenshot,
      pictures,
    };
  } finally {
    load.stop();
  }
}

/** Waits and acts as the request says; returns the pictures that the actions took. */
async function prepare(stage: Stage, { jsRender }: RenderJob, onAct: () => void): Promise<Uint8Array[]> {
  const { wait_for, actions = [] } = jsRender;
  await waitForPage(stage, wait_for);
  if (actions.length === 0) return [];
  onAct();
  return await act(stage, actions);
}

/** Navigates, and waits until the document is parsed. */
async function goTo(session: Session, job: RenderJob, load: PageLoad, signal: AbortSignal): Promise<void> {
  try {
    await untilAborted(navigate(session, job.url), signal);
  } catch (error) {
    throw navigationError(String(error), session.proxy.record(), error);
  }
  while (!load.isReadable()) await load.change(lookMs, signal);
}

/** After `domcontentloaded` the page is readable: a resource that never ends costs time, not the result. */
async function waitForLoad(
  session: Session,
  { jsRender, deadline }: RenderJob,
  load: PageLoad,
  signal: AbortSignal,
): Promise<void> {
  if (jsRender.wait_until === "domcontentloaded") return;
  const retry = () => Math.max(1, deadline - Date.now() - readingMs);
  while (!load.isLoaded() && retry() > 1) {
    await load.change(Math.min(lookMs, retry()), signal);
    if (!load.isLoaded() && (await isComplete(session))) break;
  }
  if (jsRender.wait_until === "networkidle")
    await untilQuiet(load, { quietMs: 500, deadline: deadline - readingMs, signal });
}

/** A page that stopped its own loading gets no load event. */
async function isComplete(session: Session): Promise<boolean> {
  const state = await evaluateApart<string>(session, "document.readyState").catch((error: Error) => {
    if (!/context was destroyed|detached/.test(error.message)) throw error;
    return undefined;
  });
  return state === "complete";
}

/** Unless the request says when the page is ready, waits until it has settled. */
async function readSettled(
  session: Session,
  job: RenderJob,
  load: PageLoad,
  signal: AbortSignal,
): Promise<Reading> {
  if (job.jsRender.wait_until !== undefined) return await read(session);
  return await readWhenSettled(load, () => read(session), { deadline: job.deadline - readingMs, signal });
}

async function read(session: Session): Promise<Reading> {
  const doctype = "(document.doctype ? new XMLSerializer().serializeToString(document.doctype) + '\\n' : '')";
  const html = `(${doctype} + (document.documentElement?.outerHTML ?? '')).slice(0, ${maxHtmlCharacters})`;
  // The source of scripts is not visible text.
  const unseen = "[...document.body?.querySelectorAll('script, style') ?? []]";
  const textLength = `(document.body?.textContent.length ?? 0) - ${unseen}.reduce((sum, { textContent }) => sum + textContent.length, 0)`;
  const isLive = "document.querySelector('script, meta[http-equiv=refresh i]') !== null";
  return await evaluateApart(session, `({ textLength: ${textLength}, isLive: ${isLive}, html: ${html} })`);
}
