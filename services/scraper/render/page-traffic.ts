import type { Protocol } from "../../../mixins/browser/session.ts";

const dataTypes: ReadonlySet<string> = new Set(["XHR", "Fetch"]);
/** Resource types on which the content of a page may depend. */
const vital: ReadonlySet<string> = new Set(["Script", ...dataTypes]);
/** Requests that we block or the page aborts do not count as failed. */
const isIntended = /ERR_BLOCKED_BY_CLIENT|ERR_ABORTED/;

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
