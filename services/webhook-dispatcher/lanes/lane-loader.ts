import { setImmediate as yieldToLoop } from "node:timers/promises";
import { keyOf } from "../../domain/delivery/lane.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";

const loadedTogether = 64;
/** Lanes that start in one tick of the event loop; few, so that many starts do not block other work. */
const begunTogether = 4;

interface LoaderOptions {
  /** Loads the lanes of these keys into memory and returns the endpoints of the active ones. */
  load(keyIds: string[]): Promise<StoredEndpoint[]>;
  /** Called for each key; without endpoints there is nothing to do. */
  onLoaded(keyId: string, endpoints: StoredEndpoint[]): void;
  onStoreError(keyIds: string[], error: unknown): void;
  signal: AbortSignal;
}

/** Loads lanes into memory in batches, until the signal. */
export class LaneLoader {
  readonly #loading: LoaderOptions;
  readonly #requested = new Set<string>();
  #running: Promise<void> | undefined;

  constructor(loading: LoaderOptions) {
    this.#loading = loading;
  }

  request(keyId: string): void {
    this.#requested.add(keyId);
    this.#running ??= this.#run();
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    const { load, onLoaded, onStoreError, signal } = this.#loading;
    // Load the requests of one tick together.
    await null;
    while (this.#requested.size > 0 && !signal.aborted) {
      const keyIds = [...this.#requested].slice(0, loadedTogether);
      for (const keyId of keyIds) this.#requested.delete(keyId);
      try {
        const endpoints = Map.groupBy(await load(keyIds), ({ _id }) => keyOf(_id));
        for (const [n, keyId] of keyIds.entries()) {
          if (n > 0 && n % begunTogether === 0) await yieldToLoop();
          onLoaded(keyId, endpoints.get(keyId) ?? []);
        }
      } catch (error) {
        onStoreError(keyIds, error);
      }
    }
    this.#running = undefined;
  }
}
