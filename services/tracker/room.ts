import { monotonicFactory } from "ulid";
import type { Leases } from "../../mixins/lease/lease.ts";
import type { EventLog } from "../../mixins/log/log.ts";
import type { StoreOptions } from "../../mixins/store/store.mixin.ts";
import type { Store, Survives, Transaction, TransactionCollection } from "../../mixins/store/store.ts";
import type { PollResult } from "../contracts/connectors.contract.ts";
import type { SourceKind } from "../contracts/source.ts";
import type { Health } from "../domain/polling/judge-poll.ts";
import { Spread } from "../domain/polling/spread.ts";
import type { StoredBearer, Tokens } from "./bearer.ts";
import type { StoredJoin, StoredTrackJob } from "./joins/records.ts";
import type { StoredLooseEnd } from "./loose-ends.ts";
import type { Address } from "./platforms.ts";
import type { Little } from "./source-state.ts";
import { Turns } from "./turns.ts";

/** One upstream source, whoever tracks it. `_id` is a UUID. */
export interface StoredSource extends Health {
  _id: string;
  kind: SourceKind;
  externalId: string;
  username: string;
  name: string;
  /** ISO 8601; the last change of name, address or health. */
  updatedAt: string;
  /** Milliseconds; when it is to be polled. While it is leased: when the lease ends, so that a dead poller's comes up again. */
  dueAt: number;
  /** Milliseconds; when the last look began that was taken in. */
  polledAt: number;
  /** The token of the poll under way: only its bearer may write what it found. */
  lease?: string;
  /** Little things of the connector's state that are newer than what stands in `source_states`. */
  moved?: Record<string, Little>;
  /** The latest poll left some of what was new to the next one. */
  more?: true;
  /** Something new was announced during the poll under way: the next one is due as soon as may be. */
  again?: true;
}

/** What the connector remembers of a source, but for what the source has `moved` since; `_id` is the source's. */
export interface StoredState {
  _id: string;
  state: Record<string, unknown>;
}

/** `_id` is a ULID, so that the order of identities is the order in which a key began to track. */
export interface StoredSubscription {
  _id: string;
  keyId: string;
  sourceId: string;
  kind: SourceKind;
  /** The kind under which the key asked for it, where that is another: a page is tracked as its feed. */
  askedAs?: SourceKind;
  /** ISO 8601. */
  createdAt: string;
}

/** How many sources a key tracks; `_id` is the key's. */
export interface StoredTally {
  _id: string;
  sources: number;
}

export const storeOptions: StoreOptions = {
  collection: "sources",
  indexes: [
    { fields: ["kind", "externalId"], unique: true },
    { fields: ["kind", "_id"] },
    { fields: ["dueAt"] },
    { fields: ["lease"], sparse: true },
  ],
  extraCollections: {
    source_states: [],
    subscriptions: [
      { fields: ["keyId", "sourceId"], unique: true },
      { fields: ["keyId", "kind", "_id"] },
      { fields: ["sourceId"] },
    ],
    tracker_tallies: [],
    loose_ends: [],
    tracker_bearers: [],
    track_joins: [{ fields: ["dueAt"] }, { fields: ["lease"], sparse: true }],
    track_jobs: [
      { fields: ["joinId", "keyId"] },
      { fields: ["keyId"] },
      { fields: ["endedAt"], sparse: true },
    ],
  },
};

/** The one thing that polling needs of the connectors. Rejects when they cannot work at all. */
export type Look = (source: StoredSource, state: Record<string, unknown>) => Promise<PollResult>;

/** What the operations of this room work with. */
export interface TrackerRoom {
  sources: Store<StoredSource>;
  states: Store<StoredState>;
  subscriptions: Store<StoredSubscription>;
  tallies: Store<StoredTally>;
  looseEnds: Store<StoredLooseEnd>;
  joins: Store<StoredJoin>;
  jobs: Store<StoredTrackJob>;
  bearers: Store<StoredBearer>;
  turns: Turns;
  /** Of the leases that this process may take. */
  tokens: Tokens;
  /** Fires when the room stops. */
  closing: AbortSignal;
  log: Pick<EventLog, "tell" | "drop">;
  minIntervalMs: number;
  look: Look;
  /** Told of what a connector should have answered as a failure of the source. */
  onFault(source: StoredSource, error: unknown): void;
  /** Has the platform bring no more of a source. */
  letGo(source: Address): Promise<unknown>;
  /** Told of a source that nobody may track any more; does not wait for what comes of it. */
  onLooseEnd(source: Address): void;
  /** Told of a source that its platform did not let go of. */
  onNotLetGo(source: Address, error: unknown): void;
  /** Told that a request to be let in is to be looked after now. */
  onJoin(): void;
  /** Milliseconds. */
  now(): number;
  /** From 0 to below 1. */
  random(): number;
  /** When sources are due that may be polled a little earlier or later. */
  spread: Spread;
  /** A ULID that is greater than all before it in this process. */
  newId(now: number): string;
}

type Outside = Pick<TrackerRoom, "log" | "minIntervalMs" | "look" | "onFault" | "tokens" | "closing"> & {
  leases: Pick<Leases, "take" | "wait">;
} & Partial<Pick<TrackerRoom, "letGo" | "onLooseEnd" | "onNotLetGo" | "onJoin" | "now" | "random">>;

export function openRoom(sources: Store<StoredSource>, { leases, ...outside }: Outside): TrackerRoom {
  return {
    sources,
    states: sources.collection("source_states"),
    subscriptions: sources.collection("subscriptions"),
    tallies: sources.collection("tracker_tallies"),
    looseEnds: sources.collection("loose_ends"),
    joins: sources.collection("track_joins"),
    jobs: sources.collection("track_jobs"),
    bearers: sources.collection("tracker_bearers"),
    turns: new Turns(leases, outside.closing),
    newId: monotonicFactory(),
    letGo: async () => undefined,
    onLooseEnd: () => undefined,
    onNotLetGo: () => undefined,
    onJoin: () => undefined,
    now: Date.now,
    random: Math.random,
    spread: new Spread(outside.random ?? Math.random),
    ...outside,
  };
}

/** The collections of this room within a transaction. */
export interface Steps {
  sources: TransactionCollection<StoredSource>;
  states: TransactionCollection<StoredState>;
  subscriptions: TransactionCollection<StoredSubscription>;
  tallies: TransactionCollection<StoredTally>;
  looseEnds: TransactionCollection<StoredLooseEnd>;
  joins: TransactionCollection<StoredJoin>;
  jobs: TransactionCollection<StoredTrackJob>;
}

/** All that `work` writes, or nothing of it. */
export function atOnce<Result>(
  { sources }: TrackerRoom,
  work: (steps: Steps) => Result,
  survives?: Survives,
): Promise<Result> {
  return sources.transaction(transaction => work(stepsOf(transaction)), survives);
}

export function stepsOf(transaction: Transaction): Steps {
  return {
    sources: transaction.collection("sources"),
    states: transaction.collection("source_states"),
    subscriptions: transaction.collection("subscriptions"),
    tallies: transaction.collection("tracker_tallies"),
    looseEnds: transaction.collection("loose_ends"),
    joins: transaction.collection("track_joins"),
    jobs: transaction.collection("track_jobs"),
  };
}
