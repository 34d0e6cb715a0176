import type { Client } from "openapi-fetch";
import { dataOf } from "./errors.ts";
import { itemsOf } from "./lists.ts";
import { type Filter, partSize, type RequestOptions } from "./requests.ts";
import type { paths } from "./schema.ts";
import type {
  ApiKey,
  ApiKeyDetails,
  KeyChanges,
  KeyRequest,
  Me,
  OwnKeyChanges,
  OwnKeyRequest,
  Usage,
} from "./types.ts";

export interface UsageOptions extends RequestOptions {
  /** The number of days, up to today. */
  days?: number | undefined;
}

/** The API keys of the installation, for its administrator: `magpie.keys`, with an `adminKey`. */
export class Keys {
  readonly #raw: Client<paths>;

  constructor(raw: Client<paths>) {
    this.#raw = raw;
  }

  /** Generates a key. The answer holds its value, once. */
  async create(request: KeyRequest, { signal }: RequestOptions = {}): Promise<ApiKeyDetails> {
    return dataOf(await this.#raw.POST("/internal/keys", { body: request, signal })).data;
  }

  /** Reads the keys, the newest first, without their values. */
  list(filter: Filter<"listAllApiKeys"> = {}): AsyncGenerator<ApiKeyDetails, void, void> {
    return itemsOf(cursor =>
      this.#raw.GET("/internal/keys", { params: { query: { ...filter, cursor, limit: partSize } } }),
    );
  }

  /** Changes the name, the scopes, the end, the limits or the quotas of a key: what is not named stays. */
  async update(id: string, changes: KeyChanges): Promise<ApiKeyDetails> {
    return dataOf(await this.#raw.PATCH("/internal/keys/{id}", { params: { path: { id } }, body: changes }))
      .data;
  }

  /** Deletes a key. Its events and sources go with it. */
  async delete(id: string): Promise<void> {
    dataOf(await this.#raw.DELETE("/internal/keys/{id}", { params: { path: { id } } }));
  }

  /** Gets what a key used by day, and what is left of its quotas. */
  async usage(id: string, { days, signal }: UsageOptions = {}): Promise<Usage> {
    const params = { path: { id }, query: { days } };
    return dataOf(await this.#raw.GET("/internal/keys/{id}/usage", { params, signal }));
  }
}

/** The keys of an owner who has signed in: `magpie.ownKeys`, with the session's cookie as a header. */
export class OwnKeys {
  readonly #raw: Client<paths>;

  constructor(raw: Client<paths>) {
    this.#raw = raw;
  }

  /** Generates a key. The answer holds its value, once. */
  async create(request: OwnKeyRequest): Promise<ApiKeyDetails> {
    return dataOf(await this.#raw.POST("/owner/keys", { body: request })).data;
  }

  /** Reads the owner's keys, the newest first, without their values. */
  list(): AsyncGenerator<ApiKeyDetails, void, void> {
    return itemsOf(cursor =>
      this.#raw.GET("/owner/keys", { params: { query: { cursor, limit: partSize } } }),
    );
  }

  /** Changes the name, the scopes or the end of a key: what is not named stays. */
  async update(id: string, changes: OwnKeyChanges): Promise<ApiKeyDetails> {
    return dataOf(await this.#raw.PATCH("/owner/keys/{id}", { params: { path: { id } }, body: changes }))
      .data;
  }

  /** Deletes a key. Its events and sources go with it. */
  async delete(id: string): Promise<void> {
    dataOf(await this.#raw.DELETE("/owner/keys/{id}", { params: { path: { id } } }));
  }

  /** Gets what a key used by day, and what is left of its quotas. */
  async usage(id: string, { days, signal }: UsageOptions = {}): Promise<Usage> {
    const params = { path: { id }, query: { days } };
    return dataOf(await this.#raw.GET("/owner/keys/{id}/usage", { params, signal }));
  }
}

/** What an API key says of itself: `magpie.account`. */
export class Account {
  readonly #raw: Client<paths>;

  constructor(raw: Client<paths>) {
    this.#raw = raw;
  }

  /** Gets the key that is used: its owner, its limits and quotas. */
  async get({ signal }: RequestOptions = {}): Promise<Me> {
    return dataOf(await this.#raw.GET("/users/me", { signal })).data;
  }

  /** Gets what the key used by day, and what is left of its quotas. */
  async usage({ days, signal }: UsageOptions = {}): Promise<Usage> {
    return dataOf(await this.#raw.GET("/users/me/usage", { params: { query: { days } }, signal }));
  }

  /** Lists the keys of the same owner. */
  async keys({ signal }: RequestOptions = {}): Promise<ApiKey[]> {
    return dataOf(await this.#raw.GET("/users/me/api-keys", { signal })).data.apiKeys;
  }
}
