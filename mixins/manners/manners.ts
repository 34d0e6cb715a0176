/** How a host is visited. */
export interface Courtesy {
  /** Visits to it at a time. */
  width: number;
  /** Milliseconds between this visit's beginning and the next one's. */
  spacingMs: number;
}

/** How an installation behaves to the hosts that it visits, over all its processes. */
export interface Manners {
  /**
   * Begins a visit as soon as the host has room for it and is not to be left alone, those who wait in the order in which
   * they came; resolves with the function that ends it. Rejects with the signal's reason when that fires before.
   */
  enter(host: string, courtesy: Courtesy, signal: AbortSignal): Promise<() => void>;
  /** Nobody begins a visit for so long. */
  leaveAlone(host: string, ms: number): Promise<void>;
}

/** Manners that are open; `close` ends what waits and every visit. */
export interface OpenManners extends Manners {
  close(): Promise<void>;
}
