import { setImmediate as nextTurn } from "node:timers/promises";
import type { StoredEndpoint } from "../room.ts";

const loadedTogether = 64;
/** Few, so that many that begin at once do not hold up what else goes on. */
const begunTogether = 4;

export interface Loading {
  /** The endpoints of those keys that have an active lane; the lanes are in memory then. */
  load(keyIds: string[]): Promise<StoredEndpoint[]>;
  /** Without an endpoint there is nothing to do for the key. */
  onLoaded(keyId: string, endpoint: StoredEndpoint | undefined): void;
  onTrouble(keyIds: string[], error: unknown): void;
  signal: AbortSignal;
}

/** Takes lanes into memory, some at a time, until the signal says stop. */
export class LaneLoader {
  readonly #loading: Loading;
  readonly #wanted = new Set<string>();
  #running: Promise<void> | undefined;

  constructor(loading: Loading) {
    this.#loading = loading;
  }

  want(keyId: string): void {
    this.#wanted.add(keyId);
    this.#running ??= this.#run();
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    const { load, onLoaded, onTrouble, signal } = this.#loading;
    // Whoever is wanted in the same turn is loaded together.
    await null;
    while (this.#wanted.size > 0 && !signal.aborted) {
      const keyIds = [...this.#wanted].slice(0, loadedTogether);
      for (const keyId of keyIds) this.#wanted.delete(keyId);
      try {
        const endpoints = new Map((await load(keyIds)).map(endpoint => [endpoint._id, endpoint]));
        for (const [n, keyId] of keyIds.entries()) {
          if (n > 0 && n % begunTogether === 0) await nextTurn();
          onLoaded(keyId, endpoints.get(keyId));
        }
      } catch (error) {
        onTrouble(keyIds, error);
      }
    }
    this.#running = undefined;
  }
}
