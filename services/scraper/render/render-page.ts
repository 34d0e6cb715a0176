import { untilAborted, within } from "../../../mixins/async/timeout.ts";
import type { BrowserPool } from "../../../mixins/browser/browser-pool.ts";
import type { LeaseSpec, Session } from "../../../mixins/browser/session.ts";
import { ignoreGone, navigate, replaceDocument } from "../../../mixins/browser/tab.ts";
import { codeOf, fail } from "../../contracts/errors.ts";
import type { OutputOptions } from "../../contracts/page-options.ts";
import type { PictureBox } from "../../contracts/page-reads.contract.ts";
import type { VisitJar } from "../sessions/jar.ts";
import { type Acted, act, waitForPage } from "./act.ts";
import { untilShown } from "./await-views.ts";
import { findBoxes } from "./find-boxes.ts";
import { cookiesOf, putStorage, takeState } from "./local-storage.ts";
import {
  type BlockedFrames,
  checkLoadedUrl,
  isWithin,
  navigationError,
  type RequestRules,
  requestRules,
} from "./navigation.ts";
import { watchLoad } from "./page-load.ts";
import { type Presentation, preparePage } from "./prepare-page.ts";
import { readTree } from "./read-tree.ts";
import { scrollThrough, wholePage } from "./scroll-through.ts";
import { readWhenSettled, untilLoaded, untilParsed, type Waiting } from "./settle.ts";
import type { Stage } from "./stage.ts";
import { type Picture, type PictureSize, pictureSize, takePicture } from "./take-picture.ts";

export interface RenderJob extends Presentation, RequestRules, Pick<Waiting, "sentText"> {
  lease: LeaseSpec;
  /** Name lookups are counted against this tenant; the lease's tenant by default. */
  lookupsOf?: string;
  screenshot?: OutputOptions["screenshot"];
  /** The screenshot may be longer than what is drawn at once. */
  isLongPicture?: boolean;
  /** The document as the browser has it is wanted too. */
  asShown?: boolean;
  /** Groups of selectors of which each is to show something; what does not in some seconds is missing. */
  awaited?: readonly (readonly string[])[];
  /** The page can be read later: without a browser in time it is `overloaded`, for which its site is not to blame. */
  isPutOff?: boolean;
  /** Selectors of elements whose places on the screenshot are wanted. */
  boxesOf?: readonly string[];
  /** The jar of the session: the page begins with its local storage, and it takes what the page has changed. */
  jar?: VisitJar | undefined;
  /** In place of the actions of the request: what signs in, and the field that has it. */
  login?: { actions: readonly Acted[]; field: string };
  /** Limit of all bytes that the page loads. */
  maxBytes: number;
  /** Milliseconds since the epoch at which the job's signal fires. */
  deadline: number;
  /** Fires when the request was answered: a page that is being rendered then leaves its slot to others. */
  answered?: AbortSignal;
}

export interface RenderedPage {
  status: number;
  finalUrl: string;
  html: string;
  /** The document as the browser has it, where it differs from `html` and is wanted. */
  asShown?: string;
  /** A script or a style sheet that did not come has kept the browser from parsing all of the document. */
  isUnparsed: boolean;
  /** Requests for scripts and data that failed. */
  failedRequests: number;
  screenshot?: Uint8Array;
  /** Where the screenshot ends before the page does. */
  cutPicture?: Picture["cut"];
  /** The page was scrolled, and goes on. */
  isEndless: boolean;
  boxes?: PictureBox[];
  pictureSize?: PictureSize;
  /** What the actions took. */
  pictures: Uint8Array[];
}

/** Kept of the time for reading a page that is not ready: so long, and this part of the time at most. */
const readingMs = 1000;
const readingPart = 1 / 4;

/** The page did not become readable in time, and what the server sent has text. */
export interface LatePage {
  isLate: true;
}

/** What to return instead of navigating to a URL; null: navigate. */
export type StopAt<Result> = (url: string) => Result | null;

/**
 * Shows a page in the browser and reads it once it has settled. If the page navigates to a URL for which `stopAt` returns
 * a value, returns that value and sends no request there. Where the actions of the request lead is still this page. A page
 * that keeps its renderer busy until the deadline is ended where what the server sent can take its place.
 */
export async function renderPage<Result extends object = never>(
  browser: BrowserPool,
  job: RenderJob,
  signal: AbortSignal,
  stopAt: StopAt<Result> = () => null,
): Promise<RenderedPage | LatePage | Result> {
  let hasBegun = false;
  const task = async (session: Session) => {
    hasBegun = true;
    const left = new AbortController();
    let result: Result | LatePage | null = null;
    const state = { isActing: false };
    const blockedFrames = new Set<string>();
    const leaves = (url: string) => {
      if (!state.isActing) result ??= stopAt(url);
      if (result !== null) left.abort();
      return result !== null;
    };
    session.decide = requestRules(job, leaves, blockedFrames);
    const stay = endOnAnswer(session, job.answered);
    const onAct = () => {
      state.isActing = true;
    };
    const late = new AbortController();
    const forget = whenLate(job, () => {
      // What was asked of its renderer may be answered later.
      session.spoiled = true;
      result ??= { isLate: true };
      late.abort();
    });
    const ending = AbortSignal.any([signal, left.signal, late.signal]);
    return await untilAborted(show(session, { ...job, blockedFrames }, ending, onAct), late.signal)
      .catch(error => {
        if (result === null) throw error;
        return result;
      })
      .finally(stay)
      .finally(forget);
  };
  return await browser.run(job.lease, signal, task).catch(error => {
    throw job.isPutOff && signal.aborted && !hasBegun ? noBrowser(error) : error;
  });
}

/** The first browser of a machine is unpacked before it starts. */
function noBrowser(cause: unknown): Error {
  const message =
    "No browser was ready in time: it is starting, or shows other pages. Try again in some seconds.";
  return fail("overloaded", message, { retry_after: 5 }, cause);
}

/** When a page should be read, in milliseconds since the epoch: with time left for that. */
function readBy({ deadline }: RenderJob): number {
  return deadline - Math.max(0, Math.min(readingMs, (deadline - Date.now()) * readingPart));
}

/** Calls back shortly before the deadline, if what was sent is all that the request needs. Returns the function after which it does not. */
function whenLate(job: RenderJob, callback: () => void): () => void {
  const { sentText, screenshot, jsRender } = job;
  const isMore = screenshot !== undefined || jsRender.wait_for !== undefined;
  if (sentText === undefined || isMore || job.deadline <= Date.now()) return () => undefined;
  const at = (readBy(job) + job.deadline) / 2;
  let isOver = false;
  const ask = async () => {
    // Where it cannot be read, the page ends as it would without it.
    const characters = await sentText().catch(() => 0);
    if (characters > 0 && !isOver) callback();
  };
  const timer = setTimeout(ask, at - Date.now());
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** Does not end a page that gets its slot after the answer. Returns the function that removes the listener. */
function endOnAnswer(session: Session, answered: AbortSignal | undefined): () => void {
  const end = () => session.end(fail("scrape_timeout", "The page was still busy when its time was over."));
  answered?.addEventListener("abort", end);
  return () => answered?.removeEventListener("abort", end);
}

async function show(
  session: Session,
  job: RenderJob & { blockedFrames: BlockedFrames },
  signal: AbortSignal,
  onAct: () => void,
): Promise<RenderedPage> {
  session.proxy.begin({ maxBytes: job.maxBytes, tenant: job.lookupsOf });
  if (job.jar) await untilAborted(putStorage(session, job.jar), signal);
  if (isWithin(job.url, session.url)) await replaceDocument(session, "about:blank", session.onError);
  await preparePage(session, job);
  const cookies = job.jar && (await cookiesOf(session));
  const load = watchLoad(session);
  try {
    await goTo(session, job, signal);
    const stage = { session, load, deadline: readBy(job), signal };
    await untilParsed(stage, job);
    const isParsed = load.isReadable();
    if (isParsed) await untilLoaded(stage, job);
    const pictures = await prepare(stage, job, onAct).catch(error => {
      // What is missing may be so because the page is elsewhere.
      if (codeOf(error) === "element_not_found") checkLoadedUrl(session, load.status());
      throw error;
    });
    const isScrolled = job.jsRender.scroll !== "full" || (await scrollThrough(stage, wholePage));
    if (job.awaited && isParsed) await untilShown(stage, job.awaited);
    const isTimed = !isParsed || job.jsRender.wait_until !== undefined;
    const { asShown: wantsShown, blockedFrames } = job;
    const wish = { frames: job.jsRender.frames, asShown: wantsShown, blockedFrames };
    const read = () => readTree(session, wish);
    const { html, asShown } = isTimed ? await read() : await readWhenSettled(load, read, stage);
    signal.throwIfAborted();
    checkLoadedUrl(session, load.status());
    const places = job.boxesOf && {
      boxes: await findBoxes(session, job.boxesOf),
      pictureSize: await pictureSize(session),
    };
    const { screenshot, isLongPicture = false } = job;
    const picture = screenshot && (await takePicture(stage, screenshot, isLongPicture));
    return {
      status: load.status(),
      finalUrl: session.url,
      html,
      ...(asShown !== undefined && { asShown }),
      isUnparsed: !isParsed,
      failedRequests: load.failedRequests(),
      ...(picture && { screenshot: picture.png, cutPicture: picture.cut }),
      isEndless: !isScrolled,
      pictures,
      ...places,
    };
  } finally {
    load.stop();
    // Also of a page that is not read in the end: what a site has renewed it takes back nowhere.
    if (job.jar && cookies)
      await within(stateMs, takeState(session, job.jar, cookies), () => undefined).catch(ignoreGone);
  }
}

/** How long the tab may take to say what a page has left, at most. */
const stateMs = 2000;

/** Waits and acts as the request says; returns the pictures that the actions took. */
async function prepare(
  stage: Stage,
  { jsRender, login }: RenderJob,
  onAct: () => void,
): Promise<Uint8Array[]> {
  const { wait_for, actions = [] } = jsRender;
  await waitForPage(stage, wait_for);
  if (login) return await act(stage, login.actions, login.field);
  if (actions.length === 0) return [];
  onAct();
  return await act(stage, actions);
}

/** Navigates to the page. */
async function goTo(session: Session, job: RenderJob, signal: AbortSignal): Promise<void> {
  try {
    await untilAborted(navigate(session, job.url), signal);
  } catch (error) {
    throw navigationError(String(error), session.proxy.record(), error);
  }
}
