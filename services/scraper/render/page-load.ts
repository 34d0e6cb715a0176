import { setTimeout as sleep } from "node:timers/promises";
import { sleepUntilAborted } from "../../../mixins/async/sleep.ts";
import { listen } from "../../../mixins/browser/listen.ts";
import type { HTTPRequest, Session } from "../../../mixins/browser/session.ts";

export type PageLoad = ReturnType<typeof watchLoad>;

const dataTypes = new Set(["xhr", "fetch"]);
/** Resource types on which the content of a page may depend. */
const vital = new Set(["script", ...dataTypes]);
/** Requests that we block or the page aborts do not count as failed. */
const isIntended = /ERR_BLOCKED_BY_CLIENT|ERR_ABORTED/;
const maxDataWaitMs = 3000;
const maxShellWaitMs = 1500;
/** A page with less text than this counts as a shell, which scripts are about to fill or leave. */
const shellCharacters = 200;
const pollMs = 50;
/** After so many looks without a change the shell counts as the final page. */
const maxUnchangedLooks = 6;

/** Counts the requests that a page is waiting for; `stop` removes the listeners. */
export function watchLoad({ page, onError }: Session) {
  const pending = new Set<HTTPRequest>();
  const state = { navigating: false, loaded: false };
  let failed = 0;
  let wake: () => void = () => undefined;
  const started = (request: HTTPRequest) => {
    if (dataTypes.has(request.resourceType())) pending.add(request);
    if (request.isNavigationRequest() && request.frame() === page.mainFrame())
      Object.assign(state, { navigating: true, loaded: false });
  };
  const ended = (request: HTTPRequest) => {
    pending.delete(request);
    if (hasFailed(request)) failed++;
    if (request.isNavigationRequest() && request.failure() !== null) state.navigating = false;
    wake();
  };
  const loaded = () => {
    Object.assign(state, { navigating: false, loaded: true });
    wake();
  };
  const subscriptions = [
    listen(page, "request", onError, started),
    listen(page, "requestfinished", onError, ended),
    listen(page, "requestfailed", onError, ended),
    listen(page, "load", onError, loaded),
  ];
  return {
    isBusy: () => pending.size > 0 || state.navigating,
    isLoaded: () => state.loaded,
    /** Failed requests for scripts and data so far. */
    failedRequests: () => failed,
    /** Resolves at the next change, or after so many milliseconds; rejects with the signal's reason. */
    change: async (atMostMs: number, signal: AbortSignal) => {
      const woken = new AbortController();
      wake = () => woken.abort();
      await sleepUntilAborted(atMostMs, AbortSignal.any([signal, woken.signal]));
      signal.throwIfAborted();
    },
    stop: () => {
      for (const unsubscribe of subscriptions) unsubscribe();
    },
  };
}

function hasFailed(request: HTTPRequest): boolean {
  if (!vital.has(request.resourceType())) return false;
  // The browser aborts a script itself when the answer is an error.
  if ((request.response()?.status() ?? 0) >= 400) return true;
  const failure = request.failure();
  return failure !== null && !isIntended.test(failure.errorText);
}

export interface Reading {
  /** Characters of text. */
  textLength: number;
  /** Whether the document has scripts or a refresh, which may still change or leave it. */
  isLive: boolean;
  html: string;
}

/**
 * Reads a page once the changes are over that the load event does not cover: data that scripts fetch, navigation by a
 * script, an empty shell that fills. Reads a page that is ready at once; waits a few seconds at most, and not beyond
 * `deadline` (milliseconds since the epoch).
 */
export async function readWhenSettled(
  load: PageLoad,
  read: () => Promise<Reading>,
  { deadline, signal }: { deadline: number; signal: AbortSignal },
): Promise<Reading> {
  const dataDeadline = Math.min(deadline, Date.now() + maxDataWaitMs);
  while (load.isBusy() && Date.now() < dataDeadline) await load.change(pollMs, signal);
  let reading = await read();
  const giveUp = Math.min(deadline, Date.now() + maxShellWaitMs);
  for (let unchanged = 0; unchanged < maxUnchangedLooks && isShell(reading) && Date.now() < giveUp; ) {
    await sleep(pollMs, undefined, { signal });
    const next = await read();
    unchanged = load.isBusy() || next.html !== reading.html ? 0 : unchanged + 1;
    reading = next;
  }
  return reading;
}

function isShell({ isLive, textLength }: Reading): boolean {
  return isLive && textLength < shellCharacters;
}
