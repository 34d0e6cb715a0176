import { settledWithin } from "../../async/timeout.ts";

/** The exclusive right to do the work that has this name. */
export interface Lease {
  readonly name: string;
  /**
   * Rises with each holder: of two that write for one name, the one with the lower fence has lost the lease. It rises over
   * restarts too, so it may be stored.
   */
  readonly fence: number;
  /** False as soon as another may hold the lease. Check it before each step that only the holder may take. */
  isHeld(): boolean;
  /** Fires when the lease is released, and, some time after `isHeld` has become false, when it is lost. */
  readonly signal: AbortSignal;
  /** Lets others have the lease at once. Never rejects; a second call does nothing. */
  release(): Promise<void>;
}

/** A member's callbacks for its share of a pool. */
export interface ShareWatch {
  gained(shard: number, lease: Lease): void;
  /**
   * The shard passes to another member. When this member gives it up, it holds the lease until the returned promise has
   * settled, for 5 s at most; when it has lost it, the lease is gone already. The shard is not gained again before that.
   * Neither callback may throw.
   */
  lost(shard: number): void | Promise<void>;
}

export interface Share {
  /** Gives up every shard, with a call of `lost` for each. */
  close(): Promise<void>;
}

/**
 * Exclusive rights among all processes of an installation. A lease renews itself until it is released or lost. When its
 * holder dies, or cannot reach Redis for as long, it is free again after some 10 s.
 */
export interface Leases {
  /** Null when another holds it, in this process too. */
  take(name: string): Promise<Lease | null>;
  /** Waits for the lease without a limit; rejects with the signal's reason when it fires before. */
  wait(name: string, signal: AbortSignal): Promise<Lease>;
  /**
   * A fair share of the shards 0 to `count - 1` of a pool; one member holds each shard, and a single member holds all.
   * Shards move when members come and go. Free shards are gained before this resolves. The shards' leases are named
   * `<pool>/<shard>`.
   */
  share(pool: string, count: number, on: ShareWatch): Promise<Share>;
}

/** Open leases; `close` releases all that were taken here and rejects what waits. */
export interface OpenLeases extends Leases {
  close(): Promise<void>;
}

const drainMs = 5000;

/** Lets the member end its work on a shard, then lets others have the shard. */
export async function giveUpShard(shard: number, lease: Lease, { lost }: ShareWatch): Promise<void> {
  await settledWithin(drainMs, [Promise.resolve(lost(shard))]);
  await lease.release();
}
