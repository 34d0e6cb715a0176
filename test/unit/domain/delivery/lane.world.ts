import { applyOutcome, type Outcome } from "../../../../services/domain/delivery/apply-outcome.ts";
import {
  type DeliveryOptions,
  defaultDeliveryOptions,
} from "../../../../services/domain/delivery/delivery-options.ts";
import {
  type Attempt,
  isProbing,
  type Lane,
  newLane,
  type PendingEvent,
} from "../../../../services/domain/delivery/lane.ts";
import { nextAttempts } from "../../../../services/domain/delivery/next-attempts.ts";

export const schedule = [5_000, 30_000, 120_000, 600_000];
export const ok: Outcome = { ok: true, status: 200, retryAfterMs: 0 };
export const bad: Outcome = { ok: false, status: 500, retryAfterMs: 0 };

/** One attempt, as the endpoint gets it. */
export interface Sent {
  seqs: number[];
  at: number;
  status: Lane["status"];
  probing: boolean;
}

/** A lane with a log, a clock and an endpoint of the test's making; attempts take no time unless they are held. */
export class World {
  now = 1_000_000;
  lane: Lane = newLane(0);
  log: PendingEvent[] = [];
  readonly underWay = new Set<Attempt>();
  /** Those under way that the endpoint took, and that are not written yet. */
  readonly accepted = new Set<Attempt>();
  readonly sent: Sent[] = [];
  /** In the order in which the endpoint took them. */
  readonly arrived: number[] = [];
  /** In the order in which that was written. */
  readonly delivered: number[] = [];
  readonly dead: number[] = [];
  wakeAt: number | undefined;
  readonly manner: DeliveryOptions;
  readonly #spread: () => number;

  constructor(spread: () => number = () => 1, manner: Partial<DeliveryOptions> = {}) {
    this.#spread = spread;
    this.manner = { ...defaultDeliveryOptions, ...manner };
  }

  append(...conversations: (string | null)[]): void {
    for (const conversation of conversations)
      this.log.push({ seq: this.log.length + 1, conversation, bytes: 1_000, readAt: this.now });
  }

  /** Begins what may begin now. */
  begin(): Attempt[] {
    const fresh = this.log.slice(this.lane.position, this.lane.position + 512);
    const more = this.log.length > this.lane.position + 512;
    const sight = { fresh, more, underWay: this.underWay, accepted: this.accepted };
    const { send, wakeAt } = nextAttempts(this.lane, sight, this.now, schedule, this.manner);
    this.wakeAt = wakeAt;
    const { missEpoch, epoch, revision, status } = this.lane;
    return send.map(events => {
      const attempt = { events, missEpoch, epoch, revision };
      this.sent.push({ seqs: seqsOf(attempt), at: this.now, status, probing: isProbing(this.lane) });
      this.underWay.add(attempt);
      return attempt;
    });
  }

  /** The endpoint took it; `end` writes that. */
  take(attempt: Attempt): void {
    this.accepted.add(attempt);
    this.arrived.push(...seqsOf(attempt));
  }

  end(attempt: Attempt, outcome: Outcome): void {
    this.underWay.delete(attempt);
    if (outcome.ok && !this.accepted.delete(attempt)) this.arrived.push(...seqsOf(attempt));
    const policy = { schedule, spread: this.#spread() };
    const { lane, verdicts } = applyOutcome(this.lane, attempt, outcome, this.now, policy);
    this.lane = lane;
    for (const [at, { verdict }] of verdicts.entries()) {
      const seq = attempt.events[at]?.seq ?? 0;
      if (verdict === "succeeded") this.delivered.push(seq);
      if (verdict === "dead") this.dead.push(seq);
    }
  }

  /** Lets the endpoint answer whatever can be sent now. */
  settle(answer: (seqs: number[]) => Outcome): void {
    for (let begun = this.begin(); begun.length > 0; begun = this.begin())
      for (const attempt of begun) this.end(attempt, answer(seqsOf(attempt)));
  }

  /** The same, and the clock goes on to whatever is due next, until nothing is. */
  settleAll(answer: (seqs: number[]) => Outcome): void {
    do {
      this.settle(answer);
      this.now = this.wakeAt ?? this.now;
    } while (this.wakeAt !== undefined);
  }

  /** Begins one attempt for each of so many, and fails when there are not as many. */
  beginExactly(count: number): Attempt[] {
    const begun = this.begin();
    if (begun.length !== count) throw new Error(`${begun.length} began, and ${count} were to`);
    return begun;
  }
}

export function seqsOf({ events }: Attempt): number[] {
  return events.map(({ seq }) => seq);
}

/** Whatever is sent at a time, as it is begun. */
export function begun(world: World): number[][] {
  return world.begin().map(seqsOf);
}

export function lcg(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
