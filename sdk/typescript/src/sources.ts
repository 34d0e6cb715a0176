import type { Client } from "openapi-fetch";
import { dataOf, JobFailedError } from "./errors.ts";
import { itemsOf } from "./lists.ts";
import { pause } from "./pause.ts";
import { type Filter, partSize, type RequestOptions } from "./requests.ts";
import type { operations, paths } from "./schema.ts";
import type {
  FoundSource,
  ListedSource,
  OpmlImport,
  QueuedTrack,
  SourceDetail,
  SourceKind,
  SourcePreview,
  TrackBatch,
  TrackBatchEntry,
  Tracked,
  TrackItem,
  TrackJob,
  WatchChanges,
  WatchOptions,
} from "./types.ts";

export interface ImportOptions extends RequestOptions {
  sync?: boolean | undefined;
  dryRun?: boolean | undefined;
}

export interface PreviewOptions extends RequestOptions {
  /** Answers the parts of a page, too, as `outline`. */
  withPage?: boolean | undefined;
  /** Answers the parts of a page, and a picture of it with their places. */
  withPicture?: boolean | undefined;
}

/** A source: by its `id`, or by what its platform calls it. */
export type SourceName = { id: string } | { externalId: string };

export type SourceFilter = Filter<"listSources">;
export type FindKind = operations["findSources"]["parameters"]["path"]["source"];

/** What the key tracks: `magpie.sources`. The past of one source is below `magpie.source(id)`. */
export class Sources {
  readonly #raw: Client<paths>;

  constructor(raw: Client<paths>) {
    this.#raw = raw;
  }

  /**
   * Tracks a source: its new posts, or its changes, become events of the key. Tracking it again with other options changes
   * them. A private channel answers a `jobId` in place of a source: its owner has to approve first (`joined` waits for that).
   */
  async track(
    kind: SourceKind,
    address: string,
    options: WatchOptions = {},
    { signal }: RequestOptions = {},
  ): Promise<Tracked | QueuedTrack> {
    const body = { sid: address, ...(Object.keys(options).length > 0 && { options }) };
    const answer = dataOf(
      await this.#raw.POST("/track/{source}", { params: { path: { source: kind } }, body, signal }),
    );
    return "jobId" in answer ? answer : answer.data;
  }

  /** Stops tracking a source. */
  async untrack(kind: SourceKind, name: SourceName, { signal }: RequestOptions = {}): Promise<void> {
    const params = { path: { source: kind } };
    dataOf(await this.#raw.DELETE("/track/{source}", { params, body: named(name), signal }));
  }

  /**
   * Changes the options of a source: what they do not name stays, and null removes an option. The answer has another `id`
   * where the source is polled differently from now on.
   */
  async change(kind: SourceKind, name: SourceName, options: WatchChanges): Promise<Tracked> {
    const params = { path: { source: kind } };
    const body = { ...named(name), options };
    return dataOf(await this.#raw.PATCH("/track/{source}", { params, body })).data;
  }

  /** Shows what a source with these options would watch, and whether that would make an event now. Tracks nothing. */
  async preview(
    kind: SourceKind,
    address: string,
    options: WatchOptions = {},
    { withPage, withPicture, signal }: PreviewOptions = {},
  ): Promise<SourcePreview> {
    const body = {
      sid: address,
      options,
      ...(withPage !== undefined && { with_page: withPage }),
      ...(withPicture !== undefined && { with_picture: withPicture }),
    };
    const params = { path: { source: kind } };
    return dataOf(await this.#raw.POST("/track/{source}/preview", { params, body, signal })).data;
  }

  /** Has a source polled now. */
  async poll(kind: SourceKind, id: string): Promise<void> {
    dataOf(
      await this.#raw.POST("/track/{source}/poll", { params: { path: { source: kind } }, body: { iid: id } }),
    );
  }

  /** Tracks up to 5,000 sources. The answer says how far that is; `finishedBatch` waits for its end. */
  async trackMany(items: TrackItem[], { signal }: RequestOptions = {}): Promise<TrackBatch> {
    return dataOf(await this.#raw.POST("/track/batch", { body: { items }, signal })).data;
  }

  /** Gets how far a batch is, with the first of its entries. */
  async batch(id: string, { signal }: RequestOptions = {}): Promise<TrackBatch> {
    const params = { path: { batch_id: id }, query: { limit: 1 } };
    return dataOf(await this.#raw.GET("/track-batches/{batch_id}", { params, signal })).data;
  }

  /** Waits until nothing of a batch is pending, and asks for it every `pollMs`, by default 1,000. */
  async finishedBatch(
    id: string,
    { signal, pollMs = 1000 }: RequestOptions & { pollMs?: number | undefined } = {},
  ): Promise<TrackBatch> {
    for (;;) {
      const batch = await this.batch(id, { signal });
      if (batch.state === "completed") return batch;
      await pause(pollMs, signal);
    }
  }

  /** Reads the entries of a batch, in the order of the request. */
  batchEntries(
    id: string,
    filter: Filter<"getTrackBatch"> = {},
  ): AsyncGenerator<TrackBatchEntry, void, void> {
    return itemsOf(async cursor => {
      const params = { path: { batch_id: id }, query: { ...filter, cursor, limit: partSize } };
      const { data, ...answer } = await this.#raw.GET("/track-batches/{batch_id}", { params });
      return {
        ...answer,
        ...(data && { data: { data: data.data.entries, next_cursor: data.data.next_cursor } }),
      };
    });
  }

  /** Reads the sources of the key with their health, the latest first. */
  list(filter: SourceFilter = {}): AsyncGenerator<ListedSource, void, void> {
    return itemsOf(cursor =>
      this.#raw.GET("/track", { params: { query: { ...filter, cursor, limit: partSize } } }),
    );
  }

  /** Gets a source: its options, health, latest check and values. */
  async get(id: string, { signal }: RequestOptions = {}): Promise<SourceDetail> {
    return dataOf(await this.#raw.GET("/sources/{id}", { params: { path: { id } }, signal })).data;
  }

  /** Finds accounts and channels of a platform by words. */
  async *find(kind: FindKind, query: string): AsyncGenerator<FoundSource, void, void> {
    for (let page = 1; ; page += 1) {
      const params = { path: { source: kind }, query: { query, page, limit: partSize } };
      const { data, total } = dataOf(await this.#raw.GET("/track/{source}/find", { params }));
      yield* data;
      if (data.length === 0 || page * partSize >= total) return;
    }
  }

  /** Waits until the owner of a private channel has decided. Throws a JobFailedError when it will not be tracked. */
  async joined(
    kind: SourceKind,
    jobId: string,
    { signal, pollMs = 5000 }: RequestOptions & { pollMs?: number | undefined } = {},
  ): Promise<NonNullable<TrackJob["returnvalue"]>> {
    for (;;) {
      const { state, returnvalue, failedReason: message = "" } = await this.join(kind, jobId, { signal });
      if (state === "completed" && returnvalue) return returnvalue;
      if (state === "failed") throw new JobFailedError(jobId, { code: "forbidden", message });
      await pause(pollMs, signal);
    }
  }

  /** Gets a request to join a private channel. */
  async join(kind: SourceKind, jobId: string, { signal }: RequestOptions = {}): Promise<TrackJob> {
    const params = { path: { source: kind }, query: { id: jobId } };
    return dataOf(await this.#raw.GET("/track/{source}/status", { params, signal }));
  }

  /** Exports the sources of the key as an OPML document. */
  async exportOpml({ signal }: RequestOptions = {}): Promise<string> {
    return dataOf(await this.#raw.GET("/track/opml", { signal, parseAs: "text" }));
  }

  /**
   * Tracks what an OPML document names. `sync` makes the list equal to it; `dryRun` only says what would happen. Bytes are
   * in the encoding that the document states.
   */
  async importOpml(
    opml: string | Uint8Array,
    { sync, dryRun, signal }: ImportOptions = {},
  ): Promise<OpmlImport & { message: string }> {
    const query = { mode: sync ? ("sync" as const) : ("add" as const), dry_run: dryRun ?? false };
    const { data, message } = dataOf(
      await this.#raw.POST("/track/opml", {
        params: { query },
        // The document types a body as text; bytes are sent as they are.
        body: opml as string,
        bodySerializer: body => body,
        headers: { "content-type": "text/x-opml" },
        signal,
      }),
    );
    return { ...data, message };
  }
}

function named(name: SourceName): { iid: string } | { eid: string } {
  return "id" in name ? { iid: name.id } : { eid: name.externalId };
}
