import { type Lane, passOver, type Span } from "../../domain/delivery/lane.ts";
import type { StoredEndpoint, StoredLane } from "../webhooks.store.ts";

/**
 * Events that a lane has read and that its endpoint does not want. They are written with the next outcome, or when they
 * are many or old: an endpoint that wants little costs no write per event, and reads little again after a restart.
 */
export interface PassedEvents {
  laneId: string;
  /** They hold for the lane and the filter with these numbers. */
  epoch: number;
  revision: number;
  spans: Span[];
  /** When the first of them was read, in Unix milliseconds. */
  since: number;
}

/** Positions by which a write must move a lane ahead. */
const manyPassed = 100;
const oldMs = 600_000;

export function noneYet({ _id: laneId, revision }: StoredEndpoint, { epoch }: Lane): PassedEvents {
  return { laneId, epoch, revision, spans: [], since: 0 };
}

/** Adds an event that comes after all others there. */
export function pass(passed: PassedEvents, seq: number, now: number): void {
  const last = passed.spans.at(-1);
  if (!last) passed.since = now;
  if (last && seq <= last.to) return;
  if (last?.to === seq - 1) passed.spans[passed.spans.length - 1] = { from: last.from, to: seq };
  else passed.spans.push({ from: seq, to: seq });
}

/** Forgets what the lane's position covers, and what is beyond `readTo`. */
export function trimPassed(passed: PassedEvents, position: number, readTo: number): void {
  const [first, last] = [passed.spans[0], passed.spans.at(-1)];
  if (!first || !last || (first.to > position && last.to <= readTo)) return;
  const within = ({ from, to }: Span) => ({ from, to: Math.min(to, readTo) });
  passed.spans = passed.spans.map(within).filter(({ from, to }) => to > position && from <= to);
}

/** How many of them are beyond the lane's position. */
export function countPassed({ spans }: PassedEvents, position: number): number {
  return spans.reduce((sum, { from, to }) => sum + Math.max(0, to - Math.max(from, position + 1) + 1), 0);
}

/** The lane with its position moved over them, unless its endpoint or its position was changed meanwhile. */
export function applyPassed({ epoch, revision, spans }: PassedEvents, lane: Lane): Lane {
  if (spans.length === 0 || lane.epoch !== epoch || lane.revision !== revision) return lane;
  return passOver(lane, spans);
}

/** Whether the lane's position should be written for their sake alone. */
export function isWorthWriting(passed: PassedEvents, lane: Lane, now: number): boolean {
  const gained = applyPassed(passed, lane).position - lane.position;
  return gained >= manyPassed || (gained > 0 && isOld(passed, now));
}

/** A clock that was set back counts as well. */
function isOld({ since }: PassedEvents, now: number): boolean {
  return Math.abs(now - since) >= oldMs;
}

const mostRemembered = 10_000;

/** What lanes that are not in memory have passed over. */
export class PassedMemory {
  readonly #lanes = new Map<string, PassedEvents>();

  keep(passed: PassedEvents): void {
    this.forget(passed.laneId);
    if (passed.spans.length === 0) return;
    this.#lanes.set(passed.laneId, passed);
    const [oldest] = this.#lanes.keys();
    if (this.#lanes.size > mostRemembered && oldest !== undefined) this.forget(oldest);
  }

  /** What is known of a lane that comes into memory. */
  take(endpoint: StoredEndpoint, lane: Lane): PassedEvents {
    const passed = this.#lanes.get(endpoint._id);
    this.forget(endpoint._id);
    const holds = passed?.epoch === lane.epoch && passed.revision === endpoint.revision;
    return passed && holds ? passed : noneYet(endpoint, lane);
  }

  /** The position that a lane would have with what it has passed over, unless that is old enough to be written. */
  reach(lane: StoredLane, now = Date.now()): number {
    const passed = this.#lanes.get(lane._id);
    return passed && !isOld(passed, now) ? applyPassed(passed, lane).position : lane.position;
  }

  forget(laneId: string): void {
    this.#lanes.delete(laneId);
  }
}
