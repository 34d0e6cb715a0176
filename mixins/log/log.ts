import type { Appended, Event, EventData, EventType } from "../../services/contracts/events.ts";
import type { Doc, Store, Transaction } from "../store/store.ts";

export const retentionMs = 72 * 3_600_000;

/** An event before it has a place in anyone's log. */
export interface NewEvent {
  /** Identity of what happened, the same for every key: source, post and revision. The body is stored once under it. */
  bodyId: string;
  type: EventType;
  /** ISO 8601. */
  timestamp: string;
  data: EventData;
  /** Who gets it. */
  keyIds: string[];
}

/** Where a key's log begins and ends; both 0 for a key without events, `oldest` = `latest` + 1 when all have expired. */
export interface Bounds {
  oldest: number;
  latest: number;
}

/** An event as its readers pass it on: nobody takes it apart, so nobody has to put it together again. */
export interface WrittenEvent {
  seq: number;
  id: string;
  type: EventType;
  /** The id of the event's source; null where none is concerned. */
  source: string | null;
  /** The whole event. */
  json: string;
}

/** How much of a log is read at a time by whoever holds what it reads. */
export interface Portion {
  events: number;
  /** Of bodies as JSON, about; one event is read however large it is. */
  bytes: number;
}

/** What a log needs of a store to write together with it. */
export type Transactional = Pick<Store<Doc>, "transaction">;

/** One ordered log of events per key, with a retention of 72 h. Readers keep positions; nothing is taken out by reading. */
export interface EventLog {
  /**
   * Appends to the logs of all keys, at once or not at all; durable once resolved. An event that a log has already is
   * left out, so that a repeated step is harmless. Tells the keys whose logs grew. Rejects with the code `conflict`
   * from `until` (ms) on, which is when the lease ends under which the caller works.
   */
  append(events: NewEvent[], until?: number): Promise<string[]>;
  /**
   * `append` together with a transaction of the store, whose `work` tells the events. What it wrote never stands without
   * them. Where the log and the store are apart, a death in between leaves the events alone: the step is to be repeated.
   */
  tell(store: Transactional, work: (transaction: Transaction) => NewEvent[], until?: number): Promise<void>;
  /** Events after a position, in order, at most `limit`. */
  read(keyId: string, after: number, limit: number): Promise<Event[]>;
  /** The same, at most a portion; `more` when the log may hold more than that. */
  readPortion(
    keyId: string,
    after: number,
    portion: Portion,
  ): Promise<{ events: WrittenEvent[]; more: boolean }>;
  bounds(keyId: string): Promise<Bounds>;
  /** The position just before the first event at or after a time. */
  positionAt(keyId: string, since: Date): Promise<number>;
  /** Calls back after appends in this process and when another node hints at some; tells how to stop. */
  onAppended(listener: (keyIds: string[]) => void): () => void;
  /** Removes what is older than the retention, and bodies that no log names any more; tells how many references went. */
  prune(now: Date): Promise<number>;
  /** Forgets a key's log. */
  drop(keyId: string): Promise<void>;
}

/** A log that is open: `hear` takes the hints of others, `close` ends it. */
export interface OpenLog extends EventLog {
  hear(appended: Appended): void;
  close(): Promise<void>;
}
