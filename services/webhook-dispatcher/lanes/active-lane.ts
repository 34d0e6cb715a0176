import type { KeyObject } from "node:crypto";
import type { ClientCertificate } from "../../../mixins/egress/agent.ts";
import type { EventLog, ReadBudget, WrittenEvent } from "../../../mixins/event-log/event-log.ts";
import type { EventType } from "../../contracts/events.ts";
import type { LaneOptions } from "../../domain/delivery/delivery-options.ts";
import { type Attempt, isProbing, keyOf, type Lane, type PendingEvent } from "../../domain/delivery/lane.ts";
import { writesFiles } from "../destinations/kinds.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";
import { applyPassed, noneYet, type PassedEvents, pass, trimPassed } from "./passed-events.ts";
import { isFiltered, type WantedEvents } from "./wanted-events.ts";

/** An event as it is sent. */
export interface OutgoingEvent extends Pick<PendingEvent, "seq" | "conversation"> {
  id: string;
  type: EventType;
  /** ISO 8601. */
  timestamp: string;
  /** JSON. */
  body: string;
}

/** An event that waits in memory. */
export interface BufferedEvent extends OutgoingEvent, Required<PendingEvent> {}

/** A lane in memory, with its buffer of events. */
export interface ActiveLane {
  readonly laneId: string;
  /** The key whose log the lane reads. */
  readonly keyId: string;
  endpoint: StoredEndpoint;
  url: URL;
  signingKeys: KeyObject[];
  ownHeaders: Record<string, string>;
  clientCertificate: ClientCertificate | undefined;
  /** When `signingKeys`, `ownHeaders` and `clientCertificate` must be looked up again, in Unix milliseconds. */
  keysUntil: number;
  /** Events after the position that are not done, in order, by sequence number. */
  buffer: Map<number, BufferedEvent>;
  /** The size of the bodies in the buffer. */
  bytes: number;
  /** The last sequence number that was read into the buffer. */
  readTo: number;
  epoch: number;
  passed: PassedEvents;
  /** The endpoint was changed: what was chosen from the log must be chosen again. */
  isStale: boolean;
  /** The log had no more events when it was last read. */
  caughtUp: boolean;
  /** Counts hints, so that one that arrives during a read is not lost. */
  hints: number;
  /** The log had more events when it was last read. */
  more: boolean;
  /** The buffer holds too few events that may be sent now. */
  isStarved: boolean;
  underWay: Set<Attempt>;
  /** Attempts that the receiver accepted and whose outcome is being written. */
  accepted: Set<Attempt>;
  /** The state of the lane when finished events were last dropped. */
  done?: Pick<Lane, "position" | "settled" | "retries">;
}

/**
 * Buffered events per attempt that may be under way: enough for a full window when several events wait for one
 * conversation.
 */
const bufferedPerAttempt = 8;
/** Buffered events of a lane that is probing. */
const bufferedForProbe = 8;
/** The size of all buffers, in bytes of JSON, as long as each can hold the largest event. */
const sharedBytes = 64 * 1024 * 1024;
const [fewestBytes, mostBytes] = [256 * 1024, 4 * 1024 * 1024];

/** The bytes that one of so many lanes may buffer. */
export function bufferShare(lanes: number): number {
  return Math.min(Math.max(Math.floor(sharedBytes / Math.max(lanes, 1)), fewestBytes), mostBytes);
}

export function activateLane(
  endpoint: StoredEndpoint,
  lane: Lane,
  passed = noneYet(endpoint, lane),
): ActiveLane {
  return {
    laneId: endpoint._id,
    keyId: keyOf(endpoint._id),
    endpoint,
    url: new URL(endpoint.url),
    signingKeys: [],
    ownHeaders: {},
    clientCertificate: undefined,
    keysUntil: 0,
    buffer: new Map(),
    bytes: 0,
    readTo: applyPassed(passed, lane).position,
    epoch: lane.epoch,
    passed,
    isStale: false,
    caughtUp: false,
    hints: 0,
    more: false,
    isStarved: false,
    underWay: new Set(),
    accepted: new Set(),
  };
}

/** How its lane delivers. A fallback gets single events: its format may have no batches. */
export function laneOptionsOf(
  { ordering, batch, destination }: StoredEndpoint,
  { diverted }: Pick<Lane, "diverted"> = {},
): LaneOptions {
  return { ordering, batch: diverted ? null : batch, inFiles: writesFiles(destination) };
}

/**
 * Reads more events when the buffer runs low or holds too few sendable ones. If events after the position have expired,
 * returns where the log begins.
 */
export async function refill(
  active: ActiveLane,
  lane: Lane,
  log: EventLog,
  window = lane.window,
  bytes = mostBytes,
  wanted: WantedEvents = all,
): Promise<{ oldest: number } | undefined> {
  if (active.isStale || active.epoch !== lane.epoch) rewind(active, lane);
  const size = sizeOf(active.endpoint, lane, window);
  trim(active, lane, size);
  if (!needsRefill(active, size, bytes)) return undefined;
  const { hints, readTo } = active;
  const found = await log.readWithin(active.keyId, readTo, portionOf(active, size, bytes));
  const events = untilGap(found.events);
  const more = found.more || events.length < found.events.length;
  const chosen = await wanted.of(active.endpoint, events);
  if (active.isStale) return undefined;
  active.caughtUp = !more && hints === active.hints;
  active.more = more;
  const [first] = events;
  if (!first) return undefined;
  // A gap can be skipped only at the position; until then the buffer runs empty.
  if (first.seq > readTo + 1 && readTo !== applyPassed(active.passed, lane).position) {
    active.caughtUp = false;
    return undefined;
  }
  take(active, events, chosen);
  active.readTo = events.at(-1)?.seq ?? readTo;
  // Some of them may be done already, from before the lane was loaded.
  active.done = undefined;
  return first.seq > readTo + 1 ? { oldest: first.seq } : undefined;
}

/** A log that was restored from a backup has left out numbers. What follows them is read once the lane's position is there. */
function untilGap(events: WrittenEvent[]): WrittenEvent[] {
  const gap = events.findIndex(({ seq }, at) => at > 0 && seq !== (events[at - 1]?.seq ?? 0) + 1);
  return gap < 0 ? events : events.slice(0, gap);
}

const all: WantedEvents = { of: async (_, events) => events };

/** Events that are read together for an endpoint that leaves some out. */
const filteredPortion = 256;

function portionOf({ endpoint, buffer, bytes }: ActiveLane, size: number, mostBytes: number): ReadBudget {
  const least = isFiltered(endpoint) ? filteredPortion : 0;
  return { events: Math.max(size - buffer.size, size / 2, least), bytes: mostBytes - bytes };
}

/** Buffers the chosen events and passes over the others. */
function take(active: ActiveLane, events: WrittenEvent[], chosen: WrittenEvent[]): void {
  const now = Date.now();
  const isChosen = chosen.length < events.length ? new Set(chosen) : undefined;
  for (const event of events)
    if (isChosen?.has(event) ?? true) add(active, toBuffered(event, now));
    else pass(active.passed, event.seq, now);
}

/** Whether to read more events. */
export function needsRefill(
  { caughtUp, buffer, isStarved, bytes }: ActiveLane,
  size: number,
  mostBytes: number,
): boolean {
  return !caughtUp && (buffer.size <= size / 2 || isStarved) && bytes < mostBytes;
}

/** How many events a lane buffers while enough of them may be sent. */
function sizeOf({ batch }: StoredEndpoint, lane: Lane, window: number): number {
  // Keep space for three batches at half of the size: one being sent, one being written, one next.
  const inBatches = 6 * (batch?.max_events ?? 0);
  return Math.max(isProbing(lane) ? bufferedForProbe : bufferedPerAttempt * window, inBatches);
}

export function toBuffered(event: WrittenEvent, readAt = 0): BufferedEvent {
  const { seq, conversation, id, type, timestamp, json } = event;
  return { seq, conversation, readAt, bytes: json.length, id, type, timestamp, body: json };
}

/** Empties the buffer, so that the log is read again from the position. */
export function rewind(active: ActiveLane, lane: Lane): void {
  active.epoch = lane.epoch;
  active.isStale = false;
  active.passed = noneYet(active.endpoint, lane);
  active.done = undefined;
  active.buffer.clear();
  active.bytes = 0;
  active.readTo = lane.position;
  active.caughtUp = false;
}

function add(active: ActiveLane, event: BufferedEvent): void {
  active.buffer.set(event.seq, event);
  active.bytes += event.bytes;
}

function drop(active: ActiveLane, seq: number): void {
  const event = active.buffer.get(seq);
  if (!event) return;
  active.buffer.delete(seq);
  active.bytes -= event.bytes;
}

/** Drops finished events, and what is too much for a lane that is probing. */
function trim(active: ActiveLane, lane: Lane, size: number): void {
  if (!isSame(active.done, lane)) dropDone(active, lane);
  trimPassed(active.passed, lane.position, active.readTo);
  if (!isProbing(lane) || active.buffer.size <= size) return;
  for (const seq of [...active.buffer.keys()].slice(size)) drop(active, seq);
  active.readTo = [...active.buffer.keys()].at(-1) ?? lane.position;
  trimPassed(active.passed, lane.position, active.readTo);
  active.caughtUp = false;
}

/** Outcomes come in groups; between them a lane is checked many times, and each check has to be cheap. */
function isSame(before: ActiveLane["done"], { position, settled, retries }: Lane): boolean {
  return before?.position === position && before.settled === settled && before.retries === retries;
}

function dropDone(active: ActiveLane, { position, settled, retries }: Lane): void {
  for (const seq of active.buffer.keys()) {
    if (seq > position) break;
    drop(active, seq);
  }
  for (const seq of settled) drop(active, seq);
  for (const { seq } of retries) drop(active, seq);
  active.done = { position, settled, retries };
}
