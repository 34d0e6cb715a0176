import { longestDelayAfter, type Schedule } from "./backoff.ts";
import { isFarOff } from "./far-off.ts";
import type { Attempt, Lane, Retry } from "./lane.ts";
import { longestPauseMs } from "./retry-after.ts";

/** What the lane needs to know of an event. */
export interface Waiting {
  seq: number;
  source: string | null;
}

/** What to send now, and when to ask again if nothing happens before. */
export interface Step {
  send: Waiting[];
  /** Unix milliseconds; undefined: only an outcome or a new event changes anything. */
  wakeAt?: number;
}

/** Failures of one event after which it neither holds its source back nor is probed before others. */
const patience = 2;
/** Events that may wait for another attempt before fresh ones wait too. */
const maxRetries = 1000;

/**
 * Decides what a lane sends. Healthy: as many attempts as its window holds, one at a time for each source, so that the
 * events of a source arrive in order. While a streak stands: one probe at a time. `fresh` are events after the position
 * in order; those that are settled, under way or wait as retries are passed over. `room` is how many attempts may be
 * under way in the healthy state. A time that the schedule cannot have set has come.
 */
export function next(
  lane: Lane,
  fresh: readonly Waiting[],
  underWay: ReadonlyMap<number, Attempt>,
  now: number,
  schedule: Schedule,
  room = lane.window,
): Step {
  if (lane.status === "FAILED") return { send: [] };
  if (now < lane.pausedUntil && !isFarOff(lane.pausedUntil, now, longestPauseMs))
    return { send: [], wakeAt: lane.pausedUntil };
  const isHealthy = lane.streak.length === 0;
  // Each of those under way has an outcome, after which it is asked again.
  if (underWay.size >= (isHealthy ? room : 1)) return { send: [] };
  const candidates = waitingEvents(lane, fresh, underWay);
  return isHealthy
    ? fill(candidates, underWay, now, schedule, room - underWay.size)
    : probe(lane, [...candidates], now, schedule);
}

/** Whether a lane with a streak may be probed. */
export function isProbeDue({ streak, probeAt }: Lane, now: number, schedule: Schedule): boolean {
  return probeAt <= now || isFarOff(probeAt, now, longestDelayAfter(streak.length, schedule));
}

type Candidate = Waiting & Pick<Retry, "failures" | "notBefore">;

/**
 * Whatever may be sent, in order: an event that never failed is as good as one with no failures. A healthy lane takes the
 * first few of many.
 */
function waitingEvents(
  lane: Lane,
  fresh: readonly Waiting[],
  underWay: ReadonlyMap<number, Attempt>,
): Iterable<Candidate> {
  const retries = lane.retries.filter(({ seq }) => !underWay.has(seq));
  if (lane.retries.length >= maxRetries) return retries;
  const first = untouched(lane, fresh, underWay);
  return retries.length === 0 ? first : [...retries, ...first].sort((a, b) => a.seq - b.seq);
}

function* untouched(
  { position, settled, retries }: Lane,
  fresh: readonly Waiting[],
  underWay: ReadonlyMap<number, Attempt>,
): Iterable<Candidate> {
  const known = new Set([...settled, ...retries.map(({ seq }) => seq)]);
  for (const { seq, source } of fresh)
    if (seq > position && !known.has(seq) && !underWay.has(seq))
      yield { seq, source, failures: 0, notBefore: 0 };
}

function fill(
  candidates: Iterable<Candidate>,
  underWay: ReadonlyMap<number, Attempt>,
  now: number,
  schedule: Schedule,
  room: number,
): Step {
  const busy = new Set(Array.from(underWay.values(), ({ source }) => source));
  const send: Waiting[] = [];
  let wakeAt: number | undefined;
  for (const event of candidates) {
    const { source, failures, notBefore } = event;
    if (source !== null && busy.has(source)) continue;
    if (!isDue(event, now, schedule)) {
      wakeAt = Math.min(wakeAt ?? notBefore, notBefore);
      if (failures < patience) busy.add(source);
      continue;
    }
    busy.add(source);
    send.push(event);
    if (send.length === room) break;
  }
  return { send, wakeAt };
}

function probe(lane: Lane, candidates: Candidate[], now: number, schedule: Schedule): Step {
  if (candidates.length === 0) return { send: [] };
  if (!isProbeDue(lane, now, schedule)) return { send: [], wakeAt: lane.probeAt };
  const due = candidates.filter(event => isDue(event, now, schedule));
  const chosen = chooseProbe(due, candidates);
  if (chosen) return { send: [chosen] };
  return { send: [], wakeAt: Math.min(...candidates.map(({ notBefore }) => notBefore)) };
}

function isDue({ failures, notBefore }: Candidate, now: number, schedule: Schedule): boolean {
  return notBefore <= now || isFarOff(notBefore, now, longestDelayAfter(failures, schedule));
}

/**
 * The oldest event that has not failed twice, of a source that no older event waits for where there is one; else the
 * one with the fewest failures.
 */
function chooseProbe(due: Candidate[], all: Candidate[]): Candidate | undefined {
  const oldest = new Map<string | null, number>();
  for (const { seq, source } of all) if (!oldest.has(source)) oldest.set(source, seq);
  const untried = due.filter(({ failures }) => failures < patience);
  const inOrder = untried.find(({ seq, source }) => source === null || oldest.get(source) === seq);
  return inOrder ?? untried[0] ?? due.toSorted((a, b) => a.failures - b.failures)[0];
}
