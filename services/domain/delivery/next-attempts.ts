import {
  isFarOff,
  longestDelayAfter,
  longestPauseMs,
  longestRetryDelayAfter,
  type Schedule,
} from "./backoff.ts";
import { defaultDeliveryOptions, type LaneOptions } from "./delivery-options.ts";
import { fileUnitsOf } from "./files.ts";
import { isProbing, type Lane, type PendingEvent } from "./lane.ts";
import { type LaneView, type SendUnit, unitsOf } from "./send-units.ts";

/** What to send now, and when to check again if nothing happens before. */
export interface NextAttempts {
  /** The events of each new attempt. */
  send: PendingEvent[][];
  /** Unix milliseconds; undefined if only an outcome or a new event can change anything. */
  wakeAt?: number | undefined;
  /** More attempts are permitted than there are events to send. */
  isStarved: boolean;
}

/** Failures of one event after which another event is probed. */
const maxFailuresBeforeOthers = 2;

const nothing: NextAttempts = { send: [], isStarved: false };

/**
 * Decides what a lane sends: as many attempts as the window permits, one per conversation where its order counts. A
 * failed event waits for its own retry, and so does its conversation; everything else continues. A lane that is probing
 * sends one attempt at the end of each episode. A time that the schedule cannot have set counts as past. `window` may
 * be smaller than the lane's.
 */
export function nextAttempts(
  lane: Lane,
  view: LaneView,
  now: number,
  schedule: Schedule,
  options: LaneOptions = defaultDeliveryOptions,
  window = lane.window,
): NextAttempts {
  if (lane.status === "FAILED") return nothing;
  if (now < lane.pausedUntil && !isFarOff(lane.pausedUntil, now, longestPauseMs))
    return { ...nothing, wakeAt: lane.pausedUntil };
  const slots = freeSlots(lane, view, options, window);
  // Each attempt under way has an outcome, after which the lane is checked again.
  if (slots <= 0) return nothing;
  const choice = { lane, view, now, schedule, options };
  return isProbing(lane) ? probe(choice) : fill(choice, slots);
}

/** Whether the last episode of a streak is over. */
export function isProbeDue({ streak, probeAt }: Lane, now: number, schedule: Schedule): boolean {
  return probeAt <= now || isFarOff(probeAt, now, longestDelayAfter(streak.length, schedule));
}

interface Choice {
  lane: Lane;
  view: LaneView;
  now: number;
  schedule: Schedule;
  options: LaneOptions;
}

/**
 * How many attempts may start. An accepted one does not burden the receiver any more, but as many as the window may
 * wait to be written.
 */
function freeSlots(
  lane: Lane,
  { underWay, accepted }: LaneView,
  { ordering, batch, inFiles }: LaneOptions,
  window: number,
) {
  // A file that is not known to be complete may be written again, and then the next one would begin elsewhere.
  if (isProbing(lane) || inFiles) return 1 - underWay.size;
  // Ordered batches are sent one after the other.
  const limit = batch && ordering === "conversation" ? 1 : window;
  return limit + Math.min(accepted.size, limit) - underWay.size;
}

function unitsIn(lane: Lane, view: LaneView, options: LaneOptions): Iterable<SendUnit> {
  return options.inFiles ? fileUnitsOf(lane, view, options) : unitsOf(lane, view, options);
}

function fill({ lane, view, now, schedule, options }: Choice, slots: number): NextAttempts {
  const send: PendingEvent[][] = [];
  let wakeAt: number | undefined;
  for (const unit of unitsIn(lane, view, options)) {
    if (!isDue(unit, now, schedule)) wakeAt = Math.min(wakeAt ?? unit.dueAt, unit.dueAt);
    else if (send.push(unit.events) === slots) return { send, wakeAt, isStarved: false };
  }
  return { send, wakeAt, isStarved: true };
}

/**
 * Probes with the oldest sendable event that has not failed twice. If all of those have, with one of the others behind
 * them, or else with the event with the fewest failures.
 */
function probe({ lane, view, now, schedule, options }: Choice): NextAttempts {
  if (!isProbeDue(lane, now, schedule)) return { ...nothing, wakeAt: lane.probeAt };
  const inOrder = untried(unitsIn(lane, view, options));
  const all = [...unitsIn(lane, view, { ...options, ordering: "none" })];
  const candidates = [inOrder, untried(all), all].find(({ length }) => length > 0) ?? [];
  const due = candidates.filter(unit => isDue(unit, now, schedule)).sort((a, b) => weight(a) - weight(b));
  if (due[0]) return { send: [due[0].events], isStarved: false };
  const wakeAt = candidates.length > 0 ? Math.min(...candidates.map(({ dueAt }) => dueAt)) : undefined;
  return { send: [], wakeAt, isStarved: false };
}

/** Events with few failures are equal. */
function weight({ failures }: SendUnit): number {
  return Math.max(failures, maxFailuresBeforeOthers);
}

function untried(units: Iterable<SendUnit>): SendUnit[] {
  return [...units].filter(({ failures }) => failures < maxFailuresBeforeOthers);
}

function isDue({ failures, dueAt, waitMs }: SendUnit, now: number, schedule: Schedule): boolean {
  const longestMs = failures > 0 ? longestRetryDelayAfter(failures, schedule) : waitMs;
  return dueAt <= now || isFarOff(dueAt, now, longestMs);
}
