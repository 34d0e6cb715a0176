import type { Context } from "moleculer";
import { withTimeout } from "../../mixins/async/timeout.ts";
import { withTyped } from "../../mixins/clients/watch-secrets.ts";
import type { HostQueues } from "../../mixins/coordination/host-politeness/host-queues.ts";
import type { Egress } from "../../mixins/egress/egress.ts";
import { type FetchedDocument, fetchDocument } from "../../mixins/egress/fetch-document.ts";
import { call } from "../contracts/action.ts";
import type { CallMeta } from "../contracts/caller.ts";
import { fail } from "../contracts/errors.ts";
import {
  type Posted,
  pictureChange,
  picturePage,
  pollPage,
  revisitPage,
} from "../contracts/page-reads.contract.ts";
import type { ScrapeRequest } from "../contracts/scraper.contract.ts";
import { searchWeb } from "../contracts/search.contract.ts";
import type { Secrets } from "../contracts/watch.contract.ts";
import type { ConnectorTools, PageReading } from "./connector.ts";
import { inHostSlot } from "./host-slot.ts";
import type { Reader } from "./reader.ts";
import type { WebsubContext } from "./websub/context.ts";
import { keepSubscription } from "./websub/subscribe.ts";

export interface ToolContext {
  egress: Egress;
  hosts: HostQueues;
  reader: Reader;
  /** Fires when the service stops. */
  closing: AbortSignal;
  minIntervalMs: number;
  /** Undefined without a public address. */
  websub: WebsubContext | undefined;
}

/** How a call of a key that waits for its answer differs from a poll. */
export interface ToolTerms {
  /** Milliseconds for the whole call. */
  callTimeoutMs?: number;
  /** How many of the newest items `readFeed` shows. */
  headlines?: number;
  /** Reading a page takes one of the caller's scrape slots. */
  takesSlot?: boolean;
  /** What is sent in secret to the site of one source. */
  secrets?: Secrets & { origin: string; keyId: string };
}

/** Milliseconds: waiting for a slot at the host, one exchange, and the whole call. */
const slotTimeoutMs = 10_000;
const fetchTimeoutMs = 30_000;
const usualTimeoutMs = 42_000;

const searchTimeoutMs = 15_000;

/** Stands for the operator's search engine among the hosts, which are asked a few questions at a time. */
const searchEngine = "http://search-engine.internal/";

/** New items of one poll; the next poll, which follows soon, brings the rest. */
const maxNews = 50;
/** Pages that one poll of a sitemap reports at most; its items are small. */
const maxNewPages = 1000;

/** The caller for whom tracked pages are scraped: no key is charged. */
const trackerAsCaller = { keyId: "tracker", owner: "tracker" };

/** The tools of one call, with the deadline that all of them share. */
export function toolsFor(
  ctx: Context<unknown, CallMeta>,
  { egress, hosts, reader, closing, minIntervalMs, websub }: ToolContext,
  { callTimeoutMs = usualTimeoutMs, headlines, takesSlot, secrets }: ToolTerms = {},
): ConnectorTools {
  const deadline = Date.now() + callTimeoutMs;
  const left = (ms: number) => Math.max(1, Math.min(ms, deadline - Date.now()));
  const withHostSlot = async <T>(url: string, work: () => Promise<T>, spacingMs = 0) => {
    if (Date.now() >= deadline) throw fail("target_unreachable", "The site did not answer in time.");
    return await withTimeout(left(slotTimeoutMs), closing, inTime =>
      inHostSlot(hosts, egress.admit(url).href, inTime, work, spacingMs),
    );
  };
  return {
    admit: url => egress.admit(url),
    fetchDocument: (url, headers = {}, maxBytes = undefined) =>
      withHostSlot(url, () =>
        withTimeout(left(fetchTimeoutMs), closing, signal =>
          fetchDocument(url, headers, {
            egress,
            signal,
            maxBytes,
            secretHeaders: headersOf(secretsFor(url, secrets)),
          }),
        ),
      ),
    readFeed: ({ body, contentType, url }, memory, older = [], most = maxNews) =>
      reader.read(
        {
          body,
          contentType,
          url,
          memory,
          maxNews: most,
          older: older.map(bytesOf),
          ...(headlines !== undefined && { headlines }),
        },
        closing,
      ),
    readSitemap: ({ body, url }, { memory, isFirst }) =>
      reader.readSitemap(
        url,
        { body, memory, isFirst, maxNews: maxNewPages, ...(headlines !== undefined && { headlines }) },
        closing,
      ),
    feedLinksIn: document => reader.feedLinksIn(document, closing),
    countingNews: (url, news, view) => reader.countingNews(url, { news, view }, closing),
    fullItems: (url, found) => reader.fullItems(url, found, closing),
    itemVersions: (url, news) => reader.itemVersions(url, news, closing),
    compareSnapshot: (url, snapshot) => reader.compareSnapshot(url, snapshot, closing),
    foreseeSnapshot: (url, snapshot) => reader.foreseeSnapshot(url, snapshot, closing),
    timeLeftMs: () => deadline - Date.now(),
    scrapePage: (url, { views, withMarkdown, withHtml, withPlace, spacingMs, ...how } = {}) => {
      const visit = () => {
        const timeout = Math.max(1000, left(fetchTimeoutMs));
        const page = pageRequest(url, timeout, secretsFor(url, secrets), how);
        const format = withHtml ? "html" : withMarkdown && "markdown";
        const request = format ? withMainContent(page, format) : page;
        const params = {
          ...{ ...callerFor(url, secrets), request },
          ...(views && { views, isBrief: true }),
          ...(withPlace && { withPlace }),
          ...sessionOf(how),
          ...postOf(how, secretsFor(url, secrets)),
          ...(takesSlot && { takesSlot }),
        };
        return call(ctx as Context, pollPage, params, { timeout: timeout + 2000 });
      };
      return withHostSlot(url, visit, spacingMs);
    },
    revisitPage: (url, known, { views = [], withPlace, spacingMs, ...how }) => {
      const visit = () => {
        const timeout = Math.max(1000, left(fetchTimeoutMs));
        const request = pageRequest(url, timeout, secretsFor(url, secrets), how);
        const params = {
          ...callerFor(url, secrets),
          request,
          views,
          known,
          ...(withPlace && { withPlace }),
          ...sessionOf(how),
          ...postOf(how, secretsFor(url, secrets)),
        };
        return call(ctx as Context, revisitPage, params, { timeout: timeout + 2000 });
      };
      return withHostSlot(url, visit, spacingMs);
    },
    searchWeb: question =>
      withTimeout(left(slotTimeoutMs), closing, inTime =>
        inHostSlot(hosts, searchEngine, inTime, () =>
          call(
            ctx as Context,
            searchWeb,
            { ...question, kind: "general", safe: false, timeout: searchTimeoutMs },
            { timeout: searchTimeoutMs + 2000 },
          ),
        ),
      ),
    pictureChange: (url, watchId, how, before) =>
      withHostSlot(url, () => {
        const timeout = Math.max(1000, left(fetchTimeoutMs));
        const output = { formats: ["screenshot" as const], screenshot: "full_page" as const };
        const request = { ...pageRequest(url, timeout, secretsFor(url, secrets), how), output };
        const kept = before === undefined ? {} : { kept: before };
        const params = { ...callerFor(url, secrets), request, watchId, ...kept, ...sessionOf(how) };
        return call(ctx as Context, pictureChange, params, { timeout: timeout + 2000 });
      }),
    picturePage: (url, selectors, how) =>
      withHostSlot(url, () => {
        const timeout = Math.max(1000, left(fetchTimeoutMs));
        const output = { formats: ["screenshot" as const], screenshot: "full_page" as const };
        const request = { ...pageRequest(url, timeout, secretsFor(url, secrets), how), output };
        const owner = ctx.meta.caller?.owner ?? trackerAsCaller.owner;
        return call(
          ctx as Context,
          picturePage,
          { ...callerFor(url, secrets), owner, request, selectors, ...sessionOf(how) },
          { timeout },
        );
      }),
    now: Date.now,
    random: Math.random,
    minIntervalMs,
    ...(websub && { keepSubscription: (externalId, hub) => keepSubscription(websub, externalId, hub) }),
  };
}

/** The session that a page is read in, and whose it is. */
function sessionOf({ session, sessionOf: keyId }: PageReading) {
  return session && keyId !== undefined ? { session: { keyId, name: session.name } } : {};
}

/** What is sent by POST, where a page is asked for so. */
function postOf({ method }: PageReading, { body }: Secrets): { post?: Posted } {
  if (method !== "POST") return {};
  if (body === undefined) return { post: {} };
  if (typeof body === "string") return { post: { body, contentType: "application/x-www-form-urlencoded" } };
  return { post: { body: JSON.stringify(body), contentType: "application/json" } };
}

/** The secrets for an address; none for another site than the source's own. */
function secretsFor(url: string, secrets: ToolTerms["secrets"]): Secrets {
  if (!secrets || URL.parse(url)?.origin !== secrets.origin) return {};
  const { origin: _, keyId: __, ...own } = secrets;
  return own;
}

/** On whose behalf a page is read. What a browser keeps of a page that secrets were sent to is for their key alone. */
function callerFor(url: string, secrets: ToolTerms["secrets"]): typeof trackerAsCaller {
  const isSecret = secrets && Object.keys(secretsFor(url, secrets)).length > 0;
  return isSecret ? { ...trackerAsCaller, keyId: secrets.keyId } : trackerAsCaller;
}

/** The secrets as headers, which go to one origin alone: cookies as such know neither scheme nor port. */
function headersOf({ headers = {}, cookies = {} }: Secrets): Record<string, string> {
  const sent = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const pairs = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  const cookie = [...(sent.cookie === undefined ? [] : [sent.cookie]), ...pairs].join("; ");
  return { ...sent, ...(cookie !== "" && { cookie }) };
}

function bytesOf({ body, contentType, url }: FetchedDocument) {
  return { body, contentType, url };
}

/** Makes tools that ask each address once: the answer serves all views of a source. */
export function askingOnce(tools: ConnectorTools): ConnectorTools {
  const pages = new Map<string, ReturnType<ConnectorTools["scrapePage"]>>();
  const { searchWeb: searchOnce } = tools;
  const searches = new Map<string, ReturnType<NonNullable<typeof searchOnce>>>();
  const documents = new Map<string, ReturnType<ConnectorTools["fetchDocument"]>>();
  const wholes = new Set<string>();
  return {
    ...tools,
    scrapePage: (url, asked) => {
      const name = JSON.stringify([url, asked]);
      const page = pages.get(name) ?? tools.scrapePage(url, asked);
      pages.set(name, page);
      return page;
    },
    ...(searchOnce && {
      searchWeb: question => {
        const name = JSON.stringify(question);
        const found = searches.get(name) ?? searchOnce(question);
        searches.set(name, found);
        return found;
      },
    }),
    fetchDocument: async (url, headers = {}, maxBytes = undefined) => {
      const isWhole = Object.keys(headers).length === 0;
      if (isWhole) wholes.add(url);
      // All views have asked by then. A document that one of them wants whole answers the others, too.
      await Promise.resolve();
      const name = JSON.stringify([url, wholes.has(url) ? {} : headers, maxBytes]);
      const document =
        documents.get(name) ?? tools.fetchDocument(url, wholes.has(url) ? {} : headers, maxBytes);
      documents.set(name, document);
      return await document;
    },
  };
}

function pageRequest(
  url: string,
  timeout: number,
  secrets: Secrets,
  { render = "auto", wait_for, actions, proxy = { location: "US" }, content_uses }: PageReading = {},
): ScrapeRequest {
  const { typed = {} } = secrets;
  // Something to wait for makes the browser read any page.
  const waits = wait_for ?? (render === "always" ? { ms: 0 } : undefined);
  return {
    url,
    mode: "sync",
    timeout,
    breakdown: false,
    max_age: 0,
    // The views are read by themselves.
    output: { formats: [], screenshot: "viewport" },
    request: {
      device: "desktop",
      only_main_content: false,
      block_ads: true,
      skip_tls_verification: false,
      headers: headersOf(secrets),
      ...(content_uses && { content_uses }),
    },
    js_render: {
      enabled: render !== "never",
      ...(waits && { wait_for: waits }),
      ...(actions && { actions: withTyped(actions, typed) }),
    },
    proxy,
  };
}

function withMainContent(
  { output, request, ...page }: ScrapeRequest,
  format: "html" | "markdown",
): ScrapeRequest {
  return {
    ...page,
    output: { ...output, formats: [format] },
    request: { ...request, only_main_content: true },
  };
}
