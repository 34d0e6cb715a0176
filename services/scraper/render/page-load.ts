import { setTimeout as sleep } from "node:timers/promises";
import { untilAborted, within } from "../../../mixins/async/timeout.ts";
import { listen } from "../../../mixins/browser/listen.ts";
import type { CDPSession, Protocol, Session } from "../../../mixins/browser/session.ts";
import { ignoreGone } from "../../../mixins/browser/tab.ts";

export type PageLoad = ReturnType<typeof watchLoad>;

const dataTypes: ReadonlySet<string> = new Set(["XHR", "Fetch"]);
/** Resource types on which the content of a page may depend. */
const vital: ReadonlySet<string> = new Set(["Script", ...dataTypes]);
/** Requests that we block or the page aborts do not count as failed. */
const isIntended = /ERR_BLOCKED_BY_CLIENT|ERR_ABORTED/;
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

interface Pending {
  type: string;
  /** It is the document of the top frame. */
  isMain: boolean;
  status: number;
}

/** Counts what a page requests, by the events of the protocol's Network domain. */
export function watchRequests(mainFrameId: string) {
  const pending = new Map<string, Pending>();
  let data = 0;
  let failures = 0;
  let isLeaving = false;
  let mainStatus = 0;
  let quietSince = Date.now();
  const drop = (requestId: string): Pending | undefined => {
    const request = pending.get(requestId);
    pending.delete(requestId);
    if (request !== undefined && dataTypes.has(request.type)) data -= 1;
    if (pending.size === 0) quietSince = Date.now();
    return request;
  };
  return {
    /** A redirect starts the same request again. */
    started: ({ requestId, loaderId, frameId, type = "Other" }: Protocol.Network.RequestWillBeSentEvent) => {
      drop(requestId);
      const isMain = type === "Document" && requestId === loaderId && frameId === mainFrameId;
      if (isMain) isLeaving = true;
      if (dataTypes.has(type)) data += 1;
      pending.set(requestId, { type, isMain, status: 0 });
    },
    answered: ({ requestId, response: { status } }: Protocol.Network.ResponseReceivedEvent) => {
      const request = pending.get(requestId);
      if (request === undefined) return;
      request.status = status;
      if (request.isMain) mainStatus = status;
    },
    finished: ({ requestId }: Protocol.Network.LoadingFinishedEvent) => {
      const request = drop(requestId);
      if (request !== undefined && vital.has(request.type) && request.status >= 400) failures += 1;
    },
    failed: ({ requestId, errorText }: Protocol.Network.LoadingFailedEvent) => {
      const request = drop(requestId);
      if (request === undefined) return;
      // The browser aborts a script itself when the answer is an error.
      if (vital.has(request.type) && (request.status >= 400 || !isIntended.test(errorText))) failures += 1;
      if (request.isMain) isLeaving = false;
    },
    /** The document that was navigated to has loaded. */
    settled: () => {
      isLeaving = false;
    },
    /** Whether data is on its way, or another document. */
    isBusy: () => data > 0 || isLeaving,
    isLeaving: () => isLeaving,
    status: () => mainStatus,
    failures: () => failures,
    quietSince: () => (pending.size === 0 ? quietSince : Number.POSITIVE_INFINITY),
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
