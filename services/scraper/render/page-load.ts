import { setTimeout as sleep } from "node:timers/promises";
import { untilAborted, within } from "../../../mixins/async/timeout.ts";
import { listen } from "../../../mixins/browser/listen.ts";
import type { CDPSession, Session } from "../../../mixins/browser/session.ts";
import { ignoreGone } from "../../../mixins/browser/tab.ts";
import { watchRequests } from "./page-traffic.ts";

export type PageLoad = ReturnType<typeof watchLoad>;

const maxDataWaitMs = 3000;
const maxShellWaitMs = 1500;
/** A page with less text than this counts as a shell, which scripts are about to fill or leave. */
const shellCharacters = 200;
const pollMs = 50;
/** After so many looks without a change the shell counts as the final page. */
const maxUnchangedLooks = 6;

/** Follows how a tab loads, from before its navigation; `stop` removes the listeners. */
export function watchLoad({ cdp, mainFrameId, onError }: Session) {
  const requests = watchRequests(mainFrameId);
  // Events of the document before are not of this page.
  const state = { isThere: false, isReadable: false, isLoaded: false };
  let wake: () => void = () => undefined;
  const report =
    <Event = unknown>(take: (event: Event) => void) =>
    (event: Event) => {
      take(event);
      wake();
    };
  const readable = report(() => {
    if (state.isThere) state.isReadable = true;
  });
  const loaded = report(() => {
    if (!state.isThere) return;
    Object.assign(state, { isReadable: true, isLoaded: true });
    requests.settled();
  });
  const follow = (source: CDPSession) => [
    listen(source, "Network.requestWillBeSent", onError, requests.started),
    listen(source, "Network.responseReceived", onError, requests.answered),
    listen(source, "Network.loadingFinished", onError, report(requests.finished)),
    listen(source, "Network.loadingFailed", onError, report(requests.failed)),
  ];
  const subscriptions = [
    ...follow(cdp),
    listen(cdp, "sessionattached", onError, async worker => {
      subscriptions.push(...follow(worker));
      await worker.send("Network.enable").catch(ignoreGone);
    }),
    listen(cdp, "Page.frameNavigated", onError, ({ frame }) => {
      if (frame.id === mainFrameId)
        Object.assign(state, { isThere: true, isReadable: false, isLoaded: false });
    }),
    listen(cdp, "Page.domContentEventFired", onError, readable),
    // Without the event above when the page leaves while it is parsed, and nothing comes of that.
    listen(cdp, "Page.frameStoppedLoading", onError, ({ frameId }) => {
      if (frameId === mainFrameId) readable(undefined);
    }),
    listen(cdp, "Page.loadEventFired", onError, loaded),
  ];
  return {
    isBusy: requests.isBusy,
    /** Whether its document is parsed, of the last navigation. */
    isReadable: () => state.isReadable,
    isLoaded: () => state.isLoaded && !requests.isLeaving(),
    /** HTTP status of its document; 0: none. */
    status: requests.status,
    /** Failed requests for scripts and data so far. */
    failedRequests: requests.failures,
    /** Since when nothing is requested, in milliseconds since the epoch. */
    quietSince: requests.quietSince,
    /** Resolves at the next change, or after so many milliseconds. Rejects with the signal's reason, or when the tab is gone. */
    change: async (atMostMs: number, signal: AbortSignal) => {
      const changed = Promise.withResolvers<void>();
      wake = changed.resolve;
      await untilAborted(
        within(atMostMs, changed.promise, () => undefined),
        signal,
      );
      if (cdp.detached) throw new Error("Target closed");
    },
    stop: () => {
      for (const unsubscribe of subscriptions) unsubscribe();
    },
  };
}

/** Waits until nothing has been requested for so long. */
export async function untilQuiet(
  load: PageLoad,
  { quietMs, deadline, signal }: { quietMs: number; deadline: number; signal: AbortSignal },
): Promise<void> {
  const from = Date.now();
  for (;;) {
    const leftMs = Math.min(Math.max(from, load.quietSince()) + quietMs, deadline) - Date.now();
    if (leftMs <= 0) return;
    await load.change(leftMs, signal);
  }
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
