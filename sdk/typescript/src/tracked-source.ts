import type { Client } from "openapi-fetch";
import { type Answer, dataOf } from "./errors.ts";
import { itemsOf } from "./lists.ts";
import { type Filter, partSize, type Query } from "./requests.ts";
import type { paths } from "./schema.ts";
import type {
  Check,
  Rehearsal,
  RehearseRequest,
  SiteBranch,
  SourceDetail,
  SourceVersion,
  ValuePoint,
  VersionContent,
  VersionDiff,
  WatchedPage,
} from "./types.ts";

export type CheckFilter = Filter<"listChecks">;
export type VersionFilter = Filter<"listVersions">;
export type SeriesFilter = Pick<Query<"listValues">, "field" | "from" | "to" | "every" | "limit">;
export type SitePageFilter = Filter<"listSitePages">;
export type SiteTreeFilter = Query<"readSiteTree">;

/** Two versions of a source. By default the latest one, and the one before it. */
export interface VersionPair {
  from?: string | undefined;
  to?: string | undefined;
}

/** A source that the key tracks: how its checks went, and what it said. */
export class TrackedSource {
  readonly id: string;
  readonly #raw: Client<paths>;

  constructor(raw: Client<paths>, id: string) {
    this.#raw = raw;
    this.id = id;
  }

  /** Gets its options, health, latest check and values, and the lines that are muted. */
  async details(): Promise<SourceDetail> {
    return dataOf(await this.#raw.GET("/sources/{id}", { params: { path: this.#path } })).data;
  }

  /** Reads its checks, the latest first. Checks in a row with the same outcome and reason are one entry. */
  checks(filter: CheckFilter = {}): AsyncGenerator<Check, void, void> {
    return itemsOf(cursor => {
      const query = { ...filter, cursor, limit: partSize };
      return this.#raw.GET("/sources/{id}/checks", { params: { path: this.#path, query } });
    });
  }

  /** Reads what it said, the latest first: each state that differed from the one before. */
  versions(filter: VersionFilter = {}): AsyncGenerator<SourceVersion, void, void> {
    return itemsOf(cursor => {
      const query = { ...filter, cursor, limit: partSize };
      return this.#raw.GET("/sources/{id}/versions", { params: { path: this.#path, query } });
    });
  }

  /** Finds what it said at a time: ISO 8601, or a date. Null when the past of the key begins later. */
  async versionAt(
    at: string | Date,
    filter: Pick<VersionFilter, "item"> = {},
  ): Promise<SourceVersion | null> {
    const when = typeof at === "string" ? at : at.toISOString();
    for await (const version of this.versions({ ...filter, at: when })) return version;
    return null;
  }

  /** Reads a version: its facts, its text and its Markdown. */
  async version(version: string): Promise<VersionContent> {
    const params = { path: { ...this.#path, version } };
    return inJson(await this.#raw.GET("/sources/{id}/versions/{version}", { params }));
  }

  /** Reads a version as HTML, without scripts and advertisements. */
  async versionHtml(version: string): Promise<string> {
    const params = { path: { ...this.#path, version }, query: { as: "html" as const } };
    const asked = this.#raw.GET("/sources/{id}/versions/{version}", { params, parseAs: "text" });
    return dataOf(await asked) as unknown as string;
  }

  /** Gets the PNG of a version, where the watch takes pictures. */
  async versionPicture(version: string): Promise<Blob> {
    const params = { path: { ...this.#path, version }, query: { as: "picture" as const } };
    const asked = this.#raw.GET("/sources/{id}/versions/{version}", { params, parseAs: "blob" });
    return dataOf(await asked) as unknown as Blob;
  }

  /** Compares two versions line by line, and changed lines by words. */
  async diff(pair: VersionPair = {}): Promise<VersionDiff> {
    const params = { path: this.#path, query: pair };
    return inJson(await this.#raw.GET("/sources/{id}/diff", { params }));
  }

  /** Compares two versions as a unified diff. */
  async unifiedDiff(pair: VersionPair = {}): Promise<string> {
    const params = { path: this.#path, query: { ...pair, as: "unified" as const } };
    const asked = this.#raw.GET("/sources/{id}/diff", { params, parseAs: "text" });
    return dataOf(await asked) as unknown as string;
  }

  /** Gets its number (`value`) and its fields over time, the oldest first. */
  async values(filter: SeriesFilter = {}): Promise<ValuePoint[]> {
    const params = { path: this.#path, query: filter };
    return inJson(await this.#raw.GET("/sources/{id}/values", { params }));
  }

  /** Reads the pages of a site, in the order of their addresses. */
  pages(filter: SitePageFilter = {}): AsyncGenerator<WatchedPage, void, void> {
    return itemsOf(cursor => {
      const query = { ...filter, cursor, limit: partSize };
      return this.#raw.GET("/sources/{id}/pages", { params: { path: this.#path, query } });
    });
  }

  /** Gets one level of the addresses of a site: how many pages lie below each part, and when one of them changed last. */
  async tree(filter: SiteTreeFilter = {}): Promise<SiteBranch[]> {
    const params = { path: this.#path, query: filter };
    return dataOf(await this.#raw.GET("/sources/{id}/tree", { params })).data;
  }

  /** Tries options on its past: which checks would have made an event. Changes nothing. */
  async rehearse(wanted: RehearseRequest = {}): Promise<Rehearsal> {
    const params = { path: this.#path };
    return dataOf(await this.#raw.POST("/sources/{id}/rehearse", { params, body: wanted })).data;
  }

  /** Erases its past for the key, for good, but for the latest version. */
  async eraseVersions(): Promise<void> {
    dataOf(await this.#raw.DELETE("/sources/{id}/versions", { params: { path: this.#path } }));
  }

  get #path(): { id: string } {
    return { id: this.id };
  }
}

/** The data of an operation that answers in other forms, too, where it was asked for JSON. */
function inJson<Data>(answer: Answer<string | { data: Data }>): Data {
  return (dataOf(answer) as { data: Data }).data;
}
