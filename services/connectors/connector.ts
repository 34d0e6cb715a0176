import type { FetchDocument, FetchedDocument } from "../../mixins/egress/fetch-document.ts";
import type { CheckedVersion, PollResult, ResolvedSource } from "../contracts/connectors.contract.ts";
import { codeOf, type ErrorCode, urlErrorAt } from "../contracts/errors.ts";
import type {
  KnownPage,
  PagePicture,
  PolledPage,
  TakenPicture,
  UnchangedPage,
  WantedView,
} from "../contracts/page-reads.contract.ts";
import type { Preview } from "../contracts/preview.contract.ts";
import type { Found, SearchRequest } from "../contracts/search.contract.ts";
import type { View } from "../contracts/watch.contract.ts";
import { joinedUses } from "../domain/crawl/content-policy.ts";
import type { Use } from "../domain/crawl/content-usage.ts";
import type { ItemNews } from "../domain/feed/compare-feed.ts";
import type { FeedDigest } from "../domain/feed/digest-feed.ts";
import type { SitemapDigest, SitemapMemory } from "../domain/feed/digest-sitemap.ts";
import type { FeedItem, FoundPage } from "../domain/feed/feed.ts";
import type { FeedMemory } from "../domain/feed/feed-memory.ts";
import type { View as Seen } from "../domain/watch/view.ts";
import type {
  ComparedSnapshot,
  ForeseenSnapshot,
  PolledSnapshot,
  PreviewedSnapshot,
} from "./pages/page-state.ts";
import { backoff, jittered, sitePauseMs } from "./poll-interval.ts";
import type { Hub, HubLease } from "./websub/subscriptions.store.ts";

/** A platform of feeds or pages; the social platforms have a port of their own, `social/social-connector.ts`. */
interface Connector {
  /** Finds what a `sid` means. Throws what `connectors.resolve` answers. */
  resolve(sid: string, tools: ConnectorTools, aim?: Aim): Promise<ResolvedSource>;
}

/** How the source is to be read. */
export interface Aim {
  view?: View;
  /** The parts of a page are wanted, too. */
  withPage?: boolean;
  /** And a picture of the page with their places. */
  withPicture?: boolean;
  /** The page itself, also where it names a feed. */
  asPage?: boolean;
  /** What the caller's own watch of an address remembers. */
  remembered?(url: string): Promise<Remembered>;
}

export interface Remembered {
  /** The state as the last poll left it; present only for a watch with the same view. */
  state?: Record<string, unknown>;
  /** Why there is nothing to compare with: a sentence without its full stop. */
  reason?: string;
}

/** What would be watched, and what a subscriber should know of it. */
export type Previewed = Omit<Preview, "sid"> & { notice?: string };

/** A platform whose sources are polled. */
export interface PolledConnector extends Connector {
  /** Reads what `resolve` finds. Throws what it throws. */
  preview(sid: string, tools: ConnectorTools, aim?: Aim): Promise<Previewed>;
  /** Polls a source once. A failure of the source is a result; only failures of this service are thrown. */
  poll(source: PolledSource, tools: ConnectorTools): Promise<PollResult>;
  /** Polls several views of one source with one request for it; answers a result for each. */
  pollTogether?(sources: PolledSource[], tools: ConnectorTools): Promise<PollResult[]>;
}

export interface PolledSource {
  externalId: string;
  /** The state as the last poll, or `resolve`, left it. */
  state: Record<string, unknown>;
  /** Polls that failed since the last good one. */
  failures: number;
  /** Absent for the default one. */
  view?: Seen & Omit<View, keyof Seen>;
  /** `_id` of the source, to which its pictures and its pages belong. */
  id?: string;
  /** The number of the lease: of two polls of a source the later one has the higher. */
  fence?: number;
  /** Milliseconds since the epoch: when somebody last asked for a poll at once. */
  askedAt?: number;
}

/** What of a view decides which answer its site gives. */
export type PageReading = Pick<
  View,
  "render" | "wait_for" | "actions" | "proxy" | "session" | "sessionOf" | "method" | "content_uses"
>;

/** How a view has its page read. Values are extracted from what a server sends, and no browser asks by POST. */
export function readingOf(view: PageReading & { extract?: unknown; policy?: Use[] }): PageReading {
  const { wait_for, actions, proxy, session, sessionOf, method } = view;
  const render = view.extract || method === "POST" ? "never" : view.render;
  const waits = { ...(wait_for && { wait_for }), ...(actions && { actions }) };
  const own = session && sessionOf !== undefined && { session, sessionOf };
  const content_uses = joinedUses(view.content_uses, view.policy);
  const uses = content_uses.length > 0 && { content_uses };
  const asked = { ...(proxy && { proxy }), ...(method && { method }), ...own, ...uses };
  return { ...(render && { render }), ...waits, ...asked };
}

/** How a page is to be read. */
export interface PageAsked extends PageReading {
  /** What is read, with one fetch for all. */
  views?: WantedView[];
  /** Answers where the page leads, too. */
  withPlace?: boolean;
  /** Milliseconds before the next request to the host, as its robots.txt asks. */
  spacingMs?: number;
  /** Answers the beginning of the page's main content too, which is searched for and written for people alone. */
  withMarkdown?: boolean;
  /** Answers the page's main content as HTML. */
  withHtml?: boolean;
}

/** What one call of a connector may use. */
export interface ConnectorTools {
  /** Checks a URL against the egress rules. Throws `invalid_url` or `url_not_allowed`. */
  admit(url: string): URL;
  /** Fetches a document; at most two requests per host run at a time. */
  fetchDocument: FetchDocument;
  /**
   * Parses a fetched feed, with pages of older items, and compares it with the memory of earlier polls. Without a memory
   * every item is old.
   */
  readFeed(
    document: FetchedDocument,
    memory?: FeedMemory,
    older?: FetchedDocument[],
    /** News at most; the next poll has the rest. */
    most?: number,
  ): Promise<FeedDigest>;
  /** Compares a fetched sitemap with the memory of earlier polls. */
  readSitemap(
    document: FetchedDocument,
    earlier: { memory: SitemapMemory; isFirst: boolean },
  ): Promise<SitemapDigest>;
  /** The feeds that a fetched page names, its own first. */
  feedLinksIn(document: FetchedDocument): Promise<string[]>;
  /** The news of the source at `url` that count for a view. */
  countingNews(url: string, news: ItemNews[], view: Seen): Promise<ItemNews[]>;
  /** Items of the feed at `url` with the content of their pages, which was found as `html`. Absent from tools for pages alone. */
  fullItems?(url: string, found: FoundPage[]): Promise<FeedItem[]>;
  /** The items of the feed at `url` as versions to be kept. */
  itemVersions(url: string, news: ItemNews[]): Promise<CheckedVersion[]>;
  /** Milliseconds until the call must have ended. */
  timeLeftMs(): number;
  /** Has the scraper service read a page, under the same limit per host. */
  scrapePage(url: string, asked?: PageAsked): Promise<PolledPage>;
  /** As `scrapePage` for views, unless the page is as an earlier poll knew it. */
  revisitPage(url: string, known: KnownPage, asked: PageAsked): Promise<PolledPage | UnchangedPage>;
  /** Asks the operator's search engine. Throws `validation_failed` where there is none. Absent from tools for pages alone. */
  searchWeb?(question: Pick<SearchRequest, "query" | "limit" | "within">): Promise<Found[]>;
  /** Compares a snapshot of a page with what the last poll of it left. */
  compareSnapshot(url: string, snapshot: PolledSnapshot): Promise<ComparedSnapshot>;
  /** Says what a poll would make of a snapshot. */
  foreseeSnapshot(url: string, snapshot: PreviewedSnapshot): Promise<ForeseenSnapshot>;
  /** Takes a picture of a page and compares it with the last one; see `scraper.pictureChange`. Absent without a browser. */
  pictureChange?(url: string, watchId: string, how: PageReading, kept?: string): Promise<TakenPicture>;
  /** Takes a picture of a page for the caller, and says where on it the elements are that selectors match. Absent without a browser. */
  picturePage?(url: string, selectors: string[], how: PageReading): Promise<PagePicture>;
  /** Milliseconds since the epoch. */
  now(): number;
  /** From 0 up to 1. */
  random(): number;
  /** Milliseconds: the shortest polling interval. */
  minIntervalMs: number;
  /** Keeps a feed subscribed at its hub and returns the current lease. Absent where no hub can reach this installation. */
  keepSubscription?(externalId: string, hub: Hub): Promise<HubLease | undefined>;
}

/** The URL of a `sid`. Errors name the field `sid`. */
export function admitSid(sid: string, { admit }: Pick<ConnectorTools, "admit">): URL {
  try {
    const url = admit(sid.trim());
    // An empty query leads to the same address, but the URL would differ.
    if (url.search === "") url.search = "";
    return url;
  } catch (error) {
    throw asSidError(error);
  }
}

/** An error of the egress guard, with the field `sid` in its details, whether raised before or while connecting. */
export function asSidError(error: unknown): unknown {
  return urlErrorAt("sid", error);
}

const ownErrors = new Set<ErrorCode>(["internal_error", "unauthorized", "overloaded"]);

/** What is known of a failed poll beside its reason. */
interface FailureFacts {
  gone?: boolean;
  /** Milliseconds that the source asks us to wait. */
  askedMs?: number;
  status?: number;
  code?: ErrorCode;
}

/** The result of a failed poll. The next poll waits as long as the source asks, and longer with each failure. */
export function failedPoll(
  { state, failures }: PolledSource,
  { minIntervalMs, random }: Pick<ConnectorTools, "minIntervalMs" | "random">,
  reason: string,
  { gone = false, askedMs = 0, ...cause }: FailureFacts = {},
): PollResult {
  const retryAfterMs = Math.max(askedMs, jittered(backoff(failures, minIntervalMs), random()));
  return { ok: false, reason, gone, retryAfterMs, ...(askedMs > 0 && { askedMs }), ...cause, state };
}

/** The result of a poll that was answered with an error status. */
export function failedByStatus(
  source: PolledSource,
  tools: ConnectorTools,
  status: number,
  headers: Record<string, string>,
): PollResult {
  if (status === 410)
    return failedPoll(source, tools, "The site says that this is gone for good.", { gone: true, status });
  const askedMs = sitePauseMs(headers["retry-after"], tools.now());
  return failedPoll(source, tools, `The site answered with status ${status}.`, { askedMs, status });
}

/** The result of a poll whose fetch threw. Rethrows errors of this service: the source itself has not failed. */
export function failedByError(source: PolledSource, tools: ConnectorTools, error: unknown): PollResult {
  const code = codeOf(error);
  if (code === undefined || ownErrors.has(code)) throw error;
  return failedPoll(source, tools, (error as Error).message, { code });
}
