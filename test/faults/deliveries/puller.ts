import { setTimeout as delay } from "node:timers/promises";
import type { Event } from "../../../services/contracts/events.ts";
import { Reader } from "./reader.ts";

const againMs = 50;
const answerMs = 30_000;

/** Asks for a key's events a page at a time, and asks again for what it has got no answer to. */
export class Puller extends Reader {
  readonly #key: string;
  readonly #address: () => string;
  readonly #closing = new AbortController();

  constructor(key: string, address: () => string) {
    super();
    this.#key = key;
    this.#address = address;
    void this.#pull();
  }

  close(): void {
    this.#closing.abort();
  }

  async #pull(): Promise<void> {
    while (!this.#closing.signal.aborted) if (!(await this.#ask())) await delay(againMs);
  }

  async #ask(): Promise<boolean> {
    try {
      const answer = await fetch(`${this.#address()}/events?after=${this.seq}&limit=50&wait=2`, {
        headers: { "x-api-key": this.#key },
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(answerMs)]),
      });
      if (!answer.ok) return false;
      const { data } = (await answer.json()) as { data: Event[] };
      this.connections += 1;
      for (const event of data) this.take(event);
      return true;
    } catch {
      // The service was killed; it is asked again.
      return false;
    }
  }
}
