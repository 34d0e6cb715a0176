import { monotonicFactory } from "ulid";
import type { EmbeddedLog } from "../../mixins/log/log.ts";
import type { StoreOptions } from "../../mixins/store/store.mixin.ts";
import type { Store, Transaction, TransactionCollection } from "../../mixins/store/store.ts";
import type { PollResult } from "../contracts/connectors.contract.ts";
import type { SourceKind } from "../contracts/source.ts";
import type { Health } from "../domain/polling/judge-poll.ts";

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
  /** Something new was announced during the poll under way: the next one is due as soon as may be. */
  again?: true;
}

/** What the connector remembers of a source; `_id` is the source's. */
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
  log: Pick<EmbeddedLog, "appendNow" | "announce" | "drop">;
  minIntervalMs: number;
  look: Look;
  /** Told of what a connector should have answered as a failure of the source. */
  onFault(source: StoredSource, error: unknown): void;
  /** Told of a source that nobody tracks any more; does not wait for what comes of it. */
  onLetGo(source: StoredSource): void;
  /** Milliseconds. */
  now(): number;
  /** From 0 to below 1. */
  random(): number;
  /** A ULID that is greater than all before it in this process. */
  newId(now: number): string;
}

type Outside = Pick<TrackerRoom, "log" | "minIntervalMs" | "look" | "onFault"> &
  Partial<Pick<TrackerRoom, "onLetGo" | "now" | "random">>;

export function openRoom(sources: Store<StoredSource>, outside: Outside): TrackerRoom {
  return {
    sources,
    states: sources.collection("source_states"),
    subscriptions: sources.collection("subscriptions"),
    tallies: sources.collection("tracker_tallies"),
    newId: monotonicFactory(),
    onLetGo: () => undefined,
    now: Date.now,
    random: Math.random,
    ...outside,
  };
}

/** The collections of this room within a transaction. */
export interface Steps {
  sources: TransactionCollection<StoredSource>;
  states: TransactionCollection<StoredState>;
  subscriptions: TransactionCollection<StoredSubscription>;
  tallies: TransactionCollection<StoredTally>;
}

/** All that `work` writes, the log's part included, or nothing of it. */
export function atOnce<Result>({ sources }: TrackerRoom, work: (steps: Steps) => Result): Promise<Result> {
  return sources.transaction((transaction: Transaction) =>
    work({
      sources: transaction.collection("sources"),
      states: transaction.collection("source_states"),
      subscriptions: transaction.collection("subscriptions"),
      tallies: transaction.collection("tracker_tallies"),
    }),
  );
}
