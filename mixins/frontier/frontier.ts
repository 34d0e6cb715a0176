/** A page that a crawl might fetch. */
export interface Candidate {
  /** Canonical form of the URL: two URLs with one key are one page. */
  key: string;
  url: string;
  /** Links from the entry page to here. */
  depth: number;
  /** Redirects that led here from the page that was linked. */
  hops: number;
  /** The page that named it; null for the entry and for what a sitemap names. */
  from: string | null;
  /** Off the crawl's own site: fetched, but not followed. */
  external: boolean;
}

/** A page that is being fetched. */
export interface Claim extends Candidate {
  /** Earlier fetches of it that were postponed. */
  tries: number;
}

/** What became of a page. `reason` is a code for `failed` and `skipped`. */
export interface Outcome {
  state: "completed" | "failed" | "skipped";
  reason?: string;
  /** Keys under which the page must not be fetched again. */
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

/** How a crawl stands: `discovered` is the sum of the others. */
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
  /** Pages that may be discovered; what is offered beyond that is forgotten. */
  maxDiscovered: number;
}

/**
 * The pages of every crawl: which are known, which wait, which are being fetched, what became of them. Each step is
 * atomic and on disk when it resolves. One driver works a crawl at a time: it opens it with a fence, and every step
 * under a lower fence than the highest rejects with the code `conflict`.
 */
export interface Frontier {
  /** Takes a crawl over; what an earlier driver had begun to fetch waits again, before all else. Idempotent. */
  open(crawlId: string, fence: number, bounds: Bounds): Promise<Counts>;
  /** Lets pages wait that the crawl does not know; tells how many those were. */
  offer(crawlId: string, fence: number, candidates: Candidate[]): Promise<number>;
  /**
   * At most `count` pages that wait and are due, by depth and then by age; never so many that those which completed,
   * failed or are being fetched would be more than the limit.
   */
  take(crawlId: string, fence: number, count: number, now: number): Promise<Claim[]>;
  /** Lets a page that was being fetched wait until a time (Unix milliseconds). */
  postpone(crawlId: string, fence: number, key: string, until: number): Promise<void>;
  /** Ends a page that was being fetched, and offers what it links to, in one step. A page ends once. */
  settle(crawlId: string, fence: number, key: string, outcome: Outcome, links: Candidate[]): Promise<Counts>;
  /** When the next waiting page is due (Unix milliseconds); null when none waits. */
  nextDue(crawlId: string): Promise<number | null>;
  /** Skips, with this reason, all that waits or is being fetched; nothing can be offered or taken afterwards. Idempotent. */
  finish(crawlId: string, fence: number, reason: string): Promise<Counts>;
  counts(crawlId: string): Promise<Counts>;
  /** Pages that ended, in the order in which they did, after a place in the sequence. */
  settled(
    crawlId: string,
    options: { after: number; limit: number; states?: Outcome["state"][] },
  ): Promise<Settled[]>;
  /** Forgets a crawl. */
  drop(crawlId: string): Promise<void>;
}
