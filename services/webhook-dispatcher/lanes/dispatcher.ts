import type { Lease } from "../../../mixins/coordination/leases/lease.ts";
import { leadingShard, shardOf } from "../../domain/delivery/lane.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";
import type { DispatcherOptions, LaneContext } from "./context.ts";
import { LaneWorker } from "./lane-worker.ts";
import { LaneLoader, SlowLanes } from "./loaded-lanes.ts";
import { ShardOwnership } from "./shard-ownership.ts";
import { WakeQueue } from "./wake-queue.ts";

const retryAfterErrorMs = 1_000;

/**
 * Works the lanes of this node's shards. Lanes with something to do are in memory, and no others; lanes that must wait
 * are in the wake queue.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #owned = new Map<number, ShardOwnership>();
  readonly #workers = new Map<string, LaneWorker>();
  readonly #wakes = new WakeQueue(keyId => this.#resume(keyId));
  readonly #slow = new SlowLanes();
  readonly #attempts = new Map<Promise<void>, ShardOwnership>();
  readonly #stop = new AbortController();
  readonly #loader: LaneLoader;
  readonly #context: LaneContext;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    const { signal } = this.#stop;
    const onStoreError = (keyIds: string[], error: unknown) => this.#storeFailed(keyIds, error);
    this.#loader = new LaneLoader({
      load: keyIds => options.journal.loadActive(keyIds),
      onLoaded: (keyId, endpoint) => (endpoint ? this.#activate(endpoint) : this.#deactivate(keyId)),
      onStoreError,
      signal,
    });
    this.#context = {
      ...options,
      wakes: this.#wakes,
      slow: this.#slow,
      signal,
      laneCount: () => this.#workers.size,
      isCurrent: worker => this.#workers.get(worker.keyId) === worker,
      track: (attempt, ownership) => this.#track(attempt, ownership),
      unload: keyId => this.#unload(keyId),
      reload: keyId => this.#loader.request(keyId),
      onStoreError,
    };
  }

  /** This node works the lanes of a shard until the lease ends. */
  gain(shard: number, lease: Lease): void {
    const ownership = new ShardOwnership(shard, lease);
    this.#owned.set(shard, ownership);
    lease.signal.addEventListener("abort", () => this.#abandon(ownership), { once: true });
  }

  /** Gives the shard up to another node: starts no attempts, and resolves when those under way are recorded. */
  async lose(shard: number): Promise<void> {
    const ownership = this.#owned.get(shard);
    if (!ownership) return;
    ownership.end();
    this.#options.journal.flush();
    const underWay = [...this.#attempts].filter(([, each]) => each === ownership);
    if (ownership.isHeld) await Promise.all(underWay.map(([attempt]) => attempt));
    this.#abandon(ownership);
  }

  /** The shards that this node works. */
  get shards(): number[] {
    return [...this.#owned.values()].filter(({ isOpen }) => isOpen).map(({ shard }) => shard);
  }

  /** Whether this node works the lane of this key. */
  works(keyId: string): boolean {
    return this.#ownershipOf(keyId)?.isOpen ?? false;
  }

  /** Whether this node does the work that one node does for all. */
  get leads(): boolean {
    return this.#owned.get(leadingShard)?.isOpen ?? false;
  }

  /** The keys whose lanes are in memory. */
  get busy(): string[] {
    return [...this.#workers.keys()];
  }

  /** There may be events to deliver for these keys. */
  wake(keyIds: readonly string[]): void {
    if (this.#stop.signal.aborted) return;
    for (const keyId of keyIds) {
      const worker = this.#workers.get(keyId);
      if (worker) worker.hint();
      else this.#load(keyId);
    }
  }

  /** A request to this node has changed the endpoint or its lane. */
  changed(endpoint: StoredEndpoint): void {
    this.#workers.get(endpoint._id)?.useEndpoint(endpoint);
    this.wake([endpoint._id]);
    this.#notifyOtherNodes(endpoint._id);
  }

  /** The endpoint was removed; attempts under way have no effect. */
  removed(keyId: string): void {
    this.#forget(keyId);
    this.#notifyOtherNodes(keyId);
  }

  /** Another node may have changed or removed the endpoints or lanes of these keys. */
  reread(keyIds: readonly string[]): void {
    for (const keyId of keyIds) this.#load(keyId);
  }

  /** Starts no more attempts, and resolves when those under way are recorded. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wakes.close();
    const { journal } = this.#options;
    journal.stopBatching();
    await this.#loader.idle();
    await Promise.all(this.#attempts.keys());
    await journal.idle();
  }

  #resume(keyId: string): void {
    const worker = this.#workers.get(keyId);
    if (worker) void worker.pump();
    else this.#load(keyId);
  }

  #load(keyId: string): void {
    if (this.works(keyId) && !this.#stop.signal.aborted) this.#loader.request(keyId);
  }

  #ownershipOf(keyId: string): ShardOwnership | undefined {
    return this.#owned.get(shardOf(keyId));
  }

  #activate(endpoint: StoredEndpoint): void {
    const known = this.#workers.get(endpoint._id);
    known?.useEndpoint(endpoint);
    const worker = known ?? this.#startWorker(endpoint);
    void worker?.pump();
  }

  #startWorker(endpoint: StoredEndpoint): LaneWorker | undefined {
    const { journal } = this.#options;
    const lane = journal.lane(endpoint._id);
    const ownership = this.#ownershipOf(endpoint._id);
    if (!lane || !ownership?.isOpen || this.#stop.signal.aborted) {
      journal.unload(endpoint._id);
      return undefined;
    }
    const worker = new LaneWorker(this.#context, ownership, endpoint, lane);
    this.#workers.set(endpoint._id, worker);
    return worker;
  }

  /** The endpoint is FAILED or was removed. */
  #deactivate(keyId: string): void {
    const worker = this.#workers.get(keyId);
    if (worker) void worker.pump();
    else this.#options.journal.unload(keyId);
  }

  #track(attempt: Promise<void>, ownership: ShardOwnership): void {
    this.#attempts.set(attempt, ownership);
    void attempt.then(() => this.#attempts.delete(attempt));
  }

  #unload(keyId: string): void {
    this.#forget(keyId);
    this.#options.journal.unload(keyId);
  }

  #forget(keyId: string): void {
    this.#workers.delete(keyId);
    this.#slow.forget(keyId);
    this.#wakes.set(keyId, undefined);
  }

  /** Another node works these lanes now or soon. */
  #abandon(ownership: ShardOwnership): void {
    ownership.abortExchanges();
    if (this.#owned.get(ownership.shard) === ownership) this.#owned.delete(ownership.shard);
    for (const worker of this.#workers.values())
      if (worker.ownership === ownership) this.#unload(worker.keyId);
  }

  #notifyOtherNodes(keyId: string): void {
    // The next owner of the shard reads its lanes anyway.
    if (!this.#ownershipOf(keyId)?.isHeld) this.#options.notifyOtherNodes(keyId);
  }

  /** The store failed, not the endpoint: retry these lanes later. */
  #storeFailed(keyIds: string[], error: unknown): void {
    this.#options.logger.error("webhook.trouble", { keyIds: keyIds.slice(0, 10), error });
    if (this.#stop.signal.aborted) return;
    for (const keyId of keyIds) this.#wakes.set(keyId, Date.now() + retryAfterErrorMs);
  }
}
