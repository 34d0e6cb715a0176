import type { SearchQuery } from "../../services/domain/history/search-query.ts";

/** What a search finds: a version, or an event of a source without versions, by the words that were new in it. */
export interface IndexedText {
  /** The version's id, or the body of the event (`bodyId` in the log). */
  id: string;
  kind: "version" | "event";
  sourceId: string;
  /** Milliseconds since the epoch: of a version its own, of an event its `timestamp`. */
  at: number;
  title: string;
  /** The words as they were written. */
  text: string;
  /** The address of what it is about, where that is not the source's. */
  url?: string;
}

/** A source that is searched, from a time (ms) on. */
export interface SearchScope {
  sourceId: string;
  from: number;
}

/** The place of a text in the order of a search, which is newest first. */
export type SearchPosition = Pick<IndexedText, "at" | "id">;

/** An index of words. Both drivers pass test/suites/word-index.suite.ts. */
export interface WordIndex {
  /** Indexes texts; one that is there already is replaced. */
  put(texts: IndexedText[]): Promise<void>;
  /** Indexes texts that are not there: an event that is read again keeps its time. */
  putNew(texts: IndexedText[]): Promise<void>;
  /** Finds what meets a query in these sources, newest first, after a position. */
  find(
    query: SearchQuery,
    scopes: readonly SearchScope[],
    page: { after?: SearchPosition; limit: number },
  ): Promise<IndexedText[]>;
  /** Removes these texts of a source. */
  remove(sourceId: string, ids: readonly string[]): Promise<void>;
  /** Removes texts of a source, at most `limit`; answers how many there were. */
  removeSome(sourceId: string, limit: number): Promise<number>;
  /** Gives a source the texts of the versions of another one that have these ids. */
  copy(from: string, to: string, ids: readonly string[]): Promise<void>;
  /** Removes the events before a time (ms), at most `limit`; answers how many there were. */
  removeEvents(before: number, limit: number): Promise<number>;
}

/** Bytes of a text that are indexed, about. */
export const maxIndexed = 16 * 1024;

/** What a search finds of a version. */
export function indexedOf(version: Omit<IndexedText, "kind" | "text"> & { words: string }): IndexedText {
  const { id, sourceId, at, title, words, url } = version;
  return { id, kind: "version", sourceId, at, title, text: words, ...(url !== undefined && { url }) };
}
