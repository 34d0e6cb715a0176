import { type BatchLimits, batchBytes, type DeliveryOptions } from "./delivery-options.ts";
import { type Attempt, faultsOf, type Lane, type PendingEvent, type Retry } from "./lane.ts";

/** What a lane sees of its events. */
export interface LaneView {
  /** Events after the position, in order, including ones that are done, under way or waiting for a retry. */
  fresh: Iterable<PendingEvent>;
  /** The log holds more events. */
  more: boolean;
  underWay: ReadonlySet<Attempt>;
  /** Attempts under way that the receiver has accepted: only the write is left. */
  accepted: ReadonlySet<Attempt>;
}

/** The events that one attempt may send. */
export interface SendUnit {
  events: PendingEvent[];
  /** How often all of them have failed, without what the endpoint's limits caused. */
  failures: number;
  /** Unix milliseconds. */
  dueAt: number;
  /** Milliseconds for which it waits for more events. */
  waitMs: number;
}

/** While this many events wait for a retry, no new ones are sent: two of the largest batches. */
const maxRetries = 2_000;

/**
 * The units that may be sent, due or not, in log order: single events or batches. Where order counts, an event is left
 * out while another of its conversation is under way or comes before it in another unit.
 */
export function* unitsOf(
  lane: Lane,
  view: LaneView,
  { ordering, batch }: DeliveryOptions,
): Iterable<SendUnit> {
  const { busy, blocked } = underWayIn(view, ordering === "conversation");
  const { length } = lane.retries;
  const retries = length > 0 ? lane.retries.filter(({ seq }) => !busy.has(seq)) : lane.retries;
  const packer = batch && new BatchPacker(batch);
  const groups = packer ? new FailedBatches(retries) : undefined;
  const fresh = length < maxRetries ? untouched(lane, view.fresh, busy) : [];
  for (const event of merged(retries, fresh)) {
    if (blocked.has(event)) continue;
    const unit = packer && isFresh(event) ? packer.add(event) : unitOf(event, groups, blocked);
    if (!unit) continue;
    blocked.add(unit.events);
    yield unit;
  }
  const last = packer?.rest(view.more);
  if (last) yield last;
}

type Candidate = PendingEvent & Partial<Retry>;

function isFresh({ failures = 0 }: Candidate): boolean {
  return failures === 0;
}

/** The event alone, or with those that failed in the same batch; nothing if it was part of such a unit already. */
function unitOf(
  event: Candidate,
  groups: FailedBatches | undefined,
  blocked: BlockedConversations,
): SendUnit | undefined {
  const { failures = 0, limited = 0, notBefore = 0 } = event;
  const events = groups?.take(event).filter(each => !blocked.has(each)) ?? [event];
  return events.length > 0
    ? { events, failures: faultsOf({ failures, limited }), dueAt: notBefore, waitMs: 0 }
    : undefined;
}

/** The events that failed as one batch. */
class FailedBatches {
  readonly #groups = new Map<number, Retry[]>();

  constructor(retries: readonly Retry[]) {
    for (const retry of retries) {
      if (retry.batch === undefined) continue;
      const group = this.#groups.get(retry.batch);
      if (group) group.push(retry);
      else this.#groups.set(retry.batch, [retry]);
    }
  }

  /** Returns each group once. */
  take(event: Candidate): PendingEvent[] {
    if (event.batch === undefined) return [event];
    const group = this.#groups.get(event.batch) ?? [];
    this.#groups.delete(event.batch);
    return group;
  }
}

/** Merges both, which are in log order. */
export function* merged(retries: readonly Retry[], fresh: Iterable<PendingEvent>): Iterable<Candidate> {
  let at = 0;
  for (const event of fresh) {
    for (let retry = retries[at]; retry && retry.seq < event.seq; retry = retries[at]) {
      yield retry;
      at += 1;
    }
    yield event;
  }
  yield* retries.slice(at);
}

/** Events that were not tried, are not done and not under way. */
export function* untouched(
  { position, settled, retries }: Lane,
  fresh: Iterable<PendingEvent>,
  busy: ReadonlySet<number>,
): Iterable<PendingEvent> {
  const waiting = new Set(retries.length > 0 ? retries.map(({ seq }) => seq) : []);
  let done = 0;
  for (const event of fresh) {
    const { seq } = event;
    // Both are in order, and a lane is checked too often for a set of all that is settled.
    while ((settled[done] ?? Number.POSITIVE_INFINITY) < seq) done += 1;
    if (seq > position && settled[done] !== seq && !waiting.has(seq) && !busy.has(seq)) yield event;
  }
}

/** The events under way, and the conversations that must wait for them. */
function underWayIn({ underWay, accepted }: LaneView, isOrdered: boolean) {
  const busy = new Set<number>();
  const blocked = new BlockedConversations(isOrdered);
  for (const attempt of underWay) {
    for (const { seq } of attempt.events) busy.add(seq);
    if (!accepted.has(attempt)) blocked.add(attempt.events);
  }
  return { busy, blocked };
}

/** Conversations that must wait. */
class BlockedConversations {
  readonly #conversations = new Set<string>();
  readonly #isOrdered: boolean;

  constructor(isOrdered: boolean) {
    this.#isOrdered = isOrdered;
  }

  add(events: readonly PendingEvent[]): void {
    if (!this.#isOrdered) return;
    for (const { conversation } of events) if (conversation !== null) this.#conversations.add(conversation);
  }

  has({ conversation }: PendingEvent): boolean {
    return conversation !== null && this.#conversations.has(conversation);
  }
}

/** Fills batches one after the other. */
export class BatchPacker {
  readonly #limits: BatchLimits;
  #events: PendingEvent[] = [];
  #bytes = 0;

  constructor(limits: BatchLimits) {
    this.#limits = limits;
  }

  /** The batch that this event completes, or that is full without it. */
  add(event: PendingEvent): SendUnit | undefined {
    const { bytes = 0 } = event;
    const isTooMuch = this.#events.length > 0 && this.#bytes + bytes > batchBytes;
    const full = isTooMuch ? this.#close(0) : undefined;
    this.#events.push(event);
    this.#bytes += bytes;
    return full ?? (this.#events.length >= this.#limits.max_events ? this.#close(0) : undefined);
  }

  /** The rest as a batch, which waits for more events unless the log has them. */
  rest(more: boolean): SendUnit | undefined {
    const [first] = this.#events;
    if (!first) return undefined;
    return this.#close(more ? 0 : (first.readAt ?? 0) + this.#limits.max_wait_ms);
  }

  #close(dueAt: number): SendUnit {
    const events = this.#events;
    this.#events = [];
    this.#bytes = 0;
    return { events, failures: 0, dueAt, waitMs: this.#limits.max_wait_ms };
  }
}
