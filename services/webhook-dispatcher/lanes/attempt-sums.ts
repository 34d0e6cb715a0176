import type { DispatcherOptions } from "./context.ts";

type Attempted = Parameters<DispatcherOptions["onAttempted"]>[0];

/** Attempts with their number, once for each of their events, and the ages (seconds) of the events that arrived. */
export interface Sums {
  attempts: [outcome: Attempted["outcome"], error: Attempted["error"], count: number][];
  ages: number[];
}

/** Adds attempts up, for a thread that tells of many together. */
export class AttemptSums {
  #sums = new Map<string, Sums["attempts"][number]>();
  #ages: number[] = [];

  /** `age` in seconds; undefined unless the event has arrived. */
  add({ outcome, error }: Attempted, age: number | undefined): void {
    const name = `${outcome} ${error}`;
    const sum = this.#sums.get(name);
    if (sum) sum[2] += 1;
    else this.#sums.set(name, [outcome, error, 1]);
    if (age !== undefined) this.#ages.push(age);
  }

  /** The sums since the last call. */
  take(): Sums {
    const sums = { attempts: [...this.#sums.values()], ages: this.#ages };
    this.#sums = new Map();
    this.#ages = [];
    return sums;
  }
}

/** How old events were when they arrived. Most have the time of the one before, with which they were appended. */
export class EventAges {
  #last = { timestamp: "", at: 0 };

  /** Seconds since the event's time (ISO 8601); undefined unless it has arrived. */
  of({ outcome }: Pick<Attempted, "outcome">, timestamp: string | undefined): number | undefined {
    if (outcome !== "succeeded" || !timestamp) return undefined;
    if (timestamp !== this.#last.timestamp) this.#last = { timestamp, at: Date.parse(timestamp) };
    return Math.max(0, Date.now() - this.#last.at) / 1000;
  }
}
