import { setTimeout as delay } from "node:timers/promises";
import type { Client, End } from "./client.ts";

/** A scrape of a neighbour. */
export interface NeighbourScrape extends End {
  kind: string;
  /** The hostile page that was open; undefined when none was. */
  beside: string | undefined;
}

/** Another key, and the page that it scrapes. */
export interface Neighbour {
  kind: "plain" | "rendered";
  client: Client;
  url: string;
}

const pauseMs = 250;
/** A busy machine may take its time; what is slow is told, and no fault. */
const patientMs = 90_000;

/** Other keys, each of which scrapes one ordinary page after the other. */
export class Neighbours {
  readonly scrapes: NeighbourScrape[] = [];
  beside: string | undefined;
  readonly #stop = new AbortController();
  readonly #work: Promise<void>[];

  constructor(neighbours: Neighbour[]) {
    this.#work = neighbours.map(each => this.#scrape(each));
  }

  count(kind: string): number {
    return this.scrapes.filter(scrape => scrape.kind === kind).length;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#work);
  }

  async #scrape({ kind, client, url }: Neighbour): Promise<void> {
    for (let n = 0; !this.#stop.signal.aborted; n += 1) {
      const { beside } = this;
      const end = await client.scrape({ url: `${url}?${n}`, timeout: patientMs });
      this.scrapes.push({ ...end, kind, beside: beside ?? this.beside });
      await delay(pauseMs);
    }
  }
}

/** The value below which that share of the values lies; 0 of none. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
