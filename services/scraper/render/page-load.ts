import { untilAborted, within } from "../../../mixins/async/timeout.ts";
import { listen } from "../../../mixins/browser/listen.ts";
import type { CDPSession, Protocol, Session } from "../../../mixins/browser/session.ts";
import { ignoreGone } from "../../../mixins/browser/tab.ts";

export type PageLoad = ReturnType<typeof watchLoad>;

/** Resource types on which the content of a page may depend. */
const vital: ReadonlySet<string> = new Set(["Script", "XHR", "Fetch"]);
/** What a script may wait for before it writes: loaders of code wait for the style sheets of a part, too. */
const awaited: ReadonlySet<string> = new Set(["Stylesheet", ...vital]);
/** What the load event of a page waits for by no means. */
const apart: ReadonlySet<string> = new Set([
  "XHR",
  "Fetch",
  "Ping",
  "EventSource",
  "Preflight",
  "CSPViolationReport",
]);
/** What only a picture of a page shows. */
const shown: ReadonlySet<string> = new Set(["Image", "Font"]);
/** Requests that we block or the page aborts do not count as failed. */
const isIntended = /ERR_BLOCKED_BY_CLIENT|ERR_ABORTED/;

/** Follows how a tab loads, from before its navigation; `stop` removes the listeners. */
export function watchLoad({ cdp, mainFrameId, onError }: Session) {
  const requests = watchRequests(mainFrameId);
  // Events of the document before are not of this page.
  const state = { isThere: false, isReadable: false, isLoaded: false, documents: 0 };
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
    listen(source, "Network.dataReceived", onError, requests.received),
    listen(source, "Network.loadingFinished", onError, report(requests.finished)),
    listen(source, "Network.loadingFailed", onError, report(requests.failed)),
    listen(source, "Network.webSocketCreated", onError, requests.socketOpened),
  ];
  const subscriptions = [
    ...follow(cdp),
    listen(cdp, "sessionattached", onError, async worker => {
      subscriptions.push(...follow(worker));
      await worker.send("Network.enable").catch(ignoreGone);
    }),
    listen(cdp, "Page.frameNavigated", onError, ({ frame }) => {
      if (frame.id === mainFrameId)
        Object.assign(state, {
          ...{ isThere: true, isReadable: false, isLoaded: false },
          documents: state.documents + 1,
        });
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
    isConnected: requests.isConnected,
    /** How many documents its top frame has shown. */
    documents: () => state.documents,
    /** Whether its document is parsed, of the last navigation. */
    isReadable: () => state.isReadable,
    isLoaded: () => state.isLoaded && !requests.isLeaving(),
    /** HTTP status of its document; 0: none. */
    status: requests.status,
    /** Failed requests for scripts and data so far. */
    failedRequests: requests.failures,
    /** When it last began, received or ended a request, of all, of those that the load event waits for, or that a picture does. */
    heardAt: requests.heardAt,
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
  let wanted = 0;
  let hasSocket = false;
  let failures = 0;
  let isLeaving = false;
  let mainStatus = 0;
  let quietSince = Date.now();
  const heardAt = { all: Date.now(), load: Date.now(), picture: Date.now() };
  const hear = (type: string) => {
    heardAt.all = Date.now();
    if (!apart.has(type)) heardAt.picture = heardAt.load = heardAt.all;
  };
  const drop = (requestId: string): Pending | undefined => {
    const request = pending.get(requestId);
    pending.delete(requestId);
    if (request !== undefined) hear(request.type);
    if (request !== undefined && awaited.has(request.type)) wanted -= 1;
    if (pending.size === 0) quietSince = Date.now();
    return request;
  };
  return {
    /** A redirect starts the same request again. */
    started: ({ requestId, loaderId, frameId, type = "Other" }: Protocol.Network.RequestWillBeSentEvent) => {
      drop(requestId);
      const isMain = type === "Document" && requestId === loaderId && frameId === mainFrameId;
      if (isMain) isLeaving = true;
      if (awaited.has(type)) wanted += 1;
      pending.set(requestId, { type, isMain, status: 0 });
      hear(type);
    },
    answered: ({ requestId, response: { status } }: Protocol.Network.ResponseReceivedEvent) => {
      const request = pending.get(requestId);
      if (request === undefined) return;
      request.status = status;
      hear(request.type);
      if (request.isMain) mainStatus = status;
    },
    /** Images and media may stream for ever, and nothing but a picture waits for their bytes. */
    received: ({ requestId }: Protocol.Network.DataReceivedEvent) => {
      const type = pending.get(requestId)?.type ?? "";
      if (awaited.has(type) || type === "Document") hear(type);
      else if (shown.has(type)) heardAt.picture = Date.now();
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
    socketOpened: () => {
      hasSocket = true;
    },
    /** Whether scripts, style sheets or data are on their way, or another document. */
    isBusy: () => wanted > 0 || isLeaving,
    /** Whether anything is on its way, or may come by a WebSocket. */
    isConnected: () => pending.size > 0 || hasSocket,
    isLeaving: () => isLeaving,
    status: () => mainStatus,
    failures: () => failures,
    /** When anything was last heard of requests: of all, of those that the load event waits for, or that a picture does. */
    heardAt: (of: keyof typeof heardAt) => heardAt[of],
    quietSince: () => (pending.size === 0 ? quietSince : Number.POSITIVE_INFINITY),
  };
}
