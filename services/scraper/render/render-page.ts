import type { BrowserPool } from "../../../mixins/browser/browser-pool.ts";
import type { HTTPResponse, LeaseSpec, Page, Session } from "../../../mixins/browser/session.ts";
import type { OutputOptions } from "../../contracts/page-options.ts";
import { checkArrival, navigationError } from "./arrival.ts";
import { type RequestRules, requestRules } from "./decide-request.ts";
import { evaluateApart } from "./page-world.ts";
import { type Presentation, preparePage } from "./prepare-page.ts";
import { type PageLoad, type Reading, settle, watchLoad } from "./settle.ts";
import { takeScreenshot } from "./take-screenshot.ts";

export interface RenderJob extends Presentation, RequestRules {
  lease: LeaseSpec;
  screenshot?: OutputOptions["screenshot"];
  /** Bytes that the page may load in all. */
  maxBytes: number;
  /** Milliseconds since the epoch at which the job's signal fires. */
  deadline: number;
}

export interface RenderedPage {
  status: number;
  finalUrl: string;
  html: string;
  screenshot?: Uint8Array;
}

/** Characters of a rendered document; more is cut off. */
const maxHtmlCharacters = 20_000_000;
/** Left of the deadline for reading the page when its load event does not come. */
const readingMs = 1000;
/** Between two looks at a page whose load event has not come. */
const lookMs = 250;

/** What is told in place of going on to a URL; null: go there. */
export type Leave<Told> = (url: string) => Told | null;

/**
 * Shows a page in the browser and reads it when it has settled. Where it would go on by itself to a page that `leave`
 * tells of, it ends with what was told, and no request is sent there.
 */
export async function renderPage<Told extends object = never>(
  browser: BrowserPool,
  job: RenderJob,
  signal: AbortSignal,
  leave: Leave<Told> = () => null,
): Promise<RenderedPage | Told> {
  return await browser.run(job.lease, signal, async session => {
    const left = new AbortController();
    let told: Told | null = null;
    session.decide = requestRules(job, url => {
      told ??= leave(url);
      if (told !== null) left.abort();
      return told !== null;
    });
    return await show(session, job, AbortSignal.any([signal, left.signal])).catch(error => {
      if (told === null) throw error;
      return told;
    });
  });
}

async function show(session: Session, job: RenderJob, signal: AbortSignal): Promise<RenderedPage> {
  session.lane.begin({ maxBytes: job.maxBytes });
  await preparePage(session, job);
  const main = watchMainResponse(session.page);
  const load = watchLoad(session.page);
  try {
    await navigate(session, job, signal);
    await waitForLoad(session, job, load, signal);
    const { html } = await readSettled(session, job, load, signal);
    signal.throwIfAborted();
    checkArrival(session, main.status());
    const screenshot = job.screenshot && (await takeScreenshot(session, job.screenshot));
    return { status: main.status(), finalUrl: session.page.url(), html, screenshot };
  } finally {
    load.stop();
    main.stop();
  }
}

async function navigate({ page, lane }: Session, job: RenderJob, signal: AbortSignal): Promise<void> {
  try {
    await page.goto(job.url, { waitUntil: "domcontentloaded", timeout: 0, signal });
  } catch (error) {
    throw navigationError(String(error), lane.record(), error);
  }
}

/** Past `domcontentloaded` the page is readable: a subresource that never ends costs the wait, not the result. */
async function waitForLoad(
  session: Session,
  { jsRender, deadline }: RenderJob,
  load: PageLoad,
  signal: AbortSignal,
): Promise<void> {
  if (jsRender.wait_until === "domcontentloaded") return;
  const patience = () => Math.max(1, deadline - Date.now() - readingMs);
  while (!load.isLoaded() && patience() > 1) {
    await load.change(Math.min(lookMs, patience()), signal);
    if (!load.isLoaded() && (await isComplete(session))) break;
  }
  if (jsRender.wait_until === "networkidle")
    await quietly(
      session.page.waitForNetworkIdle({ idleTime: 500, concurrency: 0, timeout: patience(), signal }),
    );
}

/** A page that stopped its own loading has no load event. */
async function isComplete(session: Session): Promise<boolean> {
  const state = evaluateApart<string>(session, "document.readyState");
  return (await quietly(state)) === "complete";
}

/** A wait that ran out of patience; every other failure passes. */
async function quietly<T>(waiting: Promise<T>): Promise<T | undefined> {
  return await waiting.catch((error: Error) => {
    if (error.name !== "TimeoutError" && !/context was destroyed|detached/.test(error.message)) throw error;
    return undefined;
  });
}

function watchMainResponse(page: Page) {
  let status = 0;
  const seen = (response: HTTPResponse) => {
    if (response.request().isNavigationRequest() && response.frame() === page.mainFrame())
      status = response.status();
  };
  page.on("response", seen);
  return { status: () => status, stop: () => page.off("response", seen) };
}

/** Unless the request says when a page is ready, it is read again until what it waits for has come. */
async function readSettled(
  session: Session,
  job: RenderJob,
  load: PageLoad,
  signal: AbortSignal,
): Promise<Reading> {
  if (job.jsRender.wait_until !== undefined) return await read(session);
  return await settle(load, () => read(session), { deadline: job.deadline - readingMs, signal });
}

async function read(session: Session): Promise<Reading> {
  const doctype = "(document.doctype ? new XMLSerializer().serializeToString(document.doctype) + '\\n' : '')";
  const html = `(${doctype} + (document.documentElement?.outerHTML ?? '')).slice(0, ${maxHtmlCharacters})`;
  // A script's own text is not what a reader sees.
  const unseen = "[...document.body?.querySelectorAll('script, style') ?? []]";
  const textLength = `(document.body?.textContent.length ?? 0) - ${unseen}.reduce((sum, { textContent }) => sum + textContent.length, 0)`;
  const isLive = "document.querySelector('script, meta[http-equiv=refresh i]') !== null";
  return await evaluateApart(session, `({ textLength: ${textLength}, isLive: ${isLive}, html: ${html} })`);
}
