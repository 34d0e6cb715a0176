import type { Dispatcher as Agent } from "undici";
import type { EventLog } from "../../../mixins/log/log.ts";
import type { Schedule } from "../../domain/delivery/backoff.ts";
import { type Lane, skipTo } from "../../domain/delivery/lane.ts";
import { isProbeDue, next } from "../../domain/delivery/next.ts";
import type { StoredEndpoint } from "../room.ts";
import type { Vault } from "../vault.ts";
import { Attempts } from "./attempts.ts";
import type { Journal } from "./journal.ts";
import { begin, type Running, refill, rewind } from "./running.ts";
import type { SlowLanes } from "./slow-lanes.ts";
import type { Tenure } from "./tenure.ts";
import type { WakeQueue } from "./wake-queue.ts";

export interface DispatcherOptions {
  journal: Journal;
  log: EventLog;
  agent: Agent;
  vault: Vault;
  schedule: Schedule;
  /** Hints to the other nodes that the endpoint or the lane of this key was changed or removed. */
  tellOthers(keyId: string): void;
  logger: {
    info(...args: unknown[]): void;
    error(...args: unknown[]): void;
    debug(...args: unknown[]): void;
  };
}

/** What the workers have in common. */
export interface Floor extends DispatcherOptions {
  wakes: WakeQueue;
  slow: SlowLanes;
  signal: AbortSignal;
  /** False once the lane was removed, or let go and taken up anew. */
  isCurrent(worker: LaneWorker): boolean;
  /** Keeps account of what is under way. */
  track(attempt: Promise<void>, tenure: Tenure): void;
  /** The lane has nothing to do. */
  letGo(keyId: string): void;
  /** The endpoint is to be read anew. */
  reload(keyId: string): void;
  onTrouble(keyIds: string[], error: unknown): void;
}

/** How soon an endpoint whose change is still being written is looked at again. */
const reloadMs = 100;

/** Works one lane: an event in the log, or an outcome, makes it look again at what can be sent. */
export class LaneWorker {
  /** As long as the lane is this node's. */
  readonly tenure: Tenure;
  readonly #floor: Floor;
  readonly #running: Running;
  readonly #attempts: Attempts;
  #pumping = false;
  #soon: NodeJS.Immediate | undefined;
  #pumpAgain = false;

  constructor(floor: Floor, tenure: Tenure, endpoint: StoredEndpoint, lane: Lane) {
    this.tenure = tenure;
    this.#floor = floor;
    this.#running = begin(endpoint, lane);
    const isCurrent = () => this.#isCurrent();
    this.#attempts = new Attempts(floor, tenure, this.#running, isCurrent, () => this.#pumpSoon());
  }

  /** There may be more in the log. */
  hint(): void {
    this.#running.hints += 1;
    this.#running.caughtUp = false;
    if (!this.#isProbing()) void this.pump();
  }

  equip(endpoint: StoredEndpoint): void {
    const running = this.#running;
    running.endpoint = endpoint;
    running.url = new URL(endpoint.url);
    running.keysUntil = 0;
  }

  /** Lets the lane do what it can now; one pump at a time. */
  async pump(): Promise<void> {
    this.#pumpAgain = true;
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (this.#pumpAgain && !this.#floor.signal.aborted) {
        this.#pumpAgain = false;
        await this.#step();
      }
    } catch (error) {
      this.#floor.onTrouble([this.#running.keyId], error);
    } finally {
      this.#pumping = false;
    }
    if (this.#isIdle()) this.#floor.letGo(this.#running.keyId);
  }

  async #step(): Promise<void> {
    const { journal, log, schedule, signal, slow, wakes } = this.#floor;
    const { keyId, underWay } = this.#running;
    const before = journal.lane(keyId);
    if (before?.status !== "ACTIVE" || !this.tenure.isOpen) return;
    const window = slow.windowOf(keyId, before.window);
    const expired = await refill(this.#running, before, log, window);
    if (expired) await this.#skip(before, expired.oldest);
    const lane = journal.lane(keyId);
    if (!lane || !this.#isCurrent() || !this.tenure.isOpen || signal.aborted) return;
    if (lane.revision !== this.#running.endpoint.revision) return this.#reload();
    // A replay came meanwhile: what was read is not what is next.
    if (lane.epoch !== this.#running.epoch) {
      this.#pumpAgain = true;
      return;
    }
    // What was taken is no burden to the receiver any more; as much again may wait to be written down.
    const room = window + Math.min(this.#running.taken.size, window);
    const { send, wakeAt } = next(lane, this.#running.buffer, underWay, Date.now(), schedule, room);
    wakes.set(keyId, wakeAt);
    for (const { seq, source } of send) {
      const attempt = { seq, source, turn: lane.turn, epoch: lane.epoch };
      underWay.set(seq, attempt);
      this.#floor.track(this.#attempts.make(attempt), this.tenure);
    }
  }

  async #skip(before: Lane, oldest: number): Promise<void> {
    try {
      await this.#attempts.change(lane => skipTo(lane, oldest));
    } catch (error) {
      // Read on behind the gap, nobody would see it again.
      rewind(this.#running, before);
      throw error;
    }
  }

  /** A request to another node has changed the endpoint. */
  #reload(): void {
    this.#floor.wakes.set(this.#running.keyId, Date.now() + reloadMs);
    this.#floor.reload(this.#running.keyId);
  }

  /** Outcomes that come together are looked at together. */
  #pumpSoon(): void {
    this.#soon ??= setImmediate(() => {
      this.#soon = undefined;
      void this.pump();
    });
  }

  /** A failing endpoint looks again after its probe, whatever is added to the log. */
  #isProbing(): boolean {
    const { keyId, underWay } = this.#running;
    const { journal, schedule } = this.#floor;
    const lane = journal.lane(keyId);
    if (!lane || lane.streak.length === 0) return false;
    return underWay.size > 0 || (lane.retries.length > 0 && !isProbeDue(lane, Date.now(), schedule));
  }

  #isCurrent(): boolean {
    return this.tenure.isHeld && this.#floor.isCurrent(this);
  }

  get keyId(): string {
    return this.#running.keyId;
  }

  #isIdle(): boolean {
    const { keyId, underWay, buffer, caughtUp } = this.#running;
    if (this.#pumping || underWay.size > 0 || !this.#isCurrent()) return false;
    const lane = this.#floor.journal.lane(keyId);
    const waits = lane && (lane.retries.length > 0 || buffer.length > 0 || !caughtUp);
    return !waits || lane.status !== "ACTIVE";
  }
}
