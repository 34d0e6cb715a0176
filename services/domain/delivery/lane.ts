/** An event that failed before and is not done with. */
export interface Retry {
  seq: number;
  /** Identity of the event's source; null for an event without one. */
  source: string | null;
  /** Failed attempts; 0 after the endpoint was set active again. */
  failures: number;
  /** Not to be tried before, in Unix milliseconds. */
  notBefore: number;
}

/**
 * How far the deliveries of one endpoint have come. Every event up to `position` is delivered, dead or in `retries`;
 * `settled` holds those beyond it that are delivered or dead. All times are Unix milliseconds.
 */
export interface Lane {
  status: "ACTIVE" | "FAILED";
  position: number;
  /** Ascending. */
  settled: number[];
  /** Ascending by `seq`. */
  retries: Retry[];
  /** When the failures in a row came in; empty in the healthy state. */
  streak: number[];
  /** The last success since the endpoint was set active; null for none. */
  takenAt: number | null;
  /** While a streak stands: when to probe next. */
  probeAt: number;
  /** Until when the endpoint asked to be left alone. */
  pausedUntil: number;
  /** Attempts that may be under way in the healthy state: it begins with one and doubles with each success. */
  window: number;
  /** Grows with each counted failure: what was under way by then tells nothing new about the endpoint. */
  turn: number;
  /** Grows with each replay: what was under way by then is not what is to be delivered. */
  epoch: number;
  /** Grows with each change of the endpoint: whoever knows it by another number does not know where to send. */
  revision: number;
}

/** An attempt that is under way, as the lane stood when it was begun. */
export interface Attempt {
  seq: number;
  source: string | null;
  turn: number;
  epoch: number;
}

/**
 * A lane that begins after a position. `bornAt` tells it from one that its key had before: what was under way for that
 * one has no consequence for this.
 */
export function newLane(position: number, bornAt = 0): Lane {
  return {
    status: "ACTIVE",
    position,
    settled: [],
    retries: [],
    streak: [],
    takenAt: null,
    probeAt: 0,
    pausedUntil: 0,
    window: 1,
    turn: 0,
    epoch: bornAt,
    revision: bornAt,
  };
}

/** How many events of a log that ends with `latest` are still to be delivered. */
export function waitingIn({ position, settled, retries }: Lane, latest: number): number {
  const again = retries.filter(({ seq }) => seq <= position).length;
  return Math.max(0, latest - position) - settled.length + again;
}

/** Its owner has changed the endpoint: it counts as healthy again, and what was kept is due at once, oldest first. */
export function reactivate(lane: Lane): Lane {
  return {
    ...lane,
    status: "ACTIVE",
    retries: lane.retries.map(retry => ({ ...retry, failures: 0, notBefore: 0 })),
    streak: [],
    takenAt: null,
    probeAt: 0,
    pausedUntil: 0,
    window: 1,
    turn: lane.turn + 1,
    revision: lane.revision + 1,
  };
}

/** Everything after a position is delivered again, dead events too. */
export function replayAfter(lane: Lane, position: number): Lane {
  return {
    ...lane,
    position: Math.min(lane.position, position),
    settled: lane.settled.filter(seq => seq <= position),
    retries: lane.retries.filter(({ seq }) => seq <= position),
    epoch: lane.epoch + 1,
  };
}

/** The log holds nothing between the position and `oldest` any more. */
export function skipTo(lane: Lane, oldest: number): Lane {
  if (oldest <= lane.position + 1) return lane;
  const retries = lane.retries.filter(({ seq }) => seq >= oldest);
  return advance({ ...lane, position: oldest - 1 }, retries, lane.settled);
}

/** The event is done with, delivered or not. */
export function settled(lane: Lane, seq: number): Lane {
  const retries = lane.retries.filter(retry => retry.seq !== seq);
  const beyond = seq > lane.position ? insertSorted(lane.settled, seq) : lane.settled;
  return advance(lane, retries, beyond);
}

/** The event waits for another attempt. */
export function held(lane: Lane, retry: Retry): Lane {
  const others = lane.retries.filter(({ seq }) => seq !== retry.seq);
  const retries = [...others, retry].sort((a, b) => a.seq - b.seq);
  return advance(lane, retries, lane.settled);
}

/** The lane with these, and its position moved over all that follows it without a gap; sequence numbers have none. */
function advance(lane: Lane, retries: Retry[], settled: number[]): Lane {
  const waiting = retries.length > 0 ? new Set(retries.map(({ seq }) => seq)) : undefined;
  let { position } = lane;
  let done = 0;
  for (;;) {
    while ((settled[done] ?? Number.POSITIVE_INFINITY) <= position) done += 1;
    if (settled[done] !== position + 1 && !waiting?.has(position + 1)) break;
    position += 1;
  }
  return { ...lane, retries, position, settled: settled.slice(done) };
}

function insertSorted(sorted: number[], seq: number): number[] {
  if (sorted.includes(seq)) return sorted;
  const at = sorted.findIndex(each => each > seq);
  return at < 0 ? [...sorted, seq] : sorted.toSpliced(at, 0, seq);
}
