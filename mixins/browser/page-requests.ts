import type { CDPSession, Protocol } from "puppeteer";
import { listen, type OnError } from "./listen.ts";

/** What becomes of a request of the page. */
export type Decision =
  | { kind: "continue"; headers?: Record<string, string> }
  | { kind: "block" }
  | { kind: "fulfil"; status: number; headers: Record<string, string>; body: Buffer };

/** A request of the page, before it is sent. */
export interface PageRequest {
  url: string;
  method: string;
  /** CDP resource type: `Document`, `Script`, `XHR`… */
  resourceType: string;
  headers: Record<string, string>;
  /** True for a navigation of the top frame. */
  isMainDocument: boolean;
}

interface InterceptedPage {
  cdp: CDPSession;
  mainFrameId: string;
  onError: OnError;
}

/** Holds every request of a page until `decide` has answered; a request without a decision stays paused. */
export async function interceptRequests(
  { cdp, mainFrameId, onError }: InterceptedPage,
  decide: (request: PageRequest) => Decision | undefined,
): Promise<void> {
  listen(cdp, "Fetch.requestPaused", onError, async event => {
    const decision = decide(pageRequest(event, mainFrameId));
    if (decision) await answer(cdp, event, decision).catch(() => undefined);
  });
  await cdp.send("Fetch.enable", { patterns: [{ urlPattern: "*" }] });
}

function pageRequest(event: Protocol.Fetch.RequestPausedEvent, mainFrameId: string): PageRequest {
  const { request, resourceType, frameId } = event;
  return {
    url: request.url,
    method: request.method,
    resourceType,
    headers: request.headers,
    isMainDocument: resourceType === "Document" && frameId === mainFrameId,
  };
}

/** The command rejects for a request that was answered before, or whose page has closed; the caller ignores that. */
function answer(
  cdp: CDPSession,
  { requestId }: Protocol.Fetch.RequestPausedEvent,
  decision: Decision,
): Promise<void> {
  if (decision.kind === "block")
    return cdp.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
  if (decision.kind === "continue")
    return cdp.send("Fetch.continueRequest", {
      requestId,
      ...(decision.headers && { headers: headerEntries(decision.headers) }),
    });
  return cdp.send("Fetch.fulfillRequest", {
    requestId,
    responseCode: decision.status,
    responseHeaders: headerEntries(decision.headers),
    body: decision.body.toString("base64"),
  });
}

function headerEntries(headers: Record<string, string>): Protocol.Fetch.HeaderEntry[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
