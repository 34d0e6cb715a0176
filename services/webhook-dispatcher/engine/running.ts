import type { KeyObject } from "node:crypto";
import type { EventLog, WrittenEvent } from "../../../mixins/log/log.ts";
import type { EventType } from "../../contracts/events.ts";
import type { Attempt, Lane } from "../../domain/delivery/lane.ts";
import type { StoredEndpoint } from "../room.ts";

/** An event as it is sent. */
export interface Parcel {
  id: string;
  type: EventType;
  /** JSON. */
  body: string;
}

/** An event that waits in memory. */
export interface Buffered extends Parcel {
  seq: number;
  source: string | null;
}

/** A lane that has something to do, with what it needs in memory. */
export interface Running {
  readonly keyId: string;
  endpoint: StoredEndpoint;
  url: URL;
  signingKeys: KeyObject[];
  /** When `signingKeys` are to be looked up again, in Unix milliseconds. */
  keysUntil: number;
  /** Events after the position that are not done with, in order. */
  buffer: Buffered[];
  /** How far the log was read into the buffer. */
  readTo: number;
  epoch: number;
  /** The log held nothing more when it was read last. */
  caughtUp: boolean;
  /** Counts hints, so that one that comes while the log is read is not overlooked. */
  hints: number;
  underWay: Map<number, Attempt>;
  /** Those under way that were taken and are being written down. */
  taken: Set<number>;
  /** What the buffer was last rid of. */
  done?: Pick<Lane, "position" | "settled" | "retries">;
}

/** For each attempt that may be under way: enough for a full window when several wait for one source. */
const bufferedPerAttempt = 8;
/** As much as the largest event: what a thousand lanes hold must fit into memory. */
const bufferedBytes = 256 * 1024;

export function begin(endpoint: StoredEndpoint, { position, epoch }: Lane): Running {
  return {
    keyId: endpoint._id,
    endpoint,
    url: new URL(endpoint.url),
    signingKeys: [],
    keysUntil: 0,
    buffer: [],
    readTo: position,
    epoch,
    caughtUp: false,
    hints: 0,
    underWay: new Map(),
    taken: new Set(),
  };
}

/** Reads on in the log where the buffer runs low. Answers where the log begins when events before that have expired. */
export async function refill(
  running: Running,
  lane: Lane,
  log: EventLog,
  window = lane.window,
): Promise<{ oldest: number } | undefined> {
  if (running.epoch !== lane.epoch) rewind(running, lane);
  const size = bufferedPerAttempt * (lane.streak.length > 0 ? 1 : window);
  trim(running, lane, size);
  if (running.caughtUp || running.buffer.length > size / 2) return undefined;
  const { hints, readTo } = running;
  const bytes = bufferedBytes - running.buffer.reduce((held, { body }) => held + body.length, 0);
  if (bytes <= 0) return undefined;
  const portion = { events: size - running.buffer.length, bytes };
  const { events, more } = await log.readPortion(running.keyId, readTo, portion);
  running.caughtUp = !more && hints === running.hints;
  const [first] = events;
  if (!first) return undefined;
  // A gap can only be skipped from the position itself; until then the buffer runs empty.
  if (first.seq > readTo + 1 && readTo !== lane.position) {
    running.caughtUp = false;
    return undefined;
  }
  running.buffer.push(...events.map(bufferedOf));
  running.readTo = events.at(-1)?.seq ?? readTo;
  // Some of them may be done with already: the lane was worked before it was taken into memory.
  running.done = undefined;
  return first.seq > readTo + 1 ? { oldest: first.seq } : undefined;
}

export function bufferedOf({ seq, source, id, type, json }: WrittenEvent): Buffered {
  return { seq, source, id, type, body: json };
}

/** Reads anew from the position on. */
export function rewind(running: Running, lane: Lane): void {
  running.epoch = lane.epoch;
  running.done = undefined;
  running.buffer = [];
  running.readTo = lane.position;
  running.caughtUp = false;
}

/** Forgets what is done with, and what is too much. */
function trim(running: Running, lane: Lane, size: number): void {
  if (!isSame(running.done, lane)) dropDone(running, lane);
  if (running.buffer.length <= size) return;
  running.buffer.length = size;
  running.readTo = running.buffer.at(-1)?.seq ?? lane.position;
  running.caughtUp = false;
}

/** Outcomes come in groups; between them a lane is looked at many times, and each look has to be cheap. */
function isSame(before: Running["done"], { position, settled, retries }: Lane): boolean {
  return before?.position === position && before.settled === settled && before.retries === retries;
}

function dropDone(running: Running, { position, settled, retries }: Lane): void {
  const done = new Set([...settled, ...retries.map(({ seq }) => seq)]);
  running.buffer = running.buffer.filter(({ seq }) => seq > position && !done.has(seq));
  running.done = { position, settled, retries };
}
