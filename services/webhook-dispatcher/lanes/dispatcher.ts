import { FairSemaphore } from "../../../mixins/async/fair-semaphore.ts";
import type { Lease } from "../../../mixins/coordination/leases/lease.ts";
import { logEvent } from "../../../mixins/log/log-events.ts";
import { keyOf, leadingShard, shardOf } from "../../domain/delivery/lane.ts";
import type { StoredEndpoint, StoredLane } from "../webhooks.store.ts";
import type { DispatcherOptions, LaneContext, WorksLane } from "./context.ts";
import { DigestWorker } from "./digest-worker.ts";
import { LaneLoader } from "./lane-loader.ts";
import { LaneWorker } from "./lane-worker.ts";
import { Paces } from "./paces.ts";
import { PassedMemory } from "./passed-events.ts";
import { ShardOwnership } from "./shard-ownership.ts";
import { SlowLanes } from "./slow-lanes.ts";
import { WakeQueue } from "./wake-queue.ts";

const retryAfterErrorMs = 1_000;
/** Milliseconds before a lane is loaded again whose endpoint is being changed. */
const reloadMs = 100;
/** Each holds the events that its mail shows. */
const [digestsAtOnce, digestsOfKey] = [8, 2];

/** What was given up to another thread. */
export interface PassedLanes {
  /** The keys of the lanes that were in memory. */
  keyIds: string[];
  /** Lanes with something under way, each with its end. */
  leaving: Map<string, Promise<void>>;
}

/**
 * Works the lanes of this node's shards. Lanes with something to do are in memory, and no others; lanes that must wait
 * are in the wake queue.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #owned = new Map<number, ShardOwnership>();
  readonly #workers = new Map<string, WorksLane>();
  /** The active lanes of each key that has lanes in memory, as they were last loaded. */
  readonly #activeOf = new Map<string, Set<string>>();
  readonly #passed = new PassedMemory();
  readonly #wakes = new WakeQueue(laneId => this.#resume(laneId));
  readonly #slow = new SlowLanes();
  readonly #paces = new Paces();
  /** Timers of the keys whose lanes are loaded again. */
  readonly #reloads = new Map<string, NodeJS.Timeout>();
  readonly #attempts = new Map<Promise<void>, WorksLane>();
  /** Lanes that another thread has not left yet, although their shards are here. */
  readonly #withheld = new Set<string>();
  readonly #stop = new AbortController();
  readonly #loader: LaneLoader;
  readonly #context: LaneContext;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    const { threads = 1 } = options;
    const { signal } = this.#stop;
    const onStoreError = (laneIds: string[], error: unknown) => this.#storeFailed(laneIds, error);
    this.#loader = new LaneLoader({
      load: keyIds =>
        options.journal.loadActive(
          keyIds,
          keyIds.flatMap(keyId => this.#inMemory(keyId)),
        ),
      onLoaded: (keyId, endpoints) => this.#loaded(keyId, endpoints),
      onStoreError,
      signal,
    });
    this.#context = {
      ...options,
      wakes: this.#wakes,
      slow: this.#slow,
      paces: this.#paces,
      digests: new FairSemaphore({ width: Math.ceil(digestsAtOnce / threads), perGroup: digestsOfKey }),
      signal,
      laneCount: () => this.#workers.size * threads,
      isCurrent: worker => this.#workers.get(worker.laneId) === worker,
      track: (attempt, worker) => this.#track(attempt, worker),
      onIdle: laneId => this.#unloadIdle(keyOf(laneId)),
      reload: laneId => this.#reload(keyOf(laneId)),
      onStoreError,
    };
  }

  /** This node works the lanes of a shard until the lease ends; some of them only from `admit` on. */
  gain(shard: number, lease: Lease, withheld: readonly string[] = []): void {
    const ownership = new ShardOwnership(shard, lease);
    this.#owned.set(shard, ownership);
    for (const laneId of withheld) this.#withheld.add(laneId);
    ownership.onLost(() => this.#abandon(ownership));
  }

  /** These lanes were withheld, and have left the thread that had them. */
  admit(laneIds: readonly string[]): void {
    for (const laneId of laneIds) {
      this.#withheld.delete(laneId);
      // What a load under way has read of it is old.
      this.#options.journal.unload(laneId);
    }
    this.reread(laneIds);
  }

  /** Gives shards up to another thread of this process: starts no attempts, and waits for none. */
  pass(shards: readonly number[]): PassedLanes {
    const passed = new Set(shards.flatMap(shard => this.#owned.get(shard) ?? []));
    for (const ownership of passed) this.#endOwnership(ownership);
    this.#options.journal.flush();
    const workers = [...this.#workers.values()].filter(({ ownership }) => passed.has(ownership));
    for (const each of workers) if (!each.isBusy) this.#unload(each.laneId);
    const busy = workers.filter(({ isBusy }) => isBusy);
    const leaving = new Map(busy.map(worker => [worker.laneId, this.#leave(worker)]));
    // Until then a lost lease aborts what is under way.
    void Promise.all(leaving.values()).then(() => {
      for (const ownership of passed) ownership.forgetLease();
    });
    return { keyIds: [...new Set(workers.map(({ laneId }) => keyOf(laneId)))], leaving };
  }

  #endOwnership(ownership: ShardOwnership): void {
    ownership.end();
    this.#owned.delete(ownership.shard);
  }

  /** Resolves when what is under way is recorded. */
  async #leave(worker: WorksLane): Promise<void> {
    const underWay = () => [...this.#attempts].flatMap(([attempt, by]) => (by === worker ? attempt : []));
    for (let left = underWay(); left.length > 0; left = underWay()) await Promise.all(left);
    if (this.#workers.get(worker.laneId) === worker) this.#unload(worker.laneId);
    // The shard may have come back meanwhile.
    this.#load(keyOf(worker.laneId));
  }

  /** Gives the shard up to another node: starts no attempts, and resolves when those under way are recorded. */
  async lose(shard: number): Promise<void> {
    const ownership = this.#owned.get(shard);
    if (!ownership) return;
    ownership.end();
    this.#options.journal.flush();
    const underWay = [...this.#attempts].filter(([, worker]) => worker.ownership === ownership);
    if (ownership.isHeld) await Promise.all(underWay.map(([attempt]) => attempt));
    this.#abandon(ownership);
  }

  /** The shards that this node works. */
  get shards(): number[] {
    return [...this.#owned.values()].filter(({ isOpen }) => isOpen).map(({ shard }) => shard);
  }

  /** Whether this node works the lanes of this key. */
  works(keyId: string): boolean {
    return this.#ownershipOf(keyId)?.isOpen ?? false;
  }

  /** Whether this node is the leader (owns shard 0). */
  get leads(): boolean {
    return this.#owned.get(leadingShard)?.isOpen ?? false;
  }

  /** The lanes in memory. */
  get busy(): string[] {
    return [...this.#workers.keys()];
  }

  /** Events beyond a lane's position that it has read and does not want. */
  passedIn(laneId: string): number {
    return this.#workers.get(laneId)?.passed ?? 0;
  }

  /** The position of a lane that is not in memory with the unwanted events that follow it, unless those should be written now. */
  passedTo(lane: StoredLane): number {
    return this.#passed.reach(lane);
  }

  /** There may be events to deliver for these keys. */
  wake(keyIds: readonly string[]): void {
    if (this.#stop.signal.aborted) return;
    for (const keyId of keyIds) if (!this.#hint(keyId)) this.#load(keyId);
  }

  /** False if not all active lanes of the key are in memory. */
  #hint(keyId: string): boolean {
    const active = this.#activeOf.get(keyId);
    if (!active) return false;
    let areAll = true;
    for (const laneId of active) {
      const worker = this.#workers.get(laneId);
      if (worker) worker.hint();
      else areAll = false;
    }
    return areAll;
  }

  /** A request to this node has changed the endpoint or its lane. */
  changed(endpoint: StoredEndpoint): void {
    const worker = this.#workers.get(endpoint._id);
    worker?.useEndpoint(endpoint);
    if (worker) worker.hint();
    else this.#load(keyOf(endpoint._id));
    this.#notifyOtherNodes(keyOf(endpoint._id));
  }

  /** The quotas of a key were changed: a lane that was held may continue. */
  quotasChanged(keyId: string): void {
    for (const laneId of this.#activeOf.get(keyId) ?? []) this.#workers.get(laneId)?.quotasChanged();
  }

  /** Events were erased in the log. */
  erased(): void {
    for (const worker of this.#workers.values()) worker.readAgain();
  }

  /** The endpoint was removed; attempts under way have no effect. */
  removed(laneId: string): void {
    this.#forget(laneId);
    this.#passed.forget(laneId);
    this.#notifyOtherNodes(keyOf(laneId));
  }

  /** Another node may have changed or removed the endpoints or lanes of these keys, which may be named by a lane. */
  reread(laneIds: readonly string[]): void {
    for (const keyId of new Set(laneIds.map(keyOf))) this.#load(keyId);
  }

  /** Starts no more attempts, and resolves when those under way are recorded. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wakes.close();
    for (const timer of this.#reloads.values()) clearTimeout(timer);
    const { journal } = this.#options;
    journal.stopBatching();
    await this.#loader.idle();
    for (const ownership of this.#owned.values()) ownership.end();
    await Promise.all(this.#attempts.keys());
    await journal.idle();
  }

  #resume(laneId: string): void {
    const worker = this.#workers.get(laneId);
    if (worker) void worker.pump();
    else this.#load(keyOf(laneId));
  }

  #load(keyId: string): void {
    if (this.works(keyId) && !this.#stop.signal.aborted) this.#loader.request(keyId);
  }

  /**
   * Loads again later: the lane has a change that the endpoint does not have yet. The embedded store answers
   * synchronously, so an immediate retry would starve the write of the endpoint.
   */
  #reload(keyId: string): void {
    if (this.#reloads.has(keyId) || this.#stop.signal.aborted) return;
    const load = () => {
      this.#reloads.delete(keyId);
      this.#load(keyId);
    };
    this.#reloads.set(keyId, setTimeout(load, reloadMs));
  }

  #ownershipOf(laneId: string): ShardOwnership | undefined {
    return this.#owned.get(shardOf(laneId));
  }

  #inMemory(keyId: string): string[] {
    return [...(this.#activeOf.get(keyId) ?? [])].filter(laneId => this.#workers.has(laneId));
  }

  /** Starts the lanes of the key's active endpoints, and ends those in memory that are no longer active. */
  #loaded(keyId: string, endpoints: StoredEndpoint[]): void {
    const active = new Set(endpoints.map(({ _id }) => _id));
    const before = this.#inMemory(keyId);
    if (active.size > 0) this.#activeOf.set(keyId, new Set([...active, ...before]));
    for (const laneId of before) if (!active.has(laneId)) void this.#workers.get(laneId)?.pump();
    for (const endpoint of endpoints) this.#activate(endpoint);
  }

  #activate(endpoint: StoredEndpoint): void {
    const known = this.#workers.get(endpoint._id);
    known?.useEndpoint(endpoint);
    const isOther = known && !known.isBusy && known instanceof DigestWorker !== Boolean(endpoint.digest);
    if (isOther) this.#workers.delete(endpoint._id);
    const worker = known && !isOther ? known : this.#startWorker(endpoint);
    void worker?.pump();
  }

  #startWorker(endpoint: StoredEndpoint): WorksLane | undefined {
    const { journal } = this.#options;
    const lane = journal.lane(endpoint._id);
    const ownership = this.#ownershipOf(endpoint._id);
    const isWithheld = this.#withheld.has(endpoint._id);
    if (!lane || !ownership?.isOpen || isWithheld || this.#stop.signal.aborted) {
      journal.unload(endpoint._id);
      return undefined;
    }
    const passed = this.#passed.take(endpoint, lane);
    const Worker = endpoint.digest ? DigestWorker : LaneWorker;
    const worker = new Worker(this.#context, ownership, endpoint, lane, passed);
    this.#workers.set(endpoint._id, worker);
    return worker;
  }

  #track(attempt: Promise<void>, worker: WorksLane): void {
    this.#attempts.set(attempt, worker);
    void attempt.then(() => this.#attempts.delete(attempt));
  }

  /** Lanes of one key leave together: the next event of the key would load them all. */
  #unloadIdle(keyId: string): void {
    const lanes = this.#inMemory(keyId);
    if (lanes.every(laneId => this.#workers.get(laneId)?.isIdle))
      for (const each of lanes) {
        const passedOver = this.#workers.get(each)?.passedOver;
        this.#unload(each);
        if (passedOver) this.#passed.keep(passedOver);
      }
  }

  #unload(laneId: string): void {
    this.#forget(laneId);
    this.#options.journal.unload(laneId);
  }

  #forget(laneId: string): void {
    this.#workers.delete(laneId);
    this.#slow.forget(laneId);
    this.#wakes.set(laneId, undefined);
    const active = this.#activeOf.get(keyOf(laneId));
    active?.delete(laneId);
    if (active?.size === 0) this.#activeOf.delete(keyOf(laneId));
  }

  /** Another node works these lanes now or soon. */
  #abandon(ownership: ShardOwnership): void {
    ownership.abortExchanges();
    ownership.forgetLease();
    if (this.#owned.get(ownership.shard) === ownership) this.#owned.delete(ownership.shard);
    for (const worker of this.#workers.values())
      if (worker.ownership === ownership) this.#unload(worker.laneId);
  }

  #notifyOtherNodes(keyId: string): void {
    // The next owner of the shard reads its lanes anyway.
    if (!this.#ownershipOf(keyId)?.isHeld) this.#options.notifyOtherNodes(keyId);
  }

  /** The store failed, not the endpoint: retry these lanes later. */
  #storeFailed(laneIds: string[], error: unknown): void {
    logEvent(this.#options.logger, "lane_store.failed", { laneIds: laneIds.slice(0, 10), error });
    if (this.#stop.signal.aborted) return;
    for (const laneId of laneIds) this.#wakes.set(laneId, Date.now() + retryAfterErrorMs);
  }
}
