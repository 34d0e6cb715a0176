import { Worker } from "node:worker_threads";

export interface InnocentData {
  address: string;
  key: string;
  /** The page that it scrapes. */
  page: string;
}

/** An answer that the innocent key got. */
export interface Sample {
  kind: "live" | "scrape";
  isRight: boolean;
  ms: number;
}

/** Another key that works all the time; see innocent.worker.ts. */
export class Innocent {
  readonly #worker: Worker;
  #samples: Sample[] = [];

  constructor(data: InnocentData) {
    this.#worker = new Worker(new URL("./innocent.worker.ts", import.meta.url), { workerData: data });
    this.#worker.on("message", (sample: Sample) => this.#samples.push(sample));
  }

  /** The answers since the last call. */
  take(): Sample[] {
    const samples = this.#samples;
    this.#samples = [];
    return samples;
  }

  /** How many answers of a kind wait to be taken. */
  count(kind: Sample["kind"]): number {
    return this.#samples.filter(sample => sample.kind === kind).length;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
