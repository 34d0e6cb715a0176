import type { StoredEndpoint } from "../room.ts";
import { LaneLoader } from "./lane-loader.ts";
import { type DispatcherOptions, type Floor, LaneWorker } from "./lane-worker.ts";
import { SlowLanes } from "./slow-lanes.ts";
import { WakeQueue } from "./wake-queue.ts";

const troubleMs = 1_000;

/**
 * Works the lanes: at any time those that have something to do are in memory, and no others. What must wait is in the
 * wake queue.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #workers = new Map<string, LaneWorker>();
  readonly #wakes = new WakeQueue(keyId => this.#lookAgain(keyId));
  readonly #slow = new SlowLanes();
  readonly #attempts = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  readonly #loader: LaneLoader;
  readonly #floor: Floor;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    const { signal } = this.#stop;
    const onTrouble = (keyIds: string[], error: unknown) => this.#trouble(keyIds, error);
    this.#loader = new LaneLoader({
      load: keyIds => options.journal.loadActive(keyIds),
      onLoaded: endpoint => this.#begin(endpoint),
      onTrouble,
      signal,
    });
    this.#floor = {
      ...options,
      wakes: this.#wakes,
      slow: this.#slow,
      signal,
      isCurrent: worker => this.#workers.get(worker.keyId) === worker,
      track: attempt => this.#track(attempt),
      letGo: keyId => this.#letGo(keyId),
      onTrouble,
    };
  }

  /** There may be something to deliver for these keys. */
  wake(keyIds: readonly string[]): void {
    if (this.#stop.signal.aborted) return;
    for (const keyId of keyIds) {
      const worker = this.#workers.get(keyId);
      if (worker) worker.hint();
      else this.#loader.want(keyId);
    }
  }

  /** The endpoint or its lane was changed by a request. */
  changed(endpoint: StoredEndpoint): void {
    this.#workers.get(endpoint._id)?.equip(endpoint);
    this.wake([endpoint._id]);
  }

  /** The endpoint is gone; attempts under way end without consequence. */
  removed(keyId: string): void {
    this.#workers.delete(keyId);
    this.#slow.forget(keyId);
    this.#wakes.set(keyId, undefined);
  }

  /** Begins nothing more, and resolves when what was under way is settled. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wakes.close();
    const { journal } = this.#options;
    journal.hasten();
    await this.#loader.idle();
    await Promise.all(this.#attempts);
    await journal.idle();
  }

  #lookAgain(keyId: string): void {
    const worker = this.#workers.get(keyId);
    if (worker) void worker.pump();
    else this.#loader.want(keyId);
  }

  #begin(endpoint: StoredEndpoint): void {
    const lane = this.#options.journal.lane(endpoint._id);
    if (!lane || this.#workers.has(endpoint._id) || this.#stop.signal.aborted) return;
    const worker = new LaneWorker(this.#floor, endpoint, lane);
    this.#workers.set(endpoint._id, worker);
    void worker.pump();
  }

  #track(attempt: Promise<void>): void {
    this.#attempts.add(attempt);
    void attempt.then(() => this.#attempts.delete(attempt));
  }

  #letGo(keyId: string): void {
    this.removed(keyId);
    this.#options.journal.letGo(keyId);
  }

  /** The store failed, not the endpoint: the lanes look again in a while. */
  #trouble(keyIds: string[], error: unknown): void {
    this.#options.logger.error("webhook.trouble", { keyIds: keyIds.slice(0, 10), error });
    if (this.#stop.signal.aborted) return;
    for (const keyId of keyIds) this.#wakes.set(keyId, Date.now() + troubleMs);
  }
}
