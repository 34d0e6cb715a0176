import type { Client } from "openapi-fetch";
import { dataOf } from "./errors.ts";
import type { RequestOptions } from "./requests.ts";
import type { paths } from "./schema.ts";
import type { EventFeed, FeedRequest } from "./types.ts";

/** Feeds of the key's events, for feed readers: `magpie.feeds`. */
export class Feeds {
  readonly #raw: Client<paths>;

  constructor(raw: Client<paths>) {
    this.#raw = raw;
  }

  /** Makes a feed. Anyone who has its address can read it. */
  async create(request: FeedRequest = {}, { signal }: RequestOptions = {}): Promise<EventFeed> {
    return dataOf(await this.#raw.POST("/feeds", { body: request, signal })).data;
  }

  /** Lists the feeds of the key. */
  async list({ signal }: RequestOptions = {}): Promise<EventFeed[]> {
    return dataOf(await this.#raw.GET("/feeds", { signal })).data;
  }

  /** Deletes a feed; its address answers 404 from then on. */
  async delete(id: string): Promise<void> {
    dataOf(await this.#raw.DELETE("/feeds/{feed}", { params: { path: { feed: id } } }));
  }
}
