import { setImmediate as yieldToLoop } from "node:timers/promises";
import { expireTo, isProbing, type Lane, skipTo, waitingBefore } from "../../domain/delivery/lane.ts";
import { isProbeDue, nextAttempts } from "../../domain/delivery/next-attempts.ts";
import { writesFiles } from "../destinations/kinds.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";
import {
  type ActiveLane,
  activateLane,
  type BufferedEvent,
  bufferShare,
  laneOptionsOf,
  needsRefill,
  refill,
  rewind,
} from "./active-lane.ts";
import { Attempts } from "./attempts.ts";
import type { LaneContext, WorksLane } from "./context.ts";
import { applyPassed, countPassed, isWorthWriting, type PassedEvents } from "./passed-events.ts";
import { onlyNotices, QuotaHold } from "./quota-hold.ts";
import type { ShardOwnership } from "./shard-ownership.ts";
import { WaitingTime } from "./waiting-time.ts";
import { isFiltered } from "./wanted-events.ts";

/** Works one lane: after each new event and each outcome it checks what can be sent. */
export class LaneWorker implements WorksLane {
  /** The ownership of the lane's shard. */
  readonly ownership: ShardOwnership;
  readonly #context: LaneContext;
  readonly #active: ActiveLane;
  readonly #attempts: Attempts;
  readonly #hold: QuotaHold;
  readonly #waiting = new WaitingTime();
  #pumping = false;
  #soon: NodeJS.Immediate | undefined;
  #pumpAgain = false;
  #writing = false;

  constructor(
    context: LaneContext,
    ownership: ShardOwnership,
    endpoint: StoredEndpoint,
    lane: Lane,
    passed?: PassedEvents,
  ) {
    this.ownership = ownership;
    this.#context = context;
    this.#active = activateLane(endpoint, lane, passed);
    const isCurrent = () => this.#isCurrent();
    this.#hold = new QuotaHold(context, endpoint._id);
    const onOutcome = () => this.#pumpSoon();
    this.#attempts = new Attempts(context, ownership, this.#active, this.#hold, isCurrent, onOutcome);
  }

  /** There may be more events in the log. */
  hint(): void {
    this.#active.hints += 1;
    this.#active.caughtUp = false;
    if (!this.#isProbing()) void this.pump();
  }

  quotasChanged(): void {
    this.#hold.release();
    void this.pump();
  }

  readAgain(): void {
    this.#active.isStale = true;
    void this.pump();
  }

  useEndpoint(endpoint: StoredEndpoint): void {
    const active = this.#active;
    // What was read is chosen again: a filter may have changed, and what was passed over holds for the former one.
    if (
      endpoint.revision !== active.endpoint.revision &&
      (isFiltered(endpoint) || isFiltered(active.endpoint))
    ) {
      active.isStale = true;
      active.passed.spans = [];
    }
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
      this.#context.onStoreError([this.#active.laneId], error);
    } finally {
      this.#pumping = false;
    }
    if (this.isIdle) this.#context.onIdle(this.#active.laneId);
  }

  /** Events beyond the position that were read and are not wanted. */
  get passed(): number {
    const { laneId, passed } = this.#active;
    return countPassed(passed, this.#context.journal.lane(laneId)?.position ?? 0);
  }

  get passedOver(): PassedEvents {
    return this.#active.passed;
  }

  async #step(): Promise<void> {
    const { journal, log, schedule, signal, slow, wakes, wanted } = this.#context;
    const { laneId, underWay } = this.#active;
    const before = journal.lane(laneId);
    if (before?.status !== "ACTIVE" || !this.ownership.isOpen) return;
    const window = slow.windowOf(laneId, before.window);
    const { isStarved: wasStarved, readTo } = this.#active;
    const bytes = bufferShare(this.#context.laneCount());
    const expired = await refill(this.#active, before, log, window, bytes, wanted);
    if (expired) await this.#skip(before, expired.oldest);
    if (await this.#expires(before)) return;
    const notices = await this.#notices(before);
    const lane = journal.lane(laneId);
    if (!lane || !this.#isCurrent() || !this.ownership.isOpen || signal.aborted) return;
    // Another node, or a request to this one, changes the endpoint.
    if (lane.revision !== this.#active.endpoint.revision) return this.#context.reload(laneId);
    // The endpoint has digests now: what works those takes over once nothing is under way.
    if (this.#active.endpoint.digest) return underWay.size > 0 ? undefined : this.#context.reload(laneId);
    // A replay has moved the position meanwhile, or a filter has changed: the buffer does not hold the next events.
    if (lane.epoch !== this.#active.epoch || this.#active.isStale) {
      this.#pumpAgain = true;
      return;
    }
    const { buffer, more, accepted, endpoint } = this.#active;
    const view = notices
      ? { fresh: notices, more: false, underWay, accepted }
      : { fresh: buffer.values(), more, underWay, accepted };
    const now = Date.now();
    const next = nextAttempts(
      notices ? onlyNotices(lane, notices) : lane,
      view,
      now,
      schedule,
      laneOptionsOf(endpoint, lane),
      window,
    );
    const { send, readyAt } = this.#context.paces.limit(laneId, endpoint.rate, next.send, now);
    const times = [next.wakeAt, readyAt, notices && this.#hold.until].filter(time => time !== undefined);
    wakes.set(laneId, times.length > 0 ? Math.min(...times) : undefined);
    const { until } = this.#hold;
    const { missEpoch, epoch, revision, diverted } = lane;
    for (const events of send) {
      const attempt = { events, missEpoch, epoch, revision, ...(diverted && { diverted }) };
      underWay.add(attempt);
      this.#context.track(this.#attempts.make(attempt), this);
    }
    if (notices) {
      this.#pumpAgain ||= this.#hold.hasMore || until === undefined;
      // The log that is searched may be long, and reading it may let nothing else run.
      if (this.#pumpAgain) await yieldToLoop();
      return;
    }
    const { isStarved } = next;
    this.#active.isStarved = isStarved;
    // Further events may be sendable, unless the last refill found none.
    const mayFind = !wasStarved || this.#active.readTo > readTo;
    if (isStarved && mayFind && needsRefill(this.#active, 0, bytes)) this.#pumpAgain = true;
    this.#writePassed(lane);
    // A lane that wants little of a long log lets other work run between two portions.
    if (this.#pumpAgain && buffer.size === 0) await yieldToLoop();
  }

  /** While the lane is held: the notices that may be sent. Files have their events in order, so there is none. */
  async #notices(lane: Lane): Promise<BufferedEvent[] | undefined> {
    const { destination } = this.#active.endpoint;
    if (this.#hold.until !== undefined && writesFiles(destination)) return [];
    return await this.#hold.notices(this.#active, lane);
  }

  /** The next outcome covers what was passed over; without one it is written now and then. */
  #writePassed(lane: Lane): void {
    const { underWay, passed, laneId } = this.#active;
    if (underWay.size > 0 || this.#writing || !isWorthWriting(passed, lane, Date.now())) return;
    this.#writing = true;
    const writing = this.#attempts
      .change(now => applyPassed(this.#active.passed, now))
      .catch(error => this.#context.onStoreError([laneId], error))
      .finally(() => {
        this.#writing = false;
        this.#pumpSoon();
      });
    this.#context.track(writing, this);
  }

  async #skip(before: Lane, oldest: number): Promise<void> {
    try {
      await this.#leaveOut(oldest, lane => skipTo(lane, oldest));
    } catch (error) {
      // Read the gap again: a buffer that starts after it would hide it.
      rewind(this.#active, before);
      throw error;
    }
  }

  /** Leaves out what has waited too long, and has the rest read again. */
  async #expires(before: Lane): Promise<boolean> {
    const { laneId, buffer, passed } = this.#active;
    const [next] = buffer.values();
    const to = await this.#waiting.endsAt(this.#context, laneId, before, next?.timestamp);
    if (to === 0 || waitingBefore(applyPassed(passed, before), to + 1) === 0) return false;
    await this.#leaveOut(to + 1, lane => expireTo(lane, to));
    this.#active.isStale = true;
    this.#pumpAgain = true;
    return true;
  }

  /** Changes the lane so that no event before a position waits, and counts those that did. */
  async #leaveOut(before: number, change: (lane: Lane) => Lane): Promise<void> {
    let expired = 0;
    await this.#attempts.change(lane => {
      // An outcome, or another thread that worked the lane, may have changed it meanwhile.
      expired = waitingBefore(applyPassed(this.#active.passed, lane), before);
      return change(lane);
    });
    if (expired > 0) this.#context.onExpired(expired);
  }

  /** Handles outcomes of one tick together. */
  #pumpSoon(): void {
    this.#soon ??= setImmediate(() => {
      this.#soon = undefined;
      void this.pump();
    });
  }

  /** A failing endpoint waits for its next probe, whatever is appended to the log. */
  #isProbing(): boolean {
    const { laneId, underWay } = this.#active;
    const { journal, schedule } = this.#context;
    const lane = journal.lane(laneId);
    if (!lane || !isProbing(lane)) return false;
    return underWay.size > 0 || (lane.retries.length > 0 && !isProbeDue(lane, Date.now(), schedule));
  }

  #isCurrent(): boolean {
    return this.ownership.isHeld && this.#context.isCurrent(this);
  }

  get laneId(): string {
    return this.#active.laneId;
  }

  get isBusy(): boolean {
    return this.#active.underWay.size > 0 || this.#writing;
  }

  /** Whether it has nothing to do until something is appended or changed. */
  get isIdle(): boolean {
    const { laneId, underWay, buffer, caughtUp } = this.#active;
    if (this.#pumping || this.#writing || underWay.size > 0 || !this.#isCurrent()) return false;
    const lane = this.#context.journal.lane(laneId);
    const waits = lane && (lane.retries.length > 0 || buffer.size > 0 || !caughtUp);
    return !waits || lane.status !== "ACTIVE";
  }
}
