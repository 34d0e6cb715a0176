import type { Client } from "openapi-fetch";
import { dataOf } from "./errors.ts";
import { itemsOf } from "./lists.ts";
import { pause } from "./pause.ts";
import { type Filter, partSize, type RequestOptions } from "./requests.ts";
import type { paths } from "./schema.ts";
import type { Monitor, MonitorChanges, MonitorCheck, MonitorPage, MonitorRequest } from "./types.ts";

export type MonitorCheckFilter = Filter<"listMonitorChecks">;
export type MonitorPageFilter = Filter<"getMonitorCheck">;

/** The monitors of the key: `magpie.monitors`. What one of them does is below `magpie.monitor(id)`. */
export class Monitors {
  readonly #raw: Client<paths>;

  constructor(raw: Client<paths>) {
    this.#raw = raw;
  }

  /** Makes a monitor: pages, sites and searches that are checked together, by a schedule. */
  async create(request: MonitorRequest, { signal }: RequestOptions = {}): Promise<Monitor> {
    return dataOf(await this.#raw.POST("/monitors", { body: request, signal })).data;
  }

  /** Reads the monitors of the key, the latest first. */
  list(): AsyncGenerator<Monitor, void, void> {
    return itemsOf(cursor => this.#raw.GET("/monitors", { params: { query: { cursor, limit: partSize } } }));
  }

  /** Gets the targets of a monitor, its schedule, and its latest check. */
  async get(id: string, { signal }: RequestOptions = {}): Promise<Monitor> {
    return dataOf(await this.#raw.GET("/monitors/{id}", { params: { path: { id } }, signal })).data;
  }
}

/** A monitor of the key, by its id: what it checks, and what its checks found. */
export class NamedMonitor {
  readonly id: string;
  readonly #raw: Client<paths>;

  constructor(raw: Client<paths>, id: string) {
    this.#raw = raw;
    this.id = id;
  }

  /** Gets its targets, its schedule, and its latest check. */
  async details(): Promise<Monitor> {
    return dataOf(await this.#raw.GET("/monitors/{id}", { params: this.#params })).data;
  }

  /** Changes it: what is not named stays. */
  async change(changes: MonitorChanges): Promise<Monitor> {
    return dataOf(await this.#raw.PATCH("/monitors/{id}", { params: this.#params, body: changes })).data;
  }

  /** Begins a check. A MagpieError `conflict` says that one is under way. */
  async run(): Promise<MonitorCheck> {
    return dataOf(await this.#raw.POST("/monitors/{id}/run", { params: this.#params })).data;
  }

  /** Reads its checks, the latest first. */
  checks(filter: MonitorCheckFilter = {}): AsyncGenerator<MonitorCheck, void, void> {
    return itemsOf(cursor => {
      const query = { ...filter, cursor, limit: partSize };
      return this.#raw.GET("/monitors/{id}/checks", { params: { ...this.#params, query } });
    });
  }

  /** Gets a check: its state and its counts. */
  async check(check: string): Promise<MonitorCheck> {
    const params = { path: { id: this.id, check }, query: { limit: 1 } };
    const { data } = dataOf(await this.#raw.GET("/monitors/{id}/checks/{check}", { params }));
    const { pages: _, next_cursor: __, ...found } = data;
    return found;
  }

  /** Waits until a check has ended, and asks for it every `pollMs`, by default 1,000. */
  async finishedCheck(
    check: string,
    { signal, pollMs = 1000 }: RequestOptions & { pollMs?: number | undefined } = {},
  ): Promise<MonitorCheck> {
    for (;;) {
      const found = await this.check(check);
      if (found.status !== "running") return found;
      await pause(pollMs, signal);
    }
  }

  /** Reads the pages of a check, each with what became of it. */
  pages(check: string, filter: MonitorPageFilter = {}): AsyncGenerator<MonitorPage, void, void> {
    return itemsOf(async cursor => {
      const params = { path: { id: this.id, check }, query: { ...filter, cursor, limit: partSize } };
      const { data, ...answer } = await this.#raw.GET("/monitors/{id}/checks/{check}", { params });
      return {
        ...answer,
        ...(data && { data: { data: data.data.pages, next_cursor: data.data.next_cursor } }),
      };
    });
  }

  /** Deletes it, with its checks and its sources. */
  async delete(): Promise<void> {
    dataOf(await this.#raw.DELETE("/monitors/{id}", { params: this.#params }));
  }

  get #params(): { path: { id: string } } {
    return { path: { id: this.id } };
  }
}
