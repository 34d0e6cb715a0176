/** What a lane knows of an event. */
export interface PendingEvent {
  seq: number;
  /** The conversation whose order counts; null for an event without one. */
  conversation: string | null;
  /** Bytes as JSON. */
  bytes?: number;
  /** When this process read it from the log, in Unix milliseconds: a batch waits that long for more events. */
  readAt?: number;
}

/** An event that failed and is not done. */
export interface Retry {
  seq: number;
  conversation: string | null;
  /** Failed attempts; 0 after the endpoint was activated again. */
  failures: number;
  /** Failures that say nothing against the event: the endpoint asked for fewer requests. */
  limited?: number;
  /** No retry before this time, in Unix milliseconds. */
  notBefore: number;
  /** The last failure, in Unix milliseconds. */
  failedAt: number;
  /** Events with the same number were sent as one batch and are retried as one. */
  batch?: number;
}

/** The failures that may be the event's own. */
export function faultsOf({ failures, limited = 0 }: Pick<Retry, "failures" | "limited">): number {
  return failures - limited;
}

/**
 * The progress of one endpoint's deliveries. Every event up to `position` is delivered, dead or in `retries`; `settled`
 * holds those beyond it that are delivered or dead. All times are Unix milliseconds.
 */
export interface Lane {
  status: "ACTIVE" | "FAILED" | "DISABLED" | "UNCONFIRMED";
  position: number;
  /** Ascending. */
  settled: number[];
  /** Ascending by `seq`. */
  retries: Retry[];
  /** The start times of consecutive episodes of failure; empty after a success. */
  streak: number[];
  /** Consecutive failed attempts, each of which began after the one before had failed; 0 after a success. */
  misses: number;
  /** The last success since the endpoint was activated; null for none. */
  takenAt: number | null;
  /** During a streak: when its last episode ends. */
  probeAt: number;
  /** Until when the endpoint has asked for a pause. */
  pausedUntil: number;
  /** How many attempts may be under way, 1 to 64: a success doubles it, a failure halves it. */
  window: number;
  /** Grows with each miss; an attempt that was already under way counts as no further miss. */
  missEpoch: number;
  /** Grows with each replay; attempts that were already under way have no effect. */
  epoch: number;
  /** Grows with each change of the endpoint; an attempt with another number went to the former endpoint. */
  revision: number;
  /** The next digest; missing while no event waits for one. */
  digest?: PlannedDigest;
  /** The endpoint has FAILED, and its events go to its fallback meanwhile. */
  diverted?: true;
  /** What the owner was last told of the endpoint; missing where it is well. */
  told?: "failing" | "failed";
  /** What is written down for the owner, and in no log yet. */
  untold?: HealthChange[];
  /** The last replay: what it asked for waits from then on. */
  replayedAt?: number;
  /** The file that is being written, where the endpoint writes files. */
  file?: PlannedFile;
  /** What was delivered before the last replay: events up to this one are repetitions. */
  replayedTo?: number;
}

/** A digest is written down before it is sent: its time, so that it keeps it, and its end, so that its copy is the same. */
export interface PlannedDigest {
  /** Unix milliseconds. */
  dueAt: number;
  /** The last position that it covers; missing before its first attempt. */
  to?: number;
  /** Attempts that failed. */
  failures: number;
}

/** A file is written down before it is written, so that an attempt which is repeated replaces what the one before has left. */
export interface PlannedFile {
  /** The first `seq` that it was planned with: its name. */
  from: number;
  /** The last `seq` that it holds. */
  to: number;
  /** The time of its first event, in Unix milliseconds: its day. */
  at: number;
}

/** An attempt under way, with the lane's counters when it began. */
export interface Attempt {
  /** In log order; several in a batch. */
  events: readonly PendingEvent[];
  missEpoch: number;
  epoch: number;
  revision: number;
  /** It goes to the fallback of the endpoint. */
  diverted?: true;
}

/** What the owner of an endpoint is told of it. */
export interface HealthChange {
  state: "failing" | "failed" | "recovered";
  /** Unix milliseconds. */
  at: number;
  /** The start of the first of the failures in a row; missing where it recovered. */
  since?: number;
  /** The status of the last answer; null when none came. */
  status: number | null;
  /** Why the last attempt failed, as deliveries say it; null where it recovered. */
  error: string | null;
}

/**
 * A lane that starts after a position. `bornAt` distinguishes it from an earlier lane of the key, whose attempts under
 * way must not affect this one.
 */
export function newLane(position: number, bornAt = 0): Lane {
  return {
    status: "ACTIVE",
    position,
    settled: [],
    retries: [],
    ...unproven(),
    missEpoch: 0,
    epoch: bornAt,
    revision: bornAt,
  };
}

/** What a lane knows of a receiver to which nothing was sent yet. */
export function unproven(): Pick<
  Lane,
  "streak" | "misses" | "takenAt" | "probeAt" | "pausedUntil" | "window"
> {
  return { streak: [], misses: 0, takenAt: null, probeAt: 0, pausedUntil: 0, window: 1 };
}

/** Consecutive misses from which an endpoint is probed. */
const probingFrom = 3;

/** Whether the endpoint gets one attempt at a time, at the end of each episode. */
export function isProbing({ misses }: Pick<Lane, "misses">): boolean {
  return misses >= probingFrom;
}

/** The last event before which each one is delivered or dead. */
export function resolvedTo({ position, retries: [first] }: Pick<Lane, "position" | "retries">): number {
  return Math.min(position, (first?.seq ?? position + 1) - 1);
}

/** How many events of a log that ends with `latest` are not delivered yet. */
export function waitingIn(
  { position, settled, retries }: Pick<Lane, "position" | "settled" | "retries">,
  latest: number,
): number {
  const again = retries.filter(({ seq }) => seq <= position).length;
  return Math.max(0, latest - position) - settled.length + again;
}

/** How many of them come before an event. */
export function waitingBefore(
  { position, settled, retries }: Pick<Lane, "position" | "settled" | "retries">,
  oldest: number,
): number {
  const isBefore = (seq: number) => seq < oldest;
  const earlier = {
    position,
    settled: settled.filter(isBefore),
    retries: retries.filter(({ seq }) => isBefore(seq)),
  };
  return waitingIn(earlier, oldest - 1);
}

/**
 * The lane after its owner has changed the endpoint: it is healthy again, and kept events are due at once, oldest
 * first.
 */
export function reactivate({ digest: _, diverted: _diverted, ...lane }: Lane): Lane {
  return {
    ...dueAtOnce(lane),
    status: "ACTIVE",
    ...unproven(),
    revision: lane.revision + 1,
  };
}

/** The lane whose failed events are due at once, each by itself, as if they had not failed. */
export function dueAtOnce(lane: Lane): Lane {
  const retries = lane.retries.map(({ batch: _, limited: _limited, ...retry }) => ({
    ...retry,
    failures: 0,
    notBefore: 0,
  }));
  return { ...lane, retries };
}

/** The lane whose owner has switched it off; attempts under way no longer count against the endpoint. */
export function disabled(lane: Lane): Lane {
  return { ...reactivate(lane), status: "DISABLED" };
}

/** The lane of an address whose owner has not agreed yet. */
export function unconfirmed(lane: Lane): Lane {
  return { ...reactivate(lane), status: "UNCONFIRMED" };
}

/** The lane after a replay: all events after a position are delivered again, dead ones too. */
export function replayAfter({ digest: _, ...before }: Lane, position: number, now: number): Lane {
  const lane = markReplay(before, now);
  return {
    ...lane,
    position: Math.min(lane.position, position),
    settled: lane.settled.filter(seq => seq <= position),
    retries: lane.retries.filter(({ seq }) => seq <= position),
    epoch: lane.epoch + 1,
  };
}

/**
 * The lane after a replay of these events alone, in log order: those that are done wait for another attempt. Others come by
 * themselves, but for those that a former filter leaves out, beyond the position too.
 */
export function replayOf(
  lane: Lane,
  events: readonly PendingEvent[],
  now: number,
  leftOut: ReadonlySet<number> = new Set(),
): Lane {
  const waiting = new Set(lane.retries.map(({ seq }) => seq));
  const settled = new Set(lane.settled);
  const isDone = (seq: number) => seq <= lane.position || settled.has(seq) || leftOut.has(seq);
  const done = events.filter(({ seq }) => isDone(seq) && !waiting.has(seq));
  const again = new Set(done.map(({ seq }) => seq));
  const retries = done.map(({ seq, conversation }) => ({
    seq,
    conversation,
    failures: 0,
    notBefore: 0,
    failedAt: now,
  }));
  const left = lane.settled.filter(seq => !again.has(seq));
  return markFailed({ ...markReplay(lane, now), settled: left }, retries);
}

/** What comes again, of all that was delivered until now, is a repetition that somebody has asked for. */
function markReplay({ file: _, ...lane }: Lane, now: number): Lane {
  return { ...lane, replayedAt: now, replayedTo: Math.max(lane.replayedTo ?? 0, resolvedTo(lane)) };
}

/** The lane without the events before `oldest`, which the log holds no more. */
export function skipTo(lane: Lane, oldest: number): Lane {
  if (oldest <= lane.position + 1) return lane;
  const retries = lane.retries.filter(({ seq }) => seq >= oldest);
  return advance({ ...lane, position: oldest - 1 }, retries, lane.settled);
}

/** The lane without the events up to a position, which have waited too long. */
export function expireTo(lane: Lane, to: number): Lane {
  const skipped = skipTo(lane, to + 1);
  const retries = skipped.retries.filter(({ seq }) => seq > to);
  return retries.length < skipped.retries.length ? { ...skipped, retries } : skipped;
}

/** The lane after these events are delivered or dead. */
export function markDone(lane: Lane, seqs: readonly number[]): Lane {
  const [seq] = seqs;
  const isNext = seqs.length === 1 && seq === lane.position + 1;
  if (isNext && lane.settled.length === 0 && lane.retries.length === 0) return { ...lane, position: seq };
  const done = lane.retries.length > 0 ? new Set(seqs) : undefined;
  const retries = done ? lane.retries.filter(({ seq }) => !done.has(seq)) : lane.retries;
  return advance(lane, retries, withSettled(lane, seqs));
}

/** Each outcome runs this, and many events beyond the position may be settled: it makes no set of them. */
function withSettled({ position, settled }: Lane, seqs: readonly number[]): number[] {
  const all = settled.slice();
  for (const seq of seqs) {
    const before = all.findLastIndex(each => each <= seq);
    if (seq > position && all[before] !== seq) all.splice(before + 1, 0, seq);
  }
  return all;
}

/** The lane in which these events wait for a retry. */
export function markFailed(lane: Lane, retries: readonly Retry[]): Lane {
  const now = new Set(retries.map(({ seq }) => seq));
  const others = lane.retries.filter(({ seq }) => !now.has(seq));
  const all = [...others, ...retries].sort((a, b) => a.seq - b.seq);
  return advance(lane, all, lane.settled);
}

/** Consecutive positions of a log, both ends included. */
export interface Span {
  from: number;
  to: number;
}

/** The lane with its position moved over events that its endpoint does not want; `unwanted` ascends. */
export function passOver(lane: Lane, unwanted: readonly Span[]): Lane {
  return advance(lane, lane.retries, lane.settled, unwanted);
}

/**
 * The lane with its position moved over all events that follow it and are finished or not wanted; sequence numbers have
 * no gaps.
 */
function advance(lane: Lane, retries: Retry[], settled: number[], unwanted: readonly Span[] = []): Lane {
  const waiting = retries.length > 0 ? new Set(retries.map(({ seq }) => seq)) : undefined;
  let { position } = lane;
  let done = 0;
  let at = 0;
  for (;;) {
    while ((settled[done] ?? Number.POSITIVE_INFINITY) <= position) done += 1;
    while ((unwanted[at]?.to ?? Number.POSITIVE_INFINITY) <= position) at += 1;
    const { from, to } = unwanted[at] ?? { from: Number.POSITIVE_INFINITY, to: 0 };
    if (from <= position + 1) position = to;
    else if (settled[done] === position + 1 || waiting?.has(position + 1)) position += 1;
    else break;
  }
  return { ...lane, retries, position, settled: done > 0 ? settled.slice(done) : settled };
}

/** The number of shards of all lanes; stored with each lane, so it never changes. */
export const laneShards = 128;

/** The owner of this shard does what one node does for all. */
export const leadingShard = 0;

/** The lane of an endpoint of a key: the first, number 0, has the key's own id. */
export function laneIdOf(keyId: string, number: number): string {
  return number === 0 ? keyId : `${keyId}:${number}`;
}

/** The key whose log a lane reads. */
export function keyOf(laneId: string): string {
  const end = laneId.indexOf(":");
  return end === -1 ? laneId : laneId.slice(0, end);
}

/**
 * The shard of a key's lanes, 0 to `laneShards - 1`, by the key's id or the lane's: FNV-1a of the key's characters, its
 * halves folded. All lanes of a key are worked by one node, which reads their log for all of them.
 */
export function shardOf(laneId: string): number {
  const keyId = keyOf(laneId);
  let hash = 0x811c9dc5;
  for (let at = 0; at < keyId.length; at += 1) hash = Math.imul(hash ^ keyId.charCodeAt(at), 0x01000193);
  return ((hash ^ (hash >>> 16)) >>> 0) % laneShards;
}
