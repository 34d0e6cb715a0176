import { setImmediate as nextTurn } from "node:timers/promises";
import type { Lane } from "../../domain/delivery/lane.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";

const loadedTogether = 64;
/** Lanes that start in one turn of the event loop; few, so that many starts do not block other work. */
const begunTogether = 4;

interface LoaderOptions {
  /** Loads the lanes of these keys into memory and returns the endpoints of the active ones. */
  load(keyIds: string[]): Promise<StoredEndpoint[]>;
  /** Called for each key; without an endpoint there is nothing to do. */
  onLoaded(keyId: string, endpoint: StoredEndpoint | undefined): void;
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
    // Load the requests of one turn together.
    await null;
    while (this.#requested.size > 0 && !signal.aborted) {
      const keyIds = [...this.#requested].slice(0, loadedTogether);
      for (const keyId of keyIds) this.#requested.delete(keyId);
      try {
        const endpoints = new Map((await load(keyIds)).map(endpoint => [endpoint._id, endpoint]));
        for (const [n, keyId] of keyIds.entries()) {
          if (n > 0 && n % begunTogether === 0) await nextTurn();
          onLoaded(keyId, endpoints.get(keyId));
        }
      } catch (error) {
        onStoreError(keyIds, error);
      }
    }
    this.#running = undefined;
  }
}

/** The lanes in memory. */
export class LoadedLanes {
  readonly #lanes = new Map<string, Lane>();
  /** Keys whose lanes are being read and were not written here since the read began. */
  readonly #loading = new Set<string>();

  get(keyId: string): Lane | undefined {
    return this.#lanes.get(keyId);
  }

  /** Takes the lane as it was just read or written; null if it is gone. A lane that was not requested is not kept. */
  note(keyId: string, lane: Lane | null): void {
    const isWanted = this.#loading.delete(keyId) || this.#lanes.has(keyId);
    if (lane === null) this.#lanes.delete(keyId);
    else if (isWanted) this.#lanes.set(keyId, lane);
  }

  /** Loads or replaces lanes. What was noted during the read is newer than what `read` found. */
  async load(keyIds: string[], read: () => Promise<Map<string, Lane>>): Promise<void> {
    for (const keyId of keyIds) this.#loading.add(keyId);
    try {
      const found = await read();
      for (const keyId of keyIds) if (this.#loading.has(keyId)) this.note(keyId, found.get(keyId) ?? null);
    } finally {
      for (const keyId of keyIds) this.#loading.delete(keyId);
    }
  }

  unload(keyId: string): void {
    this.#lanes.delete(keyId);
  }
}

/** Milliseconds from which a receiver is slow. */
const slowMs = 1_000;
/** Attempts under way to all slow receivers together. */
const sharedWindow = 1_024;
/** The window that every lane may have, however many are busy. */
const plainWindow = 16;
/** Shared by the lanes with larger windows: 64 of them can have a full one. */
const sharedWide = 4_096;

/**
 * Limits the windows of slow receivers, which share a number of attempts under way, at least one each: a thousand full
 * windows would be 64,000 connections that block everybody. Up to 16 slow receivers notice no limit. Lanes that have
 * won more than a plain window share a number as well.
 */
export class SlowLanes {
  readonly #slow = new Set<string>();
  readonly #wide = new Set<string>();

  /** Notes how long the last exchange took. */
  note(keyId: string, durationMs: number): void {
    if (durationMs >= slowMs) this.#slow.add(keyId);
    else this.#slow.delete(keyId);
  }

  forget(keyId: string): void {
    this.#slow.delete(keyId);
    this.#wide.delete(keyId);
  }

  /** The part of its window that a lane may use now. */
  windowOf(keyId: string, window: number): number {
    if (window > plainWindow) this.#wide.add(keyId);
    else this.#wide.delete(keyId);
    if (!this.#slow.has(keyId))
      return Math.min(window, Math.max(Math.floor(sharedWide / this.#wide.size), plainWindow));
    return Math.min(window, Math.max(Math.floor(sharedWindow / this.#slow.size), 1));
  }
}
