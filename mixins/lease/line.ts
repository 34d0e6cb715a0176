import { pause } from "../queue/within.ts";
import type { Lease } from "./lease.ts";

const firstPauseMs = 50;
const longestPauseMs = 1000;

/** Null when another holds it. */
type Take = (name: string) => Promise<Lease | null>;

/** Those of this process who wait for one name: one asks for all, again and again, and the first in line has it. */
export class Line {
  readonly #name: string;
  readonly #take: Take;
  readonly #onError: (error: unknown) => void;
  readonly #waiting = new Set<(lease: Lease) => void>();
  #hurry = new AbortController();
  #isAsking = false;

  constructor(name: string, take: Take, onError: (error: unknown) => void) {
    this.#name = name;
    this.#take = take;
    this.#onError = onError;
  }

  wait(signal: AbortSignal): Promise<Lease> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const abort = () => {
        this.#waiting.delete(grant);
        this.#hurry.abort();
        reject(signal.reason);
      };
      const grant = (lease: Lease) => {
        signal.removeEventListener("abort", abort);
        this.#waiting.delete(grant);
        resolve(lease);
      };
      signal.addEventListener("abort", abort);
      this.#waiting.add(grant);
      if (!this.#isAsking) void this.#ask();
    });
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Never rejects. */
  async #ask(): Promise<void> {
    this.#isAsking = true;
    let pauseMs = firstPauseMs;
    while (!this.isEmpty) {
      const lease = await this.#attempt();
      const [first] = this.#waiting;
      if (lease && first) {
        this.#passOn(lease, first);
        pauseMs = firstPauseMs;
      } else await lease?.release();
      if (this.isEmpty) break;
      // Those of other nodes ask as often, and not at the same moments.
      this.#hurry = new AbortController();
      await pause(pauseMs * (0.5 + Math.random()), this.#hurry.signal);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
    this.#isAsking = false;
  }

  #passOn(lease: Lease, grant: (lease: Lease) => void): void {
    lease.signal.addEventListener("abort", () => this.#hurry.abort());
    grant(lease);
  }

  async #attempt(): Promise<Lease | null> {
    try {
      return await this.#take(this.#name);
    } catch (error) {
      this.#onError(error);
      return null;
    }
  }
}
