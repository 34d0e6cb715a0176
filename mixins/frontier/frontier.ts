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
  /** Keys under which the page must not be fetched again: one that waits is skipped as `duplicate`. */
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
 * under a lower fence than the highest, or for a crawl that is not open, rejects with the code `conflict`.
 */
export interface Frontier {
  /**
   * Takes a crawl over; what an earlier driver had begun to fetch waits again, before all else, and the new bounds hold.
   * Nothing happens when the fence is the one that it has.
   */
  open(crawlId: string, fence: number, bounds: Bounds): Promise<Counts>;
  /**
   * Lets pages wait that the crawl does not know; tells how many those were. A page that waits already moves forward
   * when it is offered nearer to the entry.
   */
  offer(crawlId: string, fence: number, candidates: Candidate[]): Promise<number>;
  /**
   * At most `count` pages that wait and are due, by depth and then by age; never so many that those which completed,
   * failed or are being fetched would be more than the limit.
   */
  take(crawlId: string, fence: number, count: number, now: number): Promise<Claim[]>;
  /** Lets a page wait until a time (Unix milliseconds); nothing happens when it is not being fetched. */
  postpone(crawlId: string, fence: number, key: string, until: number): Promise<void>;
  /**
   * Ends a page and offers what it links to, in one step. A page ends once: nothing happens, with its links neither,
   * when it is not being fetched.
   */
  settle(crawlId: string, fence: number, key: string, outcome: Outcome, links: Candidate[]): Promise<Counts>;
  /** When the next waiting page is due (Unix milliseconds), 0 for at once; null when none waits. */
  nextDue(crawlId: string): Promise<number | null>;
  /**
   * Skips, with this reason, all that waits or is being fetched; nothing can be offered or taken afterwards. Takes its
   * time in small steps: what one that broke off left waiting, the next one skips with the reason of the first.
   */
  finish(crawlId: string, fence: number, reason: string): Promise<Counts>;
  /** All zero for a crawl that is not known. */
  counts(crawlId: string): Promise<Counts>;
  /** Pages that ended, in the order in which they did, after a place in the sequence. */
  settled(
    crawlId: string,
    options: { after: number; limit: number; states?: Outcome["state"][] },
  ): Promise<Settled[]>;
  /** Forgets a crawl, in small steps; whoever drives it learns that with its next step. */
  drop(crawlId: string): Promise<void>;
}
