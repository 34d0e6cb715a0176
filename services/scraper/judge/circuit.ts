/** Failures in a row at one site, and sites in a row that fail, after which the model is left alone. */
const mostOfSite = 3;
const mostSites = 3;
const pauseMs = 60_000;
/** Sites that are remembered. */
const mostKnown = 1000;

interface Row {
  failures: number;
  /** The site is not asked about until then. */
  until: number;
}

/**
 * Decides whether a model is worth asking. After several failures in a row of one site it is not asked about that site for a
 * minute; where it could not be reached for several sites without a success between, not at all. What pages provoke, such as
 * answers that take too long, therefore keeps no other site from being judged.
 */
export class Circuit {
  readonly #now: () => number;
  readonly #rows = new Map<string, Row>();
  readonly #failing = new Set<string>();
  #until = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  isOpen(site: string): boolean {
    const now = this.#now();
    return now < this.#until || now < (this.#rows.get(site)?.until ?? 0);
  }

  succeeded(site: string): void {
    this.#rows.delete(site);
    this.#failing.clear();
  }

  failed(site: string, { isForAll }: { isForAll: boolean }): void {
    const until = this.#now() + pauseMs;
    const failures = (this.#rows.get(site)?.failures ?? 0) + 1;
    this.#remember(site, { failures, until: failures < mostOfSite ? 0 : until });
    if (isForAll) this.#failing.add(site);
    if (this.#failing.size >= mostSites) this.#until = until;
  }

  #remember(site: string, row: Row): void {
    this.#rows.delete(site);
    this.#rows.set(site, row);
    const [oldest] = this.#rows.keys();
    if (this.#rows.size <= mostKnown || oldest === undefined) return;
    this.#rows.delete(oldest);
    this.#failing.delete(oldest);
  }
}
