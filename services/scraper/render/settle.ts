import { setTimeout as sleep } from "node:timers/promises";
import { untilAborted } from "../../../mixins/async/timeout.ts";
import type { JsRenderOptions } from "../../contracts/page-options.ts";
import { evaluateApart } from "./find-element.ts";
import type { PageLoad } from "./page-load.ts";
import { type Reading, readTree } from "./read-tree.ts";
import type { Stage } from "./stage.ts";

/** Interval of checks of a page whose load event has not come. */
const loadCheckMs = 250;
/** Between two questions whether there is text already. */
const askMs = 1000;
/** Requests of which nothing is heard for so long may never end: what has its text is read without them. */
const silenceMs = 2000;
/** So long where a picture is taken, and for what scripts wait for. */
const longSilenceMs = 3000;
/** The silence of a page whose document is not parsed, and of one that has next to no text. */
const parsingSilenceMs = 5000;
const emptySilenceMs = 10_000;
/** How long a page that has its text may load what only a picture shows. */
const maxLoadingMs = 10_000;
const maxPictureMs = 20_000;
/** So much text makes a page that is worth reading before its document is parsed; at the deadline this much does. */
const muchText = 1000;
const someText = 100;

/** How long a page may fetch what its scripts wait for. */
const maxFetchingMs = 3000;
/** How long a shell may take to fill. */
const maxShellMs = 3000;
/** A page with less text than this counts as a shell, which scripts are about to fill or leave. */
const shellCharacters = 200;
/** So many checks without a change make a shell the final page, unless something may still change it. */
const unchangedChecks = 6;
const checkMs = 50;
const laterCheckMs = 100;
/** Documents that a shell may lead to, each with its own time. */
const maxDocuments = 5;

interface Bounds {
  /** Milliseconds since the epoch. */
  deadline: number;
  signal: AbortSignal;
}

/** What decides how long a page is waited for. */
export interface Waiting {
  jsRender: JsRenderOptions;
  /** Pictures count. */
  needsPicture: boolean;
  /** Characters of text in what the server sent, counted up to 1,000; 0 where it cannot take the place of the page. */
  sentText?: () => Promise<number>;
}

/**
 * Waits until the document is parsed. A script that does not come, or a style sheet before a script, may hold that up for
 * ever: returns before, when nothing more comes or the time is over, if there is text to be read.
 */
export async function untilParsed(stage: Stage, job: Waiting): Promise<void> {
  const { load, signal } = stage;
  const from = Date.now();
  const readBy = Math.max(stage.deadline, from + parsingSilenceMs);
  for (let askedAt = 0; !load.isReadable(); ) {
    await load.change(loadCheckMs, signal);
    const isLate = Date.now() >= readBy;
    const isStill = job.jsRender.wait_until === undefined && silentMs(stage, from) >= parsingSilenceMs;
    if (load.isReadable() || !(isLate || isStill) || Date.now() - askedAt < askMs) continue;
    askedAt = Date.now();
    if (await hasText(stage, job, isLate)) return;
  }
}

/** What frames say counts when the time is over and the page says nothing itself. */
async function hasText({ session, signal }: Stage, { sentText }: Waiting, isLate: boolean): Promise<boolean> {
  const characters = isLate ? someText : muchText;
  if (sentText !== undefined && (await sentText()) >= characters) return true;
  const { textLength, framesLength } = await untilAborted(readTree(session), signal);
  return (isLate && textLength === 0 ? framesLength : textLength) >= characters;
}

/**
 * Waits for what the request says, by default for the load event. A picture or a script that never ends costs some
 * seconds; the deadline at most where the request asks for the event.
 */
export async function untilLoaded(stage: Stage, job: Waiting): Promise<void> {
  const { load, deadline, signal } = stage;
  const { wait_until } = job.jsRender;
  if (wait_until === "domcontentloaded") return;
  const from = Date.now();
  const leftMs = () => Math.max(1, deadline - Date.now());
  for (let askedAt = 0; !load.isLoaded() && leftMs() > 1; ) {
    await load.change(Math.min(loadCheckMs, leftMs()), signal);
    if (load.isLoaded() || (await isComplete(stage))) break;
    if (wait_until !== undefined || Date.now() - askedAt < askMs || !mayEnd(stage, job, from)) continue;
    askedAt = Date.now();
    if (silentMs(stage, from) >= emptySilenceMs || !isShell(await readTree(stage.session), load)) break;
  }
  if (wait_until === "networkidle") await untilQuiet(load, { quietMs: 500, deadline, signal });
}

/** Whether the page has had the time for what it loads. */
function mayEnd(stage: Stage, { needsPicture }: Waiting, from: number): boolean {
  const [what, patienceMs] = needsPicture
    ? (["picture", longSilenceMs] as const)
    : (["load", silenceMs] as const);
  if (silentMs(stage, from, what) >= patienceMs) return true;
  return Date.now() - from >= (needsPicture ? maxPictureMs : maxLoadingMs);
}

function silentMs({ load }: Stage, from: number, of: "load" | "picture" = "load"): number {
  return Date.now() - Math.max(from, load.heardAt(of));
}

/** A page that stopped its own loading gets no load event. */
async function isComplete({ session }: Stage): Promise<boolean> {
  const state = await evaluateApart<string>(session, "document.readyState").catch((error: Error) => {
    if (!/context was destroyed|detached/.test(error.message)) throw error;
    return undefined;
  });
  return state === "complete";
}

/** Waits until nothing has been requested for so long. */
async function untilQuiet(
  load: PageLoad,
  { quietMs, deadline, signal }: Bounds & { quietMs: number },
): Promise<void> {
  const from = Date.now();
  for (;;) {
    const leftMs = Math.min(Math.max(from, load.quietSince()) + quietMs, deadline) - Date.now();
    if (leftMs <= 0) return;
    await load.change(leftMs, signal);
  }
}

/**
 * Reads a page once the changes are over that the load event does not cover: scripts that come late, data that they
 * fetch, navigation by a script, an empty shell that fills. Reads a page that is ready at once; waits a few seconds for
 * each document at most, and not beyond the deadline.
 */
export async function readWhenSettled(
  load: PageLoad,
  read: () => Promise<Reading>,
  bounds: Bounds,
): Promise<Reading> {
  for (let documents = 1; ; documents++) {
    const document = load.documents();
    const reading = await readDocument(load, read, bounds);
    if (load.documents() === document || documents === maxDocuments) return reading;
  }
}

/** Reads the document that is shown now, or returns when another one has come. */
async function readDocument(
  load: PageLoad,
  read: () => Promise<Reading>,
  { deadline, signal }: Bounds,
): Promise<Reading> {
  const start = Date.now();
  const document = load.documents();
  const fetchedBy = Math.min(deadline, start + maxFetchingMs);
  const filledBy = Math.min(deadline, start + maxShellMs);
  const isFetching = () => load.isBusy() && Date.now() - load.heardAt("all") < longSilenceMs;
  let reading: Reading | undefined;
  for (let unchanged = 0; ; ) {
    while (isFetching() && Date.now() < fetchedBy) await load.change(checkMs, signal);
    const next = await read();
    unchanged = load.isBusy() || next.html !== reading?.html ? 0 : unchanged + 1;
    reading = next;
    if (load.documents() !== document) return reading;
    const isFinal = isShell(next, load)
      ? Date.now() >= filledBy || (unchanged >= unchangedChecks && !mayChange(next, load))
      : !isFetching() || Date.now() >= fetchedBy;
    if (isFinal) return reading;
    await sleep(unchanged < unchangedChecks ? checkMs : laterCheckMs, undefined, { signal });
  }
}

/** A menu is no page: where something may still change, an empty area of the main content counts as a shell, too. */
function isShell(reading: Reading, load: PageLoad): boolean {
  const { isLive, textLength, isMainEmpty } = reading;
  return isLive && (textLength < shellCharacters || (isMainEmpty && mayChange(reading, load)));
}

/** A timer may be over, but nothing says so. */
function mayChange({ hasTimers }: Reading, load: PageLoad): boolean {
  return hasTimers || load.isConnected();
}
