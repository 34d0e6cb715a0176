import type { Candidate } from "../../../mixins/frontier/frontier.ts";

/** Where a link leads that a crawl may take. */
export type Place = Pick<Candidate, "key" | "url" | "external">;

/** What each URL leads to, in their order; null for what the crawl does not take. */
type Judge = (urls: string[], signal: AbortSignal) => Promise<(Place | null)[]>;

/** URLs of a crawl whose places are kept, and pages that are known to be in its frontier; with more all are forgotten. */
const manyUrls = 20_000;

/** Most links of a site are on many of its pages: each is judged once. */
export class JudgedLinks {
  readonly #judge: Judge;
  #places = new Map<string, Place | null>();

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  /** What each URL leads to, in their order. */
  async of(urls: readonly string[], signal: AbortSignal): Promise<(Place | null)[]> {
    if (this.#places.size >= manyUrls) this.#places = new Map();
    const places = this.#places;
    const known = urls.map(url => places.get(url));
    const fresh = urls.filter((_, at) => known[at] === undefined);
    if (fresh.length === 0) return known as (Place | null)[];
    const judged = await this.#judge(fresh, signal);
    for (const [at, url] of fresh.entries()) places.set(url, judged[at] ?? null);
    return urls.map((url, at) => known[at] ?? places.get(url) ?? null);
  }
}

/**
 * The pages that this run of a crawl has added to the frontier, with their depths. To offer them again from the same depth
 * or a greater one changes nothing.
 */
export class OfferedPages {
  #depths = new Map<string, number>();

  /** Whether the frontier has it, from this depth or a smaller one. */
  has(key: string, depth: number): boolean {
    return depth >= (this.#depths.get(key) ?? Number.POSITIVE_INFINITY);
  }

  /** Those that the frontier may not know, or that it knows from a greater depth. */
  unknown(candidates: Candidate[]): Candidate[] {
    return candidates.filter(({ key, depth }) => !this.has(key, depth));
  }

  /** Called when the frontier has them, and not before: an offer that fails is lost. */
  keep(candidates: Candidate[]): void {
    if (this.#depths.size >= manyUrls) this.#depths = new Map();
    for (const { key, depth } of candidates)
      this.#depths.set(key, Math.min(depth, this.#depths.get(key) ?? depth));
  }
}
