import { setTimeout as wait } from "node:timers/promises";
import type { HTTPRequest, Page } from "../../../mixins/browser/session.ts";

export type PageLoad = ReturnType<typeof watchLoad>;

const dataTypes = new Set(["xhr", "fetch"]);
const maxDataWaitMs = 3000;
const maxShellWaitMs = 1500;
/** Fewer characters of text than this, and a page is taken for a shell that is about to be filled or left. */
const shellCharacters = 200;
const pollMs = 50;
/** Looks without a change after which a shell is taken to be all there is. */
const shellPatience = 6;

/** Counts what a page is waiting for; `stop` takes the listeners off again. */
export function watchLoad(page: Page) {
  const pending = new Set<HTTPRequest>();
  const state = { navigating: false, loaded: false };
  let wake: () => void = () => undefined;
  const started = (request: HTTPRequest) => {
    if (dataTypes.has(request.resourceType())) pending.add(request);
    if (request.isNavigationRequest() && request.frame() === page.mainFrame())
      Object.assign(state, { navigating: true, loaded: false });
  };
  const ended = (request: HTTPRequest) => {
    pending.delete(request);
    if (request.isNavigationRequest() && request.failure() !== null) state.navigating = false;
    wake();
  };
  const loaded = () => {
    Object.assign(state, { navigating: false, loaded: true });
    wake();
  };
  page.on("request", started).on("requestfinished", ended).on("requestfailed", ended).on("load", loaded);
  return {
    isBusy: () => pending.size > 0 || state.navigating,
    isLoaded: () => state.loaded,
    /** Settles when something has come, at the latest after so many milliseconds; rejects with the signal's reason. */
    change: async (atMostMs: number, signal: AbortSignal) => {
      const woken = new AbortController();
      wake = () => woken.abort();
      await wait(atMostMs, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(
        () => undefined,
      );
      signal.throwIfAborted();
    },
    stop: () => {
      page
        .off("request", started)
        .off("requestfinished", ended)
        .off("requestfailed", ended)
        .off("load", loaded);
    },
  };
}

export interface Reading {
  /** Characters of text. */
  textLength: number;
  /** Whether the document has scripts or a refresh at all: something that may yet change or leave it. */
  isLive: boolean;
  html: string;
}

/**
 * Reads a page once nothing is on its way that the load event does not cover: data that scripts fetch, a script's own
 * navigation, the filling of an empty shell. A page that is ready is read at once; none waits longer than a few
 * seconds, or past `deadline` (milliseconds since the epoch).
 */
export async function settle(
  load: PageLoad,
  read: () => Promise<Reading>,
  { deadline, signal }: { deadline: number; signal: AbortSignal },
): Promise<Reading> {
  const dataDeadline = Math.min(deadline, Date.now() + maxDataWaitMs);
  while (load.isBusy() && Date.now() < dataDeadline) await load.change(pollMs, signal);
  let reading = await read();
  const giveUp = Math.min(deadline, Date.now() + maxShellWaitMs);
  for (let unchanged = 0; unchanged < shellPatience && isShell(reading) && Date.now() < giveUp; ) {
    await wait(pollMs, undefined, { signal });
    const next = await read();
    unchanged = load.isBusy() || next.html !== reading.html ? 0 : unchanged + 1;
    reading = next;
  }
  return reading;
}

function isShell({ isLive, textLength }: Reading): boolean {
  return isLive && textLength < shellCharacters;
}
