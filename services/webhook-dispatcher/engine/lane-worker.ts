import type { Dispatcher as Agent } from "undici";
import type { EventLog } from "../../../mixins/log/log.ts";
import type { Schedule } from "../../domain/delivery/backoff.ts";
import { type Attempt, type Lane, settled, skipTo } from "../../domain/delivery/lane.ts";
import { next } from "../../domain/delivery/next.ts";
import type { StoredEndpoint } from "../room.ts";
import type { Vault } from "../vault.ts";
import { deliver } from "./deliver.ts";
import type { Journal } from "./journal.ts";
import { begin, bufferedOf, type Parcel, type Running, refill } from "./running.ts";
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
const onlyOne = { events: 1, bytes: 0 };

/** Works one lane: an event in the log, or an outcome, makes it look again at what can be sent. */
export class LaneWorker {
  /** As long as the lane is this node's. */
  readonly tenure: Tenure;
  readonly #floor: Floor;
  readonly #running: Running;
  #pumping = false;
  #soon: NodeJS.Immediate | undefined;
  #pumpAgain = false;

  constructor(floor: Floor, tenure: Tenure, endpoint: StoredEndpoint, lane: Lane) {
    this.tenure = tenure;
    this.#floor = floor;
    this.#running = begin(endpoint, lane);
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
    const { journal, log, signal, slow, wakes } = this.#floor;
    const { keyId, underWay } = this.#running;
    const before = journal.lane(keyId);
    if (before?.status !== "ACTIVE" || !this.tenure.isOpen) return;
    const window = slow.windowOf(keyId, before.window);
    const expired = await refill(this.#running, before, log, window);
    if (expired) await this.#change(lane => skipTo(lane, expired.oldest));
    const lane = journal.lane(keyId);
    if (!lane || !this.#isCurrent() || !this.tenure.isOpen || signal.aborted) return;
    if (lane.revision !== this.#running.endpoint.revision) return this.#reload();
    // What was taken is no burden to the receiver any more; as much again may wait to be written down.
    const room = window + Math.min(this.#running.taken.size, window);
    const { send, wakeAt } = next(lane, this.#running.buffer, underWay, Date.now(), room);
    wakes.set(keyId, wakeAt);
    for (const { seq, source } of send) {
      const attempt = { seq, source, turn: lane.turn, epoch: lane.epoch };
      underWay.set(seq, attempt);
      this.#floor.track(this.#attempt(attempt), this.tenure);
    }
  }

  /** A request to another node has changed the endpoint. */
  #reload(): void {
    this.#floor.wakes.set(this.#running.keyId, Date.now() + reloadMs);
    this.#floor.reload(this.#running.keyId);
  }

  async #attempt(attempt: Attempt): Promise<void> {
    const { seq } = attempt;
    const { buffer, underWay, taken } = this.#running;
    try {
      const parcel = buffer.find(each => each.seq === seq) ?? (await this.#read(seq));
      if (parcel) await this.#deliver(attempt, parcel);
      // Expired while it waited for another attempt.
      else await this.#change(lane => settled(lane, seq));
    } catch (error) {
      this.#floor.onTrouble([this.#running.keyId], error);
    } finally {
      underWay.delete(seq);
      taken.delete(seq);
    }
    this.#pumpSoon();
  }

  /** Outcomes that come together are looked at together. */
  #pumpSoon(): void {
    this.#soon ??= setImmediate(() => {
      this.#soon = undefined;
      void this.pump();
    });
  }

  async #read(seq: number): Promise<Parcel | undefined> {
    const { events } = await this.#floor.log.readPortion(this.#running.keyId, seq - 1, onlyOne);
    const [event] = events;
    return event?.seq === seq ? bufferedOf(event) : undefined;
  }

  async #deliver(attempt: Attempt, parcel: Parcel): Promise<void> {
    const { agent, journal, logger, schedule, slow } = this.#floor;
    const { tenure } = this;
    const { keyId, url, endpoint, underWay, taken } = this.#running;
    const target = { keyId, url, revision: endpoint.revision, signingKeys: this.#signingKeys(Date.now()) };
    const stillThere = () => this.#isCurrent();
    const onAnswer = (ok: boolean) => {
      if (!ok) return;
      taken.add(attempt.seq);
      // The next event of its source may go: this one has arrived before it.
      underWay.set(attempt.seq, { ...attempt, source: null });
      this.#pumpSoon();
    };
    const parts = { agent, journal, schedule, target, tenure, attempt, parcel, stillThere, onAnswer };
    const delivered = await deliver(parts);
    if (!delivered) return;
    const { failedNow, line } = delivered;
    if (line.outcome === "succeeded") slow.note(keyId, line.duration_ms);
    else slow.forget(keyId);
    logger.debug("delivery.attempted", line);
    if (failedNow) logger.info("webhook.failed", line);
  }

  #signingKeys(now: number): Running["signingKeys"] {
    const running = this.#running;
    if (now < running.keysUntil) return running.signingKeys;
    const { previousUntil } = running.endpoint;
    running.signingKeys = this.#floor.vault.signingKeys(running.endpoint, now);
    running.keysUntil = now < previousUntil ? previousUntil : Number.POSITIVE_INFINITY;
    return running.signingKeys;
  }

  async #change(change: (lane: Lane) => Lane): Promise<void> {
    const { keyId } = this.#running;
    await this.#floor.journal.settle(keyId, batch => {
      const lane = batch.lane(keyId);
      if (lane && this.#isCurrent()) batch.setLane(keyId, change(lane));
    });
  }

  /** A failing endpoint looks again after its probe, whatever is added to the log. */
  #isProbing(): boolean {
    const { keyId, underWay } = this.#running;
    const lane = this.#floor.journal.lane(keyId);
    if (!lane || lane.streak.length === 0) return false;
    return underWay.size > 0 || (lane.retries.length > 0 && Date.now() < lane.probeAt);
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
