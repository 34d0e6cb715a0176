import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { Appended, Event, EventData, EventType } from "../../services/contracts/events.ts";

/** Events of this time are in the store itself, not in sealed segments; also the default of the retention. */
export const hotMs = 72 * 3_600_000;

/** An event before it has a position in any log. */
export interface NewEvent {
  /** Identity of what happened, the same for all keys: source, post and revision. The body is stored once under it. */
  bodyId: string;
  type: EventType;
  /** ISO 8601. */
  timestamp: string;
  data: EventData;
  /** The keys that get it. */
  keyIds: string[];
}

/** The first and last position of a key's log; both 0 for a key without events, `oldest` = `latest` + 1 when all have expired. */
export interface Bounds {
  oldest: number;
  latest: number;
}

/** An event as serialized JSON: its readers pass it on without parsing it. */
export interface WrittenEvent {
  seq: number;
  id: string;
  type: EventType;
  /** ISO 8601. */
  timestamp: string;
  /** The conversation whose events arrive in order; null for an event without a source. */
  conversation: string | null;
  /** `id` of the event's source, or of its monitor; null for an event without one. */
  sourceId: string | null;
  /** The event as JSON. */
  json: string;
}

/** Which events an erasure is about. */
export interface EventsToErase {
  /** Ids of their source. */
  sourceIds: readonly string[];
  /** What is in the JSON of all others of them. `isOne` tells whether an event that has it is one. */
  text: string;
  isOne(data: EventData): boolean;
}

export interface Erasing {
  /** `next` of the call before; empty at first. */
  cursor: string;
  /** Only counts. */
  dry: boolean;
  /** About how long one call takes, in milliseconds. */
  forMs: number;
}

/** How much of a log is read at a time by a reader that keeps it in memory. */
export interface ReadBudget {
  events: number;
  /** About the bytes of bodies as JSON; one event is read whatever its size. */
  bytes: number;
}

/**
 * An ordered log of events per key, kept for EVENT_RETENTION. What is older than `hotMs` lies in sealed segments, which
 * readers do not notice. Readers keep their own positions; reading removes nothing.
 */
export interface EventLog {
  /**
   * Appends to the logs of all keys, or to none; durable once resolved. Leaves out events that a log already has, so a
   * repeated step is harmless. Returns the keys whose logs grew. Rejects with the code `conflict` from `until` (ms) on,
   * when the caller's lease ends.
   */
  append(events: NewEvent[], until?: number): Promise<string[]>;
  /** For each body, those of the keys whose logs have it while it is hot: an append of it would leave them out. */
  holders(bodyIds: string[], keyIds: string[]): Promise<string[][]>;
  /** Events after a position, in order, at most `limit`. */
  read(keyId: string, after: number, limit: number): Promise<Event[]>;
  /** Reads within a budget, serialized; `more` when the log may hold more. */
  readWithin(
    keyId: string,
    after: number,
    budget: ReadBudget,
  ): Promise<{ events: WrittenEvent[]; more: boolean }>;
  bounds(keyId: string): Promise<Bounds>;
  /** The position just before the first event at or after a time. */
  positionAt(keyId: string, since: Date): Promise<number>;
  /** The keys whose logs grew last, the latest first, at most `limit`. */
  grownLast(limit: number): Promise<string[]>;
  /** Calls the listener after appends of this process and of other nodes. Returns the function that stops it. */
  onAppended(listener: (keyIds: string[]) => void): () => void;
  /**
   * Removes what is older than the retention, and bodies that no log refers to; then seals what is no longer hot, until the
   * signal. Returns the number of references removed for good.
   */
  prune(now: Date, signal?: AbortSignal): Promise<number>;
  /** Removes a key's log for good, with its segments. */
  drop(keyId: string): Promise<void>;
  /**
   * Takes the content out of events in the logs of all keys. Their positions and ids stay, with the type `event.erased`.
   * Answers how many contents there were, and where the next call goes on; null at the end. Repeating it is harmless.
   */
  erase(wanted: EventsToErase, erasing: Erasing): Promise<{ found: number; next: string | null }>;
}

/** An open log: `receive` takes the notifications of other nodes, and `forgetCached` the one that events were erased. */
export interface OpenLog extends EventLog {
  receive(appended: Appended): void;
  forgetCached(): void;
  close(): Promise<void>;
}

/** Entries removed at a time; takes a few milliseconds. */
export const sliceSize = 500;

/** Removes slice by slice, and lets other work run in between. A process that ends in between leaves the rest to the next prune. */
export async function inSlices(slice: () => number | Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const removed = await slice();
    total += removed;
    if (removed < sliceSize) return total;
    await yieldToLoop();
  }
}
