import type { Manners } from "../../mixins/manners/manners.ts";
import { FairGate } from "./fair-gate.ts";

/** Whose visit it is, where it goes, and how long the next one to the same host has to wait after it. */
export interface Errand {
  crawlId: string;
  url: string;
  spacingMs: number;
}

/** Hosts that are remembered before those with nothing to remember are forgotten. */
const manyHosts = 1000;

/**
 * How crawls behave to the hosts that they visit: at most `width` visits to one at a time, spaced as its robots.txt asks,
 * none while it asks to be left alone. Crawls of this process that wait for the same host take turns.
 */
export class HostManners {
  readonly #gates = new Map<string, FairGate>();
  readonly #width: number;
  readonly #manners: Manners;

  constructor(width: number, manners: Manners) {
    this.#width = width;
    this.#manners = manners;
  }

  /** Rejects with the signal's reason when that fires before the visit begins. */
  async visit<T>(
    { crawlId, url, spacingMs }: Errand,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    const { host } = new URL(url);
    return await this.#gateOf(host).run(crawlId, signal, async () => {
      const leave = await this.#manners.enter(host, { width: this.#width, spacingMs }, signal);
      try {
        return await work();
      } finally {
        leave();
      }
    });
  }

  /** Leaves a URL's host alone for a time. */
  async leaveAlone(url: string, ms: number): Promise<void> {
    await this.#manners.leaveAlone(new URL(url).host, ms);
  }

  #gateOf(host: string): FairGate {
    const known = this.#gates.get(host);
    if (known) return known;
    if (this.#gates.size >= manyHosts)
      for (const [name, { isIdle }] of this.#gates) if (isIdle) this.#gates.delete(name);
    const fresh = new FairGate(this.#width);
    this.#gates.set(host, fresh);
    return fresh;
  }
}
