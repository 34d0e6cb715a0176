import type { Attempt, Lane, Retry } from "./lane.ts";

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
 * in order; those that are settled, under way or wait as retries are passed over.
 */
export function next(
  lane: Lane,
  fresh: readonly Waiting[],
  underWay: ReadonlyMap<number, Attempt>,
  now: number,
): Step {
  if (lane.status === "FAILED") return { send: [] };
  if (now < lane.pausedUntil) return { send: [], wakeAt: lane.pausedUntil };
  const candidates = waitingEvents(lane, fresh, underWay);
  return lane.streak.length > 0
    ? probe(lane, candidates, underWay, now)
    : fill(lane, candidates, underWay, now);
}

type Candidate = Waiting & Pick<Retry, "failures" | "notBefore">;

/** Whatever may be sent, in order: an event that never failed is as good as one with no failures. */
function waitingEvents(
  lane: Lane,
  fresh: readonly Waiting[],
  underWay: ReadonlyMap<number, Attempt>,
): Candidate[] {
  const retries = lane.retries.filter(({ seq }) => !underWay.has(seq));
  if (lane.retries.length >= maxRetries) return retries;
  const known = new Set([...lane.settled, ...lane.retries.map(({ seq }) => seq)]);
  const first = fresh
    .filter(({ seq }) => seq > lane.position && !known.has(seq) && !underWay.has(seq))
    .map(({ seq, source }) => ({ seq, source, failures: 0, notBefore: 0 }));
  return retries.length === 0 ? first : [...retries, ...first].sort((a, b) => a.seq - b.seq);
}

function fill(
  lane: Lane,
  candidates: Candidate[],
  underWay: ReadonlyMap<number, Attempt>,
  now: number,
): Step {
  const busy = new Set(Array.from(underWay.values(), ({ source }) => source));
  const send: Waiting[] = [];
  let room = lane.window - underWay.size;
  let wakeAt: number | undefined;
  for (const event of candidates) {
    const { source, failures, notBefore } = event;
    if (source !== null && busy.has(source)) continue;
    if (notBefore > now) {
      wakeAt = Math.min(wakeAt ?? notBefore, notBefore);
      if (failures < patience) busy.add(source);
      continue;
    }
    if (room <= 0) break;
    room -= 1;
    busy.add(source);
    send.push(event);
  }
  return { send, wakeAt };
}

function probe(
  lane: Lane,
  candidates: Candidate[],
  underWay: ReadonlyMap<number, Attempt>,
  now: number,
): Step {
  if (underWay.size > 0 || candidates.length === 0) return { send: [] };
  if (now < lane.probeAt) return { send: [], wakeAt: lane.probeAt };
  const due = candidates.filter(({ notBefore }) => notBefore <= now);
  const chosen = chooseProbe(due, candidates);
  if (chosen) return { send: [chosen] };
  return { send: [], wakeAt: Math.min(...candidates.map(({ notBefore }) => notBefore)) };
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
