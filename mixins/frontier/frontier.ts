/** A page that a crawl might fetch. */
export interface Candidate {
  /** Canonical form of the URL: two URLs with one key are one page. */
  key: string;
  url: string;
  /** Links from the entry page to here. */
  depth: number;
  /** Redirects that led here from the page that was linked. */
  hops: number;
  /** The page that links to it; null for the entry page and for pages of a sitemap. */
  from: string | null;
  /** Outside the crawl's own site: fetched, but its links are not followed. */
  external: boolean;
}

/** A page that is being fetched. */
export interface Claim extends Candidate {
  /** Earlier tries of it that were postponed. */
  tries: number;
}

/** What became of a page. `reason` is a code for `failed` and `skipped`. */
export interface Outcome {
  state: "completed" | "failed" | "skipped";
  reason?: string;
  /** Keys under which the page must not be fetched again: a waiting one is skipped as `duplicate`. */
  aliases?: string[];
}

/** A settled page at its place in the crawl's append-only sequence. */
export interface Settled {
  /** From 1. */
  seq: number;
  key: string;
  url: string;
  state: Outcome["state"];
  reason: string | null;
}

/** The pages of a crawl by state; `discovered` is the sum of the others. */
export interface Counts {
  discovered: number;
  queued: number;
  running: number;
  completed: number;
  failed: number;
  skipped: number;
}

export interface Bounds {
  /** Pages that may end as `completed` or `failed`. */
  limit: number;
  /** Pages that may be discovered; the frontier ignores offers beyond that. */
  maxDiscovered: number;
}

/**
 * The pages of every crawl: which are known, which wait, which are being fetched, and how they ended. Each step is
 * atomic and on disk when it resolves. One driver works a crawl at a time and opens it with a fence. A step under a lower
 * fence than the highest, or for a crawl that is not open, rejects with the code `conflict`.
 */
export interface Frontier {
  /**
   * Takes a crawl over: pages that an earlier driver had begun to fetch wait again, before all others, and the new bounds
   * hold. Does nothing when the crawl already has this fence.
   */
  open(crawlId: string, fence: number, bounds: Bounds): Promise<Counts>;
  /**
   * Adds pages that the crawl does not know; returns how many those were. A waiting page moves forward when it is offered
   * again with a lower depth.
   */
  offer(crawlId: string, fence: number, candidates: Candidate[]): Promise<number>;
  /**
   * At most `count` waiting pages that are due, by depth and then by age. Completed, failed and running pages together
   * never exceed the limit.
   */
  take(crawlId: string, fence: number, count: number, now: number): Promise<Claim[]>;
  /**
   * Delays a page until a time (Unix milliseconds); does nothing when the page is not being fetched. `isTry`: whether this
   * counts as a try of the page, as it does by default.
   */
  postpone(crawlId: string, fence: number, key: string, until: number, isTry?: boolean): Promise<void>;
  /**
   * Ends a page and offers its links, in one step. A page ends once: for a page that is not being fetched nothing
   * happens, and its links are ignored.
   */
  settle(crawlId: string, fence: number, key: string, outcome: Outcome, links: Candidate[]): Promise<Counts>;
  /** When the next waiting page is due (Unix milliseconds), 0 for at once; null when none waits. */
  nextDue(crawlId: string): Promise<number | null>;
  /**
   * Skips, with this reason, all pages that wait or are being fetched; afterwards nothing can be offered or taken. Works
   * in small steps. When a call breaks off, the next one skips the rest with the reason of the first.
   */
  finish(crawlId: string, fence: number, reason: string): Promise<Counts>;
  /** All zero for an unknown crawl. */
  counts(crawlId: string): Promise<Counts>;
  /** Ended pages, in the order in which they ended, after a position in the sequence. */
  settled(
    crawlId: string,
    options: { after: number; limit: number; states?: Outcome["state"][] },
  ): Promise<Settled[]>;
  /** Deletes a crawl, in small steps; the next step of its driver rejects. */
  drop(crawlId: string): Promise<void>;
}
