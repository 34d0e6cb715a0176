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
