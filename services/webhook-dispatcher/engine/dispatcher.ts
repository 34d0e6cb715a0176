import type { Lease } from "../../../mixins/lease/lease.ts";
import { leadingShard, shardOf } from "../../domain/delivery/shard.ts";
import type { StoredEndpoint } from "../room.ts";
import { LaneLoader } from "./lane-loader.ts";
import { type DispatcherOptions, type Floor, LaneWorker } from "./lane-worker.ts";
import { SlowLanes } from "./slow-lanes.ts";
import { Tenure } from "./tenure.ts";
import { WakeQueue } from "./wake-queue.ts";

const troubleMs = 1_000;

/**
 * Works the lanes of this node's shards: at any time those that have something to do are in memory, and no others. What
 * must wait is in the wake queue.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #tenures = new Map<number, Tenure>();
  readonly #workers = new Map<string, LaneWorker>();
  readonly #wakes = new WakeQueue(keyId => this.#lookAgain(keyId));
  readonly #slow = new SlowLanes();
  readonly #attempts = new Map<Promise<void>, Tenure>();
  readonly #stop = new AbortController();
  readonly #loader: LaneLoader;
  readonly #floor: Floor;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    const { signal } = this.#stop;
    const onTrouble = (keyIds: string[], error: unknown) => this.#trouble(keyIds, error);
    this.#loader = new LaneLoader({
      load: keyIds => options.journal.loadActive(keyIds),
      onLoaded: (keyId, endpoint) => (endpoint ? this.#equip(endpoint) : this.#withoutWork(keyId)),
      onTrouble,
      signal,
    });
    this.#floor = {
      ...options,
      wakes: this.#wakes,
      slow: this.#slow,
      signal,
      isCurrent: worker => this.#workers.get(worker.keyId) === worker,
      track: (attempt, tenure) => this.#track(attempt, tenure),
      letGo: keyId => this.#letGo(keyId),
      reload: keyId => this.#loader.want(keyId),
      onTrouble,
    };
  }

  /** The lanes of a shard are this node's to work, until the lease ends. */
  gain(shard: number, lease: Lease): void {
    const tenure = new Tenure(shard, lease);
    this.#tenures.set(shard, tenure);
    lease.signal.addEventListener("abort", () => this.#leave(tenure), { once: true });
  }

  /** The shard is to go to another node: nothing begins, and it resolves when what was under way is settled. */
  async lose(shard: number): Promise<void> {
    const tenure = this.#tenures.get(shard);
    if (!tenure) return;
    tenure.end();
    this.#options.journal.hurry();
    const underWay = [...this.#attempts].filter(([, each]) => each === tenure);
    if (tenure.isHeld) await Promise.all(underWay.map(([attempt]) => attempt));
    this.#leave(tenure);
  }

  /** The shards whose lanes this node works. */
  get shards(): number[] {
    return [...this.#tenures.values()].filter(({ isOpen }) => isOpen).map(({ shard }) => shard);
  }

  /** Whether the lane of this key is one of them. */
  works(keyId: string): boolean {
    return this.#tenureOf(keyId)?.isOpen ?? false;
  }

  /** Of all nodes, this one does what has to be done once. */
  get leads(): boolean {
    return this.#tenures.get(leadingShard)?.isOpen ?? false;
  }

  /** The keys whose lanes have something to do, as far as they are this node's. */
  get busy(): string[] {
    return [...this.#workers.keys()];
  }

  /** There may be something to deliver for these keys. */
  wake(keyIds: readonly string[]): void {
    if (this.#stop.signal.aborted) return;
    for (const keyId of keyIds) {
      const worker = this.#workers.get(keyId);
      if (worker) worker.hint();
      else this.#want(keyId);
    }
  }

  /** The endpoint or its lane was changed by a request to this node. */
  changed(endpoint: StoredEndpoint): void {
    this.#workers.get(endpoint._id)?.equip(endpoint);
    this.wake([endpoint._id]);
    this.#tellOthers(endpoint._id);
  }

  /** The endpoint is gone; attempts under way end without consequence. */
  removed(keyId: string): void {
    this.#forget(keyId);
    this.#tellOthers(keyId);
  }

  /** Another node may have changed the endpoints or the lanes of these keys, or removed them. */
  reread(keyIds: readonly string[]): void {
    for (const keyId of keyIds) this.#want(keyId);
  }

  /** Begins nothing more, and resolves when what was under way is settled. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wakes.close();
    const { journal } = this.#options;
    journal.hasten();
    await this.#loader.idle();
    await Promise.all(this.#attempts.keys());
    await journal.idle();
  }

  #lookAgain(keyId: string): void {
    const worker = this.#workers.get(keyId);
    if (worker) void worker.pump();
    else this.#want(keyId);
  }

  #want(keyId: string): void {
    if (this.works(keyId) && !this.#stop.signal.aborted) this.#loader.want(keyId);
  }

  #tenureOf(keyId: string): Tenure | undefined {
    return this.#tenures.get(shardOf(keyId));
  }

  #equip(endpoint: StoredEndpoint): void {
    const known = this.#workers.get(endpoint._id);
    known?.equip(endpoint);
    const worker = known ?? this.#begin(endpoint);
    void worker?.pump();
  }

  #begin(endpoint: StoredEndpoint): LaneWorker | undefined {
    const { journal } = this.#options;
    const lane = journal.lane(endpoint._id);
    const tenure = this.#tenureOf(endpoint._id);
    if (!lane || !tenure?.isOpen || this.#stop.signal.aborted) {
      journal.letGo(endpoint._id);
      return undefined;
    }
    const worker = new LaneWorker(this.#floor, tenure, endpoint, lane);
    this.#workers.set(endpoint._id, worker);
    return worker;
  }

  /** FAILED, or removed. */
  #withoutWork(keyId: string): void {
    const worker = this.#workers.get(keyId);
    if (worker) void worker.pump();
    else this.#options.journal.letGo(keyId);
  }

  #track(attempt: Promise<void>, tenure: Tenure): void {
    this.#attempts.set(attempt, tenure);
    void attempt.then(() => this.#attempts.delete(attempt));
  }

  #letGo(keyId: string): void {
    this.#forget(keyId);
    this.#options.journal.letGo(keyId);
  }

  #forget(keyId: string): void {
    this.#workers.delete(keyId);
    this.#slow.forget(keyId);
    this.#wakes.set(keyId, undefined);
  }

  /** Another node works these lanes now, or soon. */
  #leave(tenure: Tenure): void {
    tenure.cut();
    if (this.#tenures.get(tenure.shard) === tenure) this.#tenures.delete(tenure.shard);
    for (const worker of this.#workers.values()) if (worker.tenure === tenure) this.#letGo(worker.keyId);
  }

  #tellOthers(keyId: string): void {
    // Whoever holds a shard after this node reads its lanes then.
    if (!this.#tenureOf(keyId)?.isHeld) this.#options.tellOthers(keyId);
  }

  /** The store failed, not the endpoint: the lanes look again in a while. */
  #trouble(keyIds: string[], error: unknown): void {
    this.#options.logger.error("webhook.trouble", { keyIds: keyIds.slice(0, 10), error });
    if (this.#stop.signal.aborted) return;
    for (const keyId of keyIds) this.#wakes.set(keyId, Date.now() + troubleMs);
  }
}
