/** The right to be the only one who does what a name stands for. */
export interface Lease {
  readonly name: string;
  /**
   * Rises with each holder: of two that write for one name, the one with the lower fence has lost it. Higher after a
   * restart too, so it may be kept.
   */
  readonly fence: number;
  /** False as soon as it may have passed to another. To be asked before each step that only its holder may do. */
  isHeld(): boolean;
  /** Fires, some time after `isHeld` has become false, when it was lost; and when it was released. */
  readonly signal: AbortSignal;
  /** Lets others have it at once; never rejects, and does nothing the second time. */
  release(): Promise<void>;
}

/** What a member of a pool hears of its share. */
export interface ShareWatch {
  gained(shard: number, lease: Lease): void;
  /**
   * The shard is to pass on. When it is given up, its lease is held until what this returns has settled, 5 s
   * at the most; when it was lost, its lease is held no more. A shard is not
   * gained again before that. Neither of the two may throw.
   */
  lost(shard: number): void | Promise<void>;
}

export interface Share {
  /** Gives up every shard, as `lost` is told. */
  close(): Promise<void>;
}

/**
 * Who may do what, among all processes of an installation. A lease is renewed by itself until it is released or lost; one
 * whose holder has died, or cannot reach the others for as long, is free again after some 10 s.
 */
export interface Leases {
  /** Null when another holds it, in this process too. */
  take(name: string): Promise<Lease | null>;
  /** Waits for it, however long; rejects with the signal's reason when that fires before. */
  wait(name: string, signal: AbortSignal): Promise<Lease>;
  /**
   * A fair share of the shards 0 to `count - 1` of a pool, each held by one member of it: all of them when there is no
   * other member. They come and go as members do. What is free is gained before this resolves. The shards' leases
   * are named `<pool>/<shard>`.
   */
  share(pool: string, count: number, on: ShareWatch): Promise<Share>;
}

/** Leases that are open; `close` releases all that were taken here and ends what waits. */
export interface OpenLeases extends Leases {
  close(): Promise<void>;
}
