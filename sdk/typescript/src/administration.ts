import type { Client } from "openapi-fetch";
import { dataOf } from "./errors.ts";
import { itemsOf } from "./lists.ts";
import { type Filter, partSize, type Query, type RequestOptions } from "./requests.ts";
import type { paths } from "./schema.ts";
import type {
  AuditEvent,
  BackfillRequest,
  CancelledCrawl,
  CrawlSummary,
  Erasure,
  ErasureRequest,
  Join,
  KeyDelivery,
  Lane,
  MicroblogPost,
  Overview,
  Owner,
  OwnerLink,
  PlannedPost,
  ReplayRequest,
  Scrape,
  ScrapeSummary,
  SourceSummary,
  TotalUsage,
} from "./types.ts";

/** What a backfill has fetched. */
export interface Backfilled {
  /** The newest first. */
  posts: MicroblogPost[];
  /** The `cursor` of older posts; null where there are none. */
  nextCursor: string | null;
}

export interface AuditExportOptions extends Query<"exportAudit">, RequestOptions {}

/** Sends a request that may take so many milliseconds. */
type Patient = (workMs: number) => (request: Request) => Promise<Response>;

const backfillMs = 120_000;
const dispatchMs = 60_000;

/** What an administrator does for all keys: `magpie.admin`, with an `adminKey`. API keys are below `magpie.keys`. */
export class Administration {
  readonly #raw: Client<paths>;
  readonly #patient: Patient;

  constructor(raw: Client<paths>, patient: Patient) {
    this.#raw = raw;
    this.#patient = patient;
  }

  /** Gets how the installation is: its nodes, its queues, and what needs attention. */
  async overview({ signal }: RequestOptions = {}): Promise<Overview> {
    return dataOf(await this.#raw.GET("/internal/overview", { signal })).data;
  }

  /** Gets what all keys used by day. */
  async usage({ days, signal }: RequestOptions & { days?: number | undefined } = {}): Promise<TotalUsage> {
    return dataOf(await this.#raw.GET("/internal/usage", { params: { query: { days } }, signal })).data;
  }

  /**
   * Fetches posts of a microblog account, by `uid` or `username`, and delivers them to the keys that track it; what they have
   * is not delivered again. Continue with the `cursor` that it answers.
   */
  async backfill(request: BackfillRequest, { signal }: RequestOptions = {}): Promise<Backfilled> {
    const fetch = this.#patient(backfillMs);
    const asked = await this.#raw.POST("/internal/backfill", { body: request, signal, fetch });
    return { posts: dataOf(asked), nextCursor: asked.response.headers.get("x-next-cursor") };
  }

  /** Delivers posts to the keys that track their authors, as if the network had sent them. Answers what it did, in words. */
  async dispatch(posts: MicroblogPost[], { signal }: RequestOptions = {}): Promise<string> {
    const fetch = this.#patient(dispatchMs);
    return dataOf(await this.#raw.POST("/internal/dispatch", { body: { posts }, signal, fetch })).message;
  }

  /** Says what `dispatch` would make of each post, and delivers none. */
  async planDispatch(posts: MicroblogPost[], { signal }: RequestOptions = {}): Promise<PlannedPost[]> {
    const options = { body: { posts, dry_run: true }, signal, fetch: this.#patient(dispatchMs) };
    return dataOf(await this.#raw.POST("/internal/dispatch", options)).data ?? [];
  }

  /** Reads the sources of all keys, with their health. */
  sources(filter: Filter<"listAllSources"> = {}): AsyncGenerator<SourceSummary, void, void> {
    return itemsOf(cursor =>
      this.#raw.GET("/internal/sources", { params: { query: { ...filter, cursor, limit: partSize } } }),
    );
  }

  /** Has a source of any key polled now. Answers when that is due, or began. */
  async poll(sourceId: string): Promise<string> {
    const params = { path: { id: sourceId } };
    return dataOf(await this.#raw.POST("/internal/sources/{id}/poll", { params })).data.due_at;
  }

  /** Ends the tracking of a source, for all keys. */
  async removeSource(sourceId: string): Promise<void> {
    dataOf(await this.#raw.DELETE("/internal/sources/{id}", { params: { path: { id: sourceId } } }));
  }

  /** Reads the scrapes of all keys, the latest first. */
  scrapes(filter: Filter<"listAllScrapes"> = {}): AsyncGenerator<ScrapeSummary, void, void> {
    return itemsOf(cursor =>
      this.#raw.GET("/internal/scrapes", { params: { query: { ...filter, cursor, limit: partSize } } }),
    );
  }

  /** Reads the crawls and batches of all keys, the latest first. */
  crawls(filter: Filter<"listAllCrawls"> = {}): AsyncGenerator<CrawlSummary, void, void> {
    return itemsOf(cursor =>
      this.#raw.GET("/internal/crawls", { params: { query: { ...filter, cursor, limit: partSize } } }),
    );
  }

  /** Reads the requests of all keys to join private channels. */
  joins(filter: Filter<"listAllJoins"> = {}): AsyncGenerator<Join, void, void> {
    return itemsOf(cursor =>
      this.#raw.GET("/internal/joins", { params: { query: { ...filter, cursor, limit: partSize } } }),
    );
  }

  /** Cancels a scrape of any key. */
  async cancelScrape(scrapeId: string): Promise<Scrape> {
    const params = { path: { scrape_id: scrapeId } };
    return dataOf(await this.#raw.DELETE("/internal/scrapes/{scrape_id}", { params }));
  }

  /** Cancels a crawl or a batch of any key; what was read stays. */
  async cancelCrawl(crawlId: string): Promise<CancelledCrawl> {
    const params = { path: { crawl_id: crawlId } };
    return dataOf(await this.#raw.DELETE("/internal/crawls/{crawl_id}", { params }));
  }

  /** Reads the endpoints of all keys, with the state of their deliveries. */
  endpoints(filter: Filter<"listLanes"> = {}): AsyncGenerator<Lane, void, void> {
    return itemsOf(cursor =>
      this.#raw.GET("/internal/lanes", { params: { query: { ...filter, cursor, limit: partSize } } }),
    );
  }

  /** Starts an endpoint of any key again: what was kept is delivered first. */
  async reactivate(webhookId: string): Promise<Lane> {
    const params = { path: { webhook_id: webhookId } };
    return dataOf(await this.#raw.POST("/internal/lanes/{webhook_id}/reactivate", { params })).data;
  }

  /** Sends events to an endpoint of any key again: since a time, or those that are named. Answers how many. */
  async replay(webhookId: string, wanted: ReplayRequest): Promise<number> {
    const params = { path: { webhook_id: webhookId } };
    return dataOf(await this.#raw.POST("/internal/lanes/{webhook_id}/replay", { params, body: wanted })).data
      .events;
  }

  /** Reads the attempts to deliver, of all keys, the latest first. */
  deliveries(filter: Filter<"listAllDeliveries"> = {}): AsyncGenerator<KeyDelivery, void, void> {
    return itemsOf(cursor =>
      this.#raw.GET("/internal/deliveries", { params: { query: { ...filter, cursor, limit: partSize } } }),
    );
  }

  /** Reads the audit log: the acts of people and keys, the latest first. */
  acts(filter: Filter<"listAudit"> = {}): AsyncGenerator<AuditEvent, void, void> {
    return itemsOf(cursor =>
      this.#raw.GET("/internal/audit", { params: { query: { ...filter, cursor, limit: partSize } } }),
    );
  }

  /** Exports the audit log, the oldest act first: a line of JSON each, or with `as: "csv"` a table. */
  async exportActs({ signal, ...query }: AuditExportOptions = {}): Promise<string> {
    const asked = this.#raw.GET("/internal/audit/export", { params: { query }, signal, parseAs: "text" });
    return dataOf(await asked);
  }

  /** Reads the owners of keys, with how many they have. */
  owners(filter: Filter<"listOwners"> = {}): AsyncGenerator<Owner, void, void> {
    return itemsOf(cursor =>
      this.#raw.GET("/internal/owners", { params: { query: { ...filter, cursor, limit: partSize } } }),
    );
  }

  /** Makes the link by which an owner sets a password. It works once, and ends the one before. */
  async invite(owner: string): Promise<OwnerLink> {
    return dataOf(await this.#raw.POST("/internal/owners/{owner}/link", { params: { path: { owner } } }))
      .data;
  }

  /** Takes the password of an owner away, and ends its sessions. */
  async removePassword(owner: string): Promise<void> {
    dataOf(await this.#raw.DELETE("/internal/owners/{owner}/password", { params: { path: { owner } } }));
  }

  /** Begins to erase what is kept of a key or an owner, or counts it. `erasure` says how far that is. */
  async erase(request: ErasureRequest): Promise<Erasure> {
    return dataOf(await this.#raw.POST("/internal/erasures", { body: request })).data;
  }

  /** Gets how far an erasure is, and what it has found. */
  async erasure(id: string, { signal }: RequestOptions = {}): Promise<Erasure> {
    return dataOf(await this.#raw.GET("/internal/erasures/{id}", { params: { path: { id } }, signal })).data;
  }
}
