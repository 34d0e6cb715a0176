import { isProbing, type Lane, skipTo } from "../../domain/delivery/lane.ts";
import { isProbeDue, nextAttempts } from "../../domain/delivery/next-attempts.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";
import {
  type ActiveLane,
  activateLane,
  bufferShare,
  deliveryOptionsOf,
  needsRefill,
  refill,
  rewind,
} from "./active-lane.ts";
import { Attempts } from "./attempts.ts";
import type { LaneContext } from "./context.ts";
import type { ShardOwnership } from "./shard-ownership.ts";

/** Milliseconds before another try when a change of the endpoint is still being written. */
const reloadMs = 100;

/** Works one lane: after each new event and each outcome it checks what can be sent. */
export class LaneWorker {
  /** The ownership of the lane's shard. */
  readonly ownership: ShardOwnership;
  readonly #context: LaneContext;
  readonly #active: ActiveLane;
  readonly #attempts: Attempts;
  #pumping = false;
  #soon: NodeJS.Immediate | undefined;
  #pumpAgain = false;

  constructor(context: LaneContext, ownership: ShardOwnership, endpoint: StoredEndpoint, lane: Lane) {
    this.ownership = ownership;
    this.#context = context;
    this.#active = activateLane(endpoint, lane);
    const isCurrent = () => this.#isCurrent();
    this.#attempts = new Attempts(context, ownership, this.#active, isCurrent, () => this.#pumpSoon());
  }

  /** There may be more events in the log. */
  hint(): void {
    this.#active.hints += 1;
    this.#active.caughtUp = false;
    if (!this.#isProbing()) void this.pump();
  }

  useEndpoint(endpoint: StoredEndpoint): void {
    const active = this.#active;
    active.endpoint = endpoint;
    active.url = new URL(endpoint.url);
    active.keysUntil = 0;
  }

  /** Starts all attempts that may start now; only one pump runs at a time. */
  async pump(): Promise<void> {
    this.#pumpAgain = true;
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (this.#pumpAgain && !this.#context.signal.aborted) {
        this.#pumpAgain = false;
        await this.#step();
      }
    } catch (error) {
      this.#context.onStoreError([this.#active.keyId], error);
    } finally {
      this.#pumping = false;
    }
    if (this.#isIdle()) this.#context.unload(this.#active.keyId);
  }

  async #step(): Promise<void> {
    const { journal, log, schedule, signal, slow, wakes } = this.#context;
    const { keyId, underWay } = this.#active;
    const before = journal.lane(keyId);
    if (before?.status !== "ACTIVE" || !this.ownership.isOpen) return;
    const window = slow.windowOf(keyId, before.window);
    const { isStarved: wasStarved, readTo } = this.#active;
    const bytes = bufferShare(this.#context.laneCount());
    const expired = await refill(this.#active, before, log, window, bytes);
    if (expired) await this.#skip(before, expired.oldest);
    const lane = journal.lane(keyId);
    if (!lane || !this.#isCurrent() || !this.ownership.isOpen || signal.aborted) return;
    if (lane.revision !== this.#active.endpoint.revision) return this.#reload();
    // A replay has moved the position meanwhile: the buffer does not hold the next events.
    if (lane.epoch !== this.#active.epoch) {
      this.#pumpAgain = true;
      return;
    }
    const { buffer, more, accepted, endpoint } = this.#active;
    const view = { fresh: buffer.values(), more, underWay, accepted };
    const { send, wakeAt, isStarved } = nextAttempts(
      lane,
      view,
      Date.now(),
      schedule,
      deliveryOptionsOf(endpoint),
      window,
    );
    wakes.set(keyId, wakeAt);
    const { turn, epoch, revision } = lane;
    for (const events of send) {
      const attempt = { events, turn, epoch, revision };
      underWay.add(attempt);
      this.#context.track(this.#attempts.make(attempt), this.ownership);
    }
    this.#active.isStarved = isStarved;
    // Further events may be sendable, unless the last refill found none.
    const mayFind = !wasStarved || this.#active.readTo > readTo;
    if (isStarved && mayFind && needsRefill(this.#active, 0, bytes)) this.#pumpAgain = true;
  }

  async #skip(before: Lane, oldest: number): Promise<void> {
    try {
      await this.#attempts.change(lane => skipTo(lane, oldest));
    } catch (error) {
      // Read the gap again: a buffer that starts after it would hide it.
      rewind(this.#active, before);
      throw error;
    }
  }

  /** Another node has changed the endpoint. */
  #reload(): void {
    this.#context.wakes.set(this.#active.keyId, Date.now() + reloadMs);
    this.#context.reload(this.#active.keyId);
  }

  /** Handles outcomes of one turn together. */
  #pumpSoon(): void {
    this.#soon ??= setImmediate(() => {
      this.#soon = undefined;
      void this.pump();
    });
  }

  /** A failing endpoint waits for its next probe, whatever is appended to the log. */
  #isProbing(): boolean {
    const { keyId, underWay } = this.#active;
    const { journal, schedule } = this.#context;
    const lane = journal.lane(keyId);
    if (!lane || !isProbing(lane)) return false;
    return underWay.size > 0 || (lane.retries.length > 0 && !isProbeDue(lane, Date.now(), schedule));
  }

  #isCurrent(): boolean {
    return this.ownership.isHeld && this.#context.isCurrent(this);
  }

  get keyId(): string {
    return this.#active.keyId;
  }

  #isIdle(): boolean {
    const { keyId, underWay, buffer, caughtUp } = this.#active;
    if (this.#pumping || underWay.size > 0 || !this.#isCurrent()) return false;
    const lane = this.#context.journal.lane(keyId);
    const waits = lane && (lane.retries.length > 0 || buffer.size > 0 || !caughtUp);
    return !waits || lane.status !== "ACTIVE";
  }
}
