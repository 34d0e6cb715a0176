import { sleepUntilAborted } from "../../../mixins/async/sleep.ts";
import { logEvent } from "../../../mixins/log/log-events.ts";
import { isFarOff, jitter, longestPauseMs } from "../../domain/delivery/backoff.ts";
import {
  applyDigest,
  type DigestAttempt,
  digestId,
  digestMs,
  doneThrough,
  endAt,
  isDigestDue,
  withDigest,
} from "../../domain/delivery/digest.ts";
import { expireTo, keyOf, type Lane, waitingBefore } from "../../domain/delivery/lane.ts";
import { isProbeDue } from "../../domain/delivery/next-attempts.ts";
import { notSent } from "../mail/mail-way.ts";
import type { Answer } from "../sending/send.ts";
import { attemptAt, type StoredEndpoint } from "../webhooks.store.ts";
import type { LaneContext, WorksLane } from "./context.ts";
import { type DigestEvents, digestEvents, waitingIn } from "./digest-events.ts";
import {
  applyPassed,
  isWorthWriting,
  noneYet,
  type PassedEvents,
  pass,
  trimPassed,
} from "./passed-events.ts";
import { heldUntil, isNotice } from "./quota-hold.ts";
import type { ShardOwnership } from "./shard-ownership.ts";
import { WaitingTime } from "./waiting-time.ts";

const portion = { events: 256, bytes: 1_000_000 };
const errorPauseMs = 1_000;

/**
 * Works the lane of an endpoint with digests: one mail with all that waits, an interval after the first event. Events stay
 * in the log until then; what is stored is when the digest is due and, from its first attempt on, where it ends.
 */
export class DigestWorker implements WorksLane {
  readonly ownership: ShardOwnership;
  readonly #context: LaneContext;
  #endpoint: StoredEndpoint;
  readonly #waiting = new WaitingTime();
  #passed: PassedEvents;
  #readTo: number;
  #hints = 0;
  #caughtUp = false;
  #pumping = false;
  #pumpAgain = false;
  #isSending = false;
  /** Until when the quota of deliveries holds it, in Unix milliseconds. */
  #heldUntil = 0;

  constructor(
    context: LaneContext,
    ownership: ShardOwnership,
    endpoint: StoredEndpoint,
    lane: Lane,
    passed = noneYet(endpoint, lane),
  ) {
    this.ownership = ownership;
    this.#context = context;
    this.#endpoint = endpoint;
    this.#passed = passed;
    this.#readTo = applyPassed(passed, lane).position;
  }

  get laneId(): string {
    return this.#endpoint._id;
  }

  hint(): void {
    this.#hints += 1;
    this.#caughtUp = false;
    void this.pump();
  }

  quotasChanged(): void {
    this.#heldUntil = 0;
    void this.pump();
  }

  readAgain(): void {
    // A digest is read from the log when it is sent.
  }

  useEndpoint(endpoint: StoredEndpoint): void {
    const lane = this.#context.journal.lane(this.laneId);
    if (endpoint.revision !== this.#endpoint.revision && lane) this.#rewind(endpoint, lane);
    this.#endpoint = endpoint;
  }

  /** All that waits for the time of its digest: more nodes would not send it sooner. */
  get passed(): number {
    return this.#isSending ? 0 : Number.POSITIVE_INFINITY;
  }

  get passedOver(): PassedEvents {
    return this.#passed;
  }

  get isBusy(): boolean {
    return this.#isSending;
  }

  get isIdle(): boolean {
    if (this.#pumping || this.#isSending || !this.#isCurrent()) return false;
    const lane = this.#context.journal.lane(this.laneId);
    return lane?.status !== "ACTIVE" || (this.#caughtUp && !lane.digest && lane.retries.length === 0);
  }

  /** Does what is due; only one pump runs at a time. */
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
      this.#context.onStoreError([this.laneId], error);
    } finally {
      this.#pumping = false;
    }
    if (this.isIdle) this.#context.onIdle(this.laneId);
  }

  async #step(): Promise<void> {
    const { journal, wakes, track } = this.#context;
    const lane = journal.lane(this.laneId);
    const { digest: interval, revision } = this.#endpoint;
    if (lane?.status !== "ACTIVE" || !this.ownership.isOpen || this.#isSending) return;
    if (lane.revision !== revision || !interval) return this.#context.reload(this.laneId);
    // A replay has moved the position.
    if (lane.epoch !== this.#passed.epoch) this.#rewind(this.#endpoint, lane);
    if (await this.#expires(lane)) return;
    if (!lane.digest) {
      if (await this.#finds(lane)) await this.#plan(now => withDigest(now, Date.now() + digestMs[interval]));
      else if (isWorthWriting(this.#passed, lane, Date.now())) await this.#plan(now => now);
      return;
    }
    const wakeAt = this.#waitsUntil(lane, interval, Date.now());
    wakes.set(this.laneId, wakeAt);
    if (wakeAt !== undefined) return;
    this.#isSending = true;
    track(this.#make(lane), this);
  }

  /** When the digest can be sent; undefined: now. */
  #waitsUntil(lane: Lane, interval: keyof typeof digestMs, now: number): number | undefined {
    const { digest, streak, probeAt, pausedUntil } = lane;
    if (digest && !isDigestDue(digest, interval, now)) return digest.dueAt;
    if (this.#heldUntil > now) return this.#heldUntil;
    if (pausedUntil > now && !isFarOff(pausedUntil, now, longestPauseMs)) return pausedUntil;
    return streak.length > 0 && !isProbeDue(lane, now, this.#context.schedule) ? probeAt : undefined;
  }

  /** Whether an event waits. Passes over those that are not wanted. */
  async #finds(lane: Lane): Promise<boolean> {
    if (lane.retries.length > 0) return true;
    this.#readTo = Math.max(this.#readTo, lane.position);
    trimPassed(this.#passed, lane.position, Number.POSITIVE_INFINITY);
    const hints = this.#hints;
    const { log, wanted } = this.#context;
    const { events, more } = await log.readWithin(keyOf(this.laneId), this.#readTo, portion);
    const waiting = await wanted.of(this.#endpoint, events.filter(waitingIn(lane)));
    if (waiting.length > 0) return true;
    const [oldest] = events;
    if (oldest && oldest.seq > this.#readTo + 1) this.#expired(this.#readTo, oldest.seq);
    for (const { seq } of events) pass(this.#passed, seq, Date.now());
    this.#readTo = events.at(-1)?.seq ?? this.#readTo;
    this.#caughtUp = !more && hints === this.#hints;
    this.#pumpAgain ||= !this.#caughtUp;
    return false;
  }

  /** Leaves out what has waited too long. */
  async #expires(before: Lane): Promise<boolean> {
    // What waits is read from the log when the digest is due, so any of it may be old.
    const to = await this.#waiting.endsAt(this.#context, this.laneId, before, new Date(0).toISOString());
    if (to === 0 || waitingBefore(applyPassed(this.#passed, before), to + 1) === 0) return false;
    let expired = 0;
    await this.#plan(now => {
      expired = waitingBefore(now, to + 1);
      return expireTo(now, to);
    });
    if (expired > 0) this.#context.onExpired(expired);
    return true;
  }

  /** The log holds nothing more between two positions. */
  #expired(after: number, before: number): void {
    this.#passed.spans.push({ from: after + 1, to: before - 1 });
    this.#context.onExpired(before - after - 1);
  }

  /** Changes the lane if nothing else has changed it, and checks it again. */
  async #plan(change: (lane: Lane) => Lane): Promise<Lane | null> {
    const { revision } = this.#endpoint;
    const { epoch } = this.#passed;
    const changed = await this.#context.journal.write(this.laneId, batch => {
      const lane = batch.lane(this.laneId);
      const isSame = lane?.status === "ACTIVE" && lane.revision === revision && lane.epoch === epoch;
      if (!lane || !isSame || !this.#isCurrent()) return null;
      const next = change(applyPassed(this.#passed, lane));
      batch.setLane(this.laneId, next);
      return next;
    });
    this.#pumpAgain = true;
    return changed;
  }

  #rewind(endpoint: StoredEndpoint, lane: Lane): void {
    this.#passed = noneYet(endpoint, lane);
    this.#readTo = lane.position;
    this.#caughtUp = false;
  }

  /** Makes one attempt; it is under way until its outcome is stored. Never rejects. */
  async #make(lane: Lane): Promise<void> {
    const { digests, signal, onStoreError } = this.#context;
    try {
      await digests.run(keyOf(this.laneId), signal, async () => {
        // Another node takes over what has waited here for a place.
        if (this.ownership.isOpen) await this.#send(lane);
      });
    } catch (error) {
      if (!signal.aborted) onStoreError([this.laneId], error);
      await sleepUntilAborted(errorPauseMs, signal);
    } finally {
      this.#isSending = false;
    }
    void this.pump();
  }

  async #send(lane: Lane): Promise<void> {
    const endpoint = this.#endpoint;
    const keyId = keyOf(this.laneId);
    const events = await digestEvents(this.#context, endpoint, keyId, lane, lane.digest?.to);
    const [first] = events.shown;
    const { to } = events;
    if (!first) {
      await this.#plan(now => doneThrough(now, to));
      return;
    }
    // The end is written after the charge: its id has what is known before, so that the next try finds it.
    const charge = digestId(this.laneId, lane.epoch, first.id, lane.digest?.dueAt ?? 0);
    const isCharged = await this.#charge(charge, events);
    if (isCharged === null) return;
    const settle = async (isDone: boolean) => isCharged && (await this.#settle(charge, isDone));
    // Before the mail: after a kill its copy holds the same events under the same id.
    const planned = await this.#plan(now => endAt(now, lane.digest?.to, to));
    if (planned?.digest?.to !== to) {
      // Another node that works the lane now finds the charge.
      if (this.#isCurrent()) await settle(false);
      return;
    }
    const id = digestId(this.laneId, lane.epoch, first.id, to);
    const started = Date.now();
    const bodies = events.shown.map(({ json }) => json);
    const mailed = { id, bodies, total: events.total };
    const answer = (await this.#context.mail?.deliver(endpoint, mailed, this.ownership)) ?? notSent;
    const { missEpoch, epoch, revision } = planned;
    const attempt = { missEpoch, epoch, revision, to, failures: planned.digest.failures };
    await this.#recordUntilStored(endpoint, attempt, events, answer, started);
    await settle(answer.error === null);
  }

  /** Charges a digest as one delivery, unless it has a notice of a quota. Null when the quota holds it. */
  async #charge(id: string, { shown }: DigestEvents): Promise<boolean | null> {
    const { quotas } = this.#context;
    const keyId = keyOf(this.laneId);
    if (shown.some(isNotice) || !(await quotas.has(keyId))) return false;
    const { refused } = await quotas.charge(keyId, [{ id, amounts: { deliveries: 1 } }]);
    if (!refused) return true;
    this.#heldUntil = heldUntil(refused, Date.now());
    return null;
  }

  async #settle(charge: string, isDone: boolean): Promise<void> {
    const settled = this.#context.quotas.settle(keyOf(this.laneId), [charge], isDone);
    await settled.catch(error => logEvent(this.#context.logger, "quota_charge.failed", { error }));
  }

  /** As long as the store refuses the outcome the attempt is under way, so that a full disk causes no second mail. */
  async #recordUntilStored(...parts: Parameters<DigestWorker["record"]>): Promise<void> {
    const { signal, onStoreError } = this.#context;
    for (;;)
      try {
        await this.record(...parts);
        return;
      } catch (error) {
        if (signal.aborted || !this.#isCurrent()) throw error;
        onStoreError([this.laneId], error);
        await sleepUntilAborted(errorPauseMs, signal);
      }
  }

  private async record(
    endpoint: StoredEndpoint,
    attempt: DigestAttempt,
    { shown, total }: DigestEvents,
    answer: Answer,
    started: number,
  ): Promise<void> {
    const { journal, schedule, logger, onAttempted } = this.#context;
    const ended = Date.now();
    const { error, status, blame } = answer;
    const judged = { ok: error === null, status, retryAfterMs: 0, blame };
    const outcome = judged.ok ? ("succeeded" as const) : ("failed" as const);
    const line = {
      keyId: keyOf(this.laneId),
      ...attemptAt(endpoint),
      attempt: attempt.failures + 1,
      outcome,
      http_status: status,
      error,
      duration_ms: ended - started,
    };
    const hasFailed = await journal.writeOutcome(this.laneId, batch => {
      const before = batch.lane(this.laneId);
      if (!before || !this.#isCurrent()) return false;
      const policy = { schedule, spread: jitter(Math.random) };
      const after = applyDigest(before, attempt, judged, ended, policy);
      if (after === before) return false;
      batch.setLane(this.laneId, after);
      const { url } = endpoint;
      for (const { id, type, seq } of shown)
        batch.record({
          event_id: id,
          type,
          seq,
          ...line,
          startedAt: started,
          url,
          answer: answer.text,
        });
      return after.status !== before.status;
    });
    for (const { timestamp } of shown) onAttempted(line, timestamp);
    const at = new Date(started).toISOString();
    logEvent(logger, "digest.attempted", { ...line, at, events: total });
    if (hasFailed) logEvent(logger, "webhook.failed", { ...line, at });
  }

  #isCurrent(): boolean {
    return this.ownership.isHeld && this.#context.isCurrent(this);
  }
}
