import type { WrittenEvent } from "../../../mixins/event-log/event-log.ts";
import { logEvent } from "../../../mixins/log/log-events.ts";
import { isOfEndpoint } from "../../contracts/events.ts";
import { keyOf, type Lane, type PendingEvent } from "../../domain/delivery/lane.ts";
import type { Charge } from "../../domain/quota/counts.ts";
import type { QuotaUse } from "../../domain/quota/quotas.ts";
import { type ActiveLane, type BufferedEvent, type OutgoingEvent, toBuffered } from "./active-lane.ts";
import type { LaneContext } from "./context.ts";

/** A lane that is held asks again after this time: the hint that its quota was raised may be lost. */
const askAgainMs = 60_000;
const portion = { events: 256, bytes: 1_000_000 };

/** Notices of quotas and of endpoints are delivered whatever is used up, and count towards no quota. */
export function isNotice({ type }: { type: string }): boolean {
  return type === "quota.warning" || type === "quota.exceeded" || isOfEndpoint({ type });
}

/** Until when a quota that is used up holds a lane, in Unix milliseconds. */
export function heldUntil({ resets_at }: Pick<QuotaUse, "resets_at">, now: number): number {
  return Math.min(Date.parse(resets_at), now + askAgainMs);
}

type Context = Pick<LaneContext, "log" | "wanted" | "quotas" | "logger">;

/**
 * Charges the deliveries of a lane to the quotas of its key, an event at a time, and holds the lane while they are used up:
 * its events stay in the log, in their order, and only notices of quotas are sent. An event that is sent again after a kill
 * finds its charge.
 */
export class QuotaHold {
  readonly #context: Context;
  readonly #laneId: string;
  /** Charges that this lane has to settle. */
  readonly #open = new Set<string>();
  #until = 0;
  /** The notices that wait, and how far the log was searched for them. */
  #notices: BufferedEvent[] = [];
  #searchedTo = 0;
  #epoch = 0;
  /** Whether the log has more events to search. */
  hasMore = false;

  constructor(context: Context, laneId: string) {
    this.#context = context;
    this.#laneId = laneId;
  }

  /** Until when the lane is held, in Unix milliseconds; undefined when it is not. */
  get until(): number | undefined {
    return Date.now() < this.#until ? this.#until : undefined;
  }

  /** The quotas of the key have changed. */
  release(): void {
    this.#until = 0;
  }

  /** Charges these events in their order. Answers those that may be sent; the lane is held if that is not all of them. */
  async charge(
    epoch: number,
    events: readonly PendingEvent[],
    contents: ReadonlyMap<number, OutgoingEvent>,
  ): Promise<PendingEvent[]> {
    const { quotas } = this.#context;
    const keyId = keyOf(this.#laneId);
    const has = quotas.has(keyId);
    if (!(typeof has === "boolean" ? has : await has)) return [...events];
    const isFree = ({ seq }: PendingEvent) => isNotice(contents.get(seq) ?? { type: "" });
    const charges: Charge[] = events
      .filter(event => !isFree(event))
      .map(({ seq }) => ({ id: this.#idOf(epoch, seq), amounts: { deliveries: 1 } }));
    if (charges.length === 0) return [...events];
    const { granted, refused } = await quotas.charge(keyId, charges);
    for (const id of granted) this.#open.add(id);
    if (refused) this.#until = heldUntil(refused, Date.now());
    return events.filter(event => isFree(event) || this.#open.has(this.#idOf(epoch, event.seq)));
  }

  /** Ends the charges of an attempt: what the receiver took counts. One that cannot be ended now stays open, and counts. */
  async settle(epoch: number, events: readonly PendingEvent[], isTaken: boolean): Promise<void> {
    const ids = events.map(({ seq }) => this.#idOf(epoch, seq)).filter(id => this.#open.delete(id));
    if (ids.length === 0) return;
    const settled = this.#context.quotas.settle(keyOf(this.#laneId), ids, isTaken);
    await settled.catch(error => logEvent(this.#context.logger, "quota_charge.failed", { error }));
  }

  /**
   * While the lane is held: the notices beyond its position and those that wait for a retry, from a part of the log each
   * time.
   */
  async notices({ endpoint, keyId }: ActiveLane, lane: Lane): Promise<BufferedEvent[] | undefined> {
    if (this.until === undefined) return undefined;
    if (this.#epoch !== lane.epoch) [this.#notices, this.#searchedTo, this.#epoch] = [[], 0, lane.epoch];
    const { log, wanted } = this.#context;
    const again = new Set(lane.retries.map(({ seq }) => seq));
    const from = Math.max(this.#searchedTo, Math.min(lane.position, ...[...again].map(seq => seq - 1)));
    const { events, more } = await log.readWithin(keyId, from, portion);
    const found: WrittenEvent[] = await wanted.of(endpoint, events.filter(isNotice));
    this.#notices.push(...found.map(event => toBuffered(event, Date.now())));
    this.#searchedTo = events.at(-1)?.seq ?? from;
    this.hasMore = more;
    this.#notices = this.#notices.filter(({ seq }) => seq > lane.position || again.has(seq));
    return this.#notices;
  }

  #idOf(epoch: number, seq: number): string {
    return `${this.#laneId}:${epoch}:${seq}`;
  }
}

/** The lane as a held one sees it: only notices are tried again. */
export function onlyNotices(lane: Lane, notices: readonly PendingEvent[]): Lane {
  const seqs = new Set(notices.map(({ seq }) => seq));
  return { ...lane, retries: lane.retries.filter(({ seq }) => seqs.has(seq)) };
}
