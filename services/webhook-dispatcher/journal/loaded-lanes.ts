import { setImmediate as nextTurn } from "node:timers/promises";
import { keyOf, type Lane } from "../../domain/delivery/lane.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";

const loadedTogether = 64;
/** Lanes that start in one turn of the event loop; few, so that many starts do not block other work. */
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
    // Load the requests of one turn together.
    await null;
    while (this.#requested.size > 0 && !signal.aborted) {
      const keyIds = [...this.#requested].slice(0, loadedTogether);
      for (const keyId of keyIds) this.#requested.delete(keyId);
      try {
        const endpoints = Map.groupBy(await load(keyIds), ({ _id }) => keyOf(_id));
        for (const [n, keyId] of keyIds.entries()) {
          if (n > 0 && n % begunTogether === 0) await nextTurn();
          onLoaded(keyId, endpoints.get(keyId) ?? []);
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
  /** Lanes that are being read and were not written here since the read began. */
  readonly #loading = new Set<string>();

  get(laneId: string): Lane | undefined {
    return this.#lanes.get(laneId);
  }

  /** Takes the lane as it was just read or written; null if it is gone. A lane that was not requested is not kept. */
  note(laneId: string, lane: Lane | null): void {
    const isWanted = this.#loading.delete(laneId) || this.#lanes.has(laneId);
    if (lane === null) this.#lanes.delete(laneId);
    else if (isWanted) this.#lanes.set(laneId, lane);
  }

  /** Loads or replaces lanes. What was noted during the read is newer than what `read` found. */
  async load(laneIds: string[], read: () => Promise<Map<string, Lane>>): Promise<void> {
    for (const laneId of laneIds) this.#loading.add(laneId);
    try {
      const found = await read();
      for (const laneId of laneIds)
        if (this.#loading.has(laneId)) this.note(laneId, found.get(laneId) ?? null);
    } finally {
      for (const laneId of laneIds) this.#loading.delete(laneId);
    }
  }

  unload(laneId: string): void {
    this.#lanes.delete(laneId);
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
  note(laneId: string, durationMs: number): void {
    if (durationMs >= slowMs) this.#slow.add(laneId);
    else this.#slow.delete(laneId);
  }

  forget(laneId: string): void {
    this.#slow.delete(laneId);
    this.#wide.delete(laneId);
  }

  /** The part of its window that a lane may use now. */
  windowOf(laneId: string, window: number): number {
    if (window > plainWindow) this.#wide.add(laneId);
    else this.#wide.delete(laneId);
    if (!this.#slow.has(laneId))
      return Math.min(window, Math.max(Math.floor(sharedWide / this.#wide.size), plainWindow));
    return Math.min(window, Math.max(Math.floor(sharedWindow / this.#slow.size), 1));
  }
}
