import type { Context } from "moleculer";
import { within } from "../../mixins/deadline/within.ts";
import type { Egress } from "../../mixins/egress/egress.ts";
import { fetchDocument } from "../../mixins/egress/fetch-document.ts";
import { type CallMeta, call } from "../contracts/action.ts";
import { type ScrapeRequest, visitPage } from "../contracts/scraper.contract.ts";
import type { ConnectorTools } from "./connector.ts";
import type { HostLanes } from "./host-lanes.ts";
import type { FeedReader } from "./rss/feed-reader.ts";
import { keepSubscription } from "./websub/keep-subscription.ts";
import type { WebsubRoom } from "./websub/room.ts";

export interface RoomTools {
  egress: Egress;
  lanes: HostLanes;
  feeds: FeedReader;
  /** Fires when the room stops. */
  closing: AbortSignal;
  minIntervalMs: number;
  /** Undefined without a public address. */
  websub: WebsubRoom | undefined;
}

/** Milliseconds: a turn at the host, an exchange, and all that one call does. */
const turnTimeoutMs = 10_000;
const fetchTimeoutMs = 30_000;
const callTimeoutMs = 42_000;

/** News of one poll; the rest comes with the next one, soon. */
const maxNews = 50;

/** For whom tracked pages are scraped: nobody's key is charged. */
const visitor = { keyId: "tracker", owner: "tracker" };

/** The tools of one call. */
export function toolsFor(
  ctx: Context<unknown, CallMeta>,
  { egress, lanes, feeds, closing, minIntervalMs, websub }: RoomTools,
): ConnectorTools {
  const deadline = Date.now() + callTimeoutMs;
  const left = (ms: number) => Math.max(1, Math.min(ms, deadline - Date.now()));
  const inTurn = async <T>(url: string, work: () => Promise<T>) =>
    await within(left(turnTimeoutMs), closing, turn => lanes.run(egress.admit(url).host, turn, work));
  return {
    admit: url => egress.admit(url),
    fetchDocument: (url, headers = {}) =>
      inTurn(url, () =>
        within(left(fetchTimeoutMs), closing, signal => fetchDocument(url, headers, { egress, signal })),
      ),
    readFeed: ({ body, contentType, url }, memory) =>
      feeds.read({ body, contentType, url, memory, maxNews }, closing),
    visit: url =>
      inTurn(url, () => {
        const timeout = Math.max(1000, left(fetchTimeoutMs));
        const errand = { ...visitor, request: pageRequest(url, timeout) };
        return call(ctx as Context, visitPage, errand, { timeout: timeout + 2000 });
      }),
    now: Date.now,
    random: Math.random,
    minIntervalMs,
    ...(websub && { keepSubscription: (externalId, hub) => keepSubscription(websub, externalId, hub) }),
  };
}

function pageRequest(url: string, timeout: number): ScrapeRequest {
  return {
    url,
    mode: "sync",
    timeout,
    breakdown: false,
    output: { formats: ["markdown"], screenshot: "viewport" },
    request: { device: "desktop", only_main_content: true, block_ads: true, skip_tls_verification: false },
    js_render: { enabled: true },
    proxy: { location: "US" },
  };
}
