import createClient, { type Client } from "openapi-fetch";
import { Administration } from "./administration.ts";
import { dataOf, type ErrorBody, JobFailedError } from "./errors.ts";
import { type EventSource, type EventsOptions, followEvents } from "./events.ts";
import { Feeds } from "./feeds.ts";
import { Job, type JobOptions, type ResumeOptions } from "./job.ts";
import { Account, Keys, OwnKeys } from "./keys.ts";
import { itemsOf } from "./lists.ts";
import { Monitors, NamedMonitor } from "./monitor.ts";
import { pause } from "./pause.ts";
import { type Loose, partSize, type RequestOptions } from "./requests.ts";
import { type RetryOptions, retryingFetch } from "./retrying-fetch.ts";
import type { paths } from "./schema.ts";
import { Sources } from "./sources.ts";
import { TrackedSource } from "./tracked-source.ts";
import type {
  AcceptedScrape,
  AsyncScrapeRequest,
  Batch,
  BatchRequest,
  Crawl,
  CrawlRequest,
  Event,
  FinishedScrape,
  Found,
  MapRequest,
  ParsedDocument,
  ParseRequest,
  ScrapeRequest,
  SiteMap,
} from "./types.ts";
import { type BatchJob, batchWay, type CrawlJob, crawlWay } from "./ways.ts";
import { Deliveries, Webhooks } from "./webhooks.ts";

export interface MagpieOptions extends Loose<Partial<RetryOptions>> {
  /** The address of the service: `https://magpie.example.com`. */
  url: string;
  /** An API key. */
  apiKey?: string | undefined;
  /** The admin key, for `admin`, `keys` and the operations below `/internal` of `raw`. */
  adminKey?: string | undefined;
  /** Headers that are sent with every request. */
  headers?: Record<string, string> | undefined;
}

export interface WaitOptions extends RequestOptions {
  /** Milliseconds until the service is asked again whether the scrape has ended. 1,000 by default. */
  pollMs?: number | undefined;
}

/** Milliseconds that a request may take beyond the time of the page itself. */
const marginMs = 30_000;
const scrapeMs = 30_000;

/** A Magpie service. */
export class Magpie {
  /** Every operation of the service, typed: `await magpie.raw.GET("/webhook")`. */
  readonly raw: Client<paths>;
  /** What the key tracks. */
  readonly sources: Sources;
  /** Sources that are checked together, by a schedule. */
  readonly monitors: Monitors;
  /** The endpoints that the key's events are posted to. */
  readonly webhooks: Webhooks;
  /** The attempts to deliver events. */
  readonly deliveries: Deliveries;
  /** Feeds of the key's events, for feed readers. */
  readonly feeds: Feeds;
  /** What the key says of itself. */
  readonly account: Account;
  /** All API keys, for the administrator. */
  readonly keys: Keys;
  /** The keys of an owner who has signed in. */
  readonly ownKeys: OwnKeys;
  /** What an administrator does for all keys. */
  readonly admin: Administration;
  readonly #retry: RetryOptions;
  readonly #eventSource: EventSource;
  readonly #headers: Record<string, string>;

  constructor({ url, apiKey, adminKey, headers, ...retry }: MagpieOptions) {
    const { retries = 4, timeoutMs = 60_000, maxWaitMs = 60_000, fetch = globalThis.fetch } = retry;
    this.#retry = { retries, timeoutMs, maxWaitMs, fetch };
    const sent = {
      ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
      ...(adminKey === undefined ? {} : { "x-admin-key": adminKey }),
      ...headers,
    };
    this.#headers = sent;
    const baseUrl = url.replace(/\/+$/, "");
    this.raw = createClient<paths>({ baseUrl, headers: sent, fetch: retryingFetch(this.#retry) });
    this.sources = new Sources(this.raw);
    this.monitors = new Monitors(this.raw);
    this.webhooks = new Webhooks(this.raw);
    this.deliveries = new Deliveries(this.raw);
    this.feeds = new Feeds(this.raw);
    this.account = new Account(this.raw);
    this.keys = new Keys(this.raw);
    this.ownKeys = new OwnKeys(this.raw);
    this.admin = new Administration(this.raw, workMs => this.#patient(workMs));
    const open = (path: string, accept: string, signal: AbortSignal) =>
      this.#retry.fetch(baseUrl + path, { headers: { ...sent, accept }, signal });
    this.#eventSource = {
      url: baseUrl,
      maxWaitMs: this.#retry.maxWaitMs,
      stream: (after, signal) =>
        open(`/stream/sse${after === undefined ? "" : `?after=${after}`}`, "text/event-stream", signal),
      page: (query, signal) => {
        const patience = AbortSignal.timeout(Number(query.get("wait_seconds")) * 1000 + marginMs);
        return open(`/events?${query}`, "application/json", AbortSignal.any([signal, patience]));
      },
    };
  }

  /**
   * Reads one page. A page that takes longer than `timeout` is a MagpieError `scrape_timeout`: its scrape continues, and
   * `finishedScrape(error.scrapeId)` waits for it.
   */
  async scrape(request: ScrapeRequest, { signal }: RequestOptions = {}): Promise<FinishedScrape> {
    const body = { ...request, mode: "sync" as const };
    const fetch = this.#patient(request.timeout);
    return dataOf(await this.raw.POST("/web/scrape", { body, signal, fetch })) as FinishedScrape;
  }

  /**
   * Reads a document that has no address: its bytes with its file name. `options` are those of `POST /web/parse`. A
   * document that takes longer than `timeout` is a MagpieError `scrape_timeout`.
   */
  async parse(
    file: Blob,
    { name = "", signal, ...options }: ParseRequest & RequestOptions = {},
  ): Promise<ParsedDocument> {
    const body = new FormData();
    body.append("file", file, name);
    body.append("options", JSON.stringify(options));
    const ask = this.#patient(options.timeout);
    const request = new Request(`${this.#eventSource.url}/web/parse`, {
      ...{ method: "POST", headers: this.#headers, body },
      ...(signal && { signal }),
    });
    const response = await ask(request);
    const answer = (await response.json()) as ParsedDocument & ErrorBody;
    return dataOf<ParsedDocument>(response.ok ? { data: answer, response } : { error: answer, response });
  }

  /** Lists the pages of a site, as its sitemaps, its entry page and earlier crawls name them. Reads no other page. */
  async map(request: MapRequest, { signal }: RequestOptions = {}): Promise<SiteMap> {
    const fetch = this.#patient(request.timeout);
    return dataOf(await this.raw.POST("/web/map", { body: request, signal, fetch }));
  }

  /** Has a page read without waiting for it. The answer holds the `scrape_id`. */
  async startScrape(request: AsyncScrapeRequest, { signal }: RequestOptions = {}): Promise<AcceptedScrape> {
    const body = { ...request, mode: "async" as const };
    return dataOf(await this.raw.POST("/web/scrape", { body, signal })) as AcceptedScrape;
  }

  /** Waits for a scrape, however long it takes. Throws a JobFailedError when it failed. */
  async finishedScrape(
    scrapeId: string,
    { signal, pollMs = 1000 }: WaitOptions = {},
  ): Promise<FinishedScrape> {
    const params = { path: { scrape_id: scrapeId } };
    for (;;) {
      const job = dataOf(await this.raw.GET("/web/scrape/{scrape_id}", { params, signal }));
      if (job.status === "completed") return job as FinishedScrape;
      if (job.status === "failed") throw new JobFailedError(scrapeId, job.error);
      await pause(pollMs, signal);
    }
  }

  /** Gets the PNG that `data.screenshot` names. */
  async screenshot(key: string, { signal }: RequestOptions = {}): Promise<Blob> {
    const params = { path: { key } };
    return dataOf(
      await this.raw.GET("/web/screenshot/{key}", { params, signal, parseAs: "blob" }),
    ) as unknown as Blob;
  }

  /** Reads a site: iterate over the answer for its pages. */
  crawl(request: CrawlRequest, options: JobOptions<Crawl> = {}): CrawlJob {
    return new Job(crawlWay(this.raw, request), options);
  }

  /** Continues a crawl that was started before, from `cursor` on: iterate over the answer for its pages. */
  resumeCrawl(crawlId: string, options: ResumeOptions<Crawl> = {}): CrawlJob {
    return new Job(crawlWay(this.raw), options, crawlId);
  }

  /** Reads a list of pages, each once: iterate over the answer for them, in the order in which they end. */
  batch(request: BatchRequest, options: JobOptions<Batch> = {}): BatchJob {
    return new Job(batchWay(this.raw, request), options);
  }

  /** Continues a batch that was started before, from `cursor` on: iterate over the answer for its pages. */
  resumeBatch(batchId: string, options: ResumeOptions<Batch> = {}): BatchJob {
    return new Job(batchWay(this.raw), options, batchId);
  }

  /** Names a source that the key tracks, by its id: how its checks went, and what it said. Asks nothing yet. */
  source(id: string): TrackedSource {
    return new TrackedSource(this.raw, id);
  }

  /** Names a monitor of the key, by its id. Asks nothing yet. */
  monitor(id: string): NamedMonitor {
    return new NamedMonitor(this.raw, id);
  }

  /**
   * Searches what the sources of the key said, the latest first: words that must all be there, `"a phrase"`, `prefix*`,
   * `-without`, `source:`, `tag:`, `after:2026-03-01`, `before:`.
   */
  search(q: string): AsyncGenerator<Found, void, void> {
    return itemsOf(cursor => this.raw.GET("/search", { params: { query: { q, cursor, limit: partSize } } }));
  }

  /** Reads the key's events as they happen. `EventsOptions` says which events, where they begin and where they end. */
  events(options: EventsOptions = {}): AsyncGenerator<Event, void, void> {
    return followEvents(this.#eventSource, options);
  }

  /** Creates a fetch that waits for work of so many milliseconds. */
  #patient(workMs: number | null | undefined): (request: Request) => Promise<Response> {
    return retryingFetch({ ...this.#retry, timeoutMs: (workMs ?? scrapeMs) + marginMs });
  }
}
