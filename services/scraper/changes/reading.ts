import type { Version } from "../../../mixins/history/history.ts";

/** A reading of a page before another one. */
export interface Former {
  /** Milliseconds since the epoch. */
  at: number;
  hash: string;
  /** The page was not there; `hash` is that of the last time when it was. */
  isGone?: boolean;
}

/** The last reading of a page, which the newest version of its address carries. */
export interface Reading {
  /** The scrape or crawl that read it. */
  by: string;
  /** Milliseconds since the epoch. */
  at: number;
  url: string;
  /** The entry page of the crawl that read it last. */
  entry?: string | undefined;
  isGone?: boolean;
  /** The reading that it was compared with. */
  before?: Former;
}

/** A version says of itself by whom and when its content was read last. */
export function readingOf({ reason }: Pick<Version, "reason">): Reading {
  return JSON.parse(reason) as Reading;
}

export function reasonOf(reading: Reading): string {
  return JSON.stringify(reading);
}
