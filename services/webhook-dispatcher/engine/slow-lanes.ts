/** From here on a receiver is slow. */
const slowMs = 1_000;
/** Attempts that are under way to slow receivers at a time, all together. */
const sharedWindow = 1_024;

/**
 * Slow receivers share what may be under way to them, one attempt each at the least: a thousand full windows would be
 * 16,000 connections that hold up everyone. Up to 64 of them do not notice.
 */
export class SlowLanes {
  readonly #slow = new Set<string>();

  /** How long the last exchange took. */
  note(keyId: string, durationMs: number): void {
    if (durationMs >= slowMs) this.#slow.add(keyId);
    else this.#slow.delete(keyId);
  }

  forget(keyId: string): void {
    this.#slow.delete(keyId);
  }

  /** What a lane may have under way of the window that it has won. */
  windowOf(keyId: string, window: number): number {
    if (!this.#slow.has(keyId)) return window;
    return Math.min(window, Math.max(Math.floor(sharedWindow / this.#slow.size), 1));
  }
}
