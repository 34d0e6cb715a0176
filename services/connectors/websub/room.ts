import type { StoreOptions } from "../../../mixins/store/store.mixin.ts";
import type { Store } from "../../../mixins/store/store.ts";
import type { SourceKind } from "../../contracts/source.ts";
import type { HubSecrets } from "./hub-secrets.ts";

/** Where a feed is distributed: a hub, and the address by which the hub knows the feed. */
export interface Hub {
  url: string;
  topic: string;
}

/** What was agreed, or asked for, with a hub. `_id` is a token that cannot be guessed: the callback's path. */
export interface StoredHubSubscription {
  _id: string;
  kind: SourceKind;
  externalId: string;
  topic: string;
  hub: string;
  /** The secret that the hub signs with, encrypted; bound to token and topic. */
  sealed: string;
  /** `nothing`: the hub has denied it. */
  wants: "subscribe" | "unsubscribe" | "nothing";
  /** Milliseconds; written before the hub is asked. */
  askedAt: number;
  /** Times that the hub was asked since it last verified. */
  tries: number;
  /** Milliseconds; 0 while the hub has not verified. */
  leaseUntil: number;
  /** Milliseconds; when the lease is to be renewed. */
  renewAt: number;
}

export const subscriptionsCollection = "websub_subscriptions";

export const storeOptions: StoreOptions = {
  collection: subscriptionsCollection,
  indexes: [{ fields: ["externalId"], unique: true }, { fields: ["leaseUntil"] }],
};

/** What the operations on subscriptions work with. */
export interface WebsubRoom {
  subscriptions: Store<StoredHubSubscription>;
  secrets: HubSecrets;
  /** The origin under which the gateway is reached from outside. */
  publicUrl: string;
  /** Milliseconds: the shortest wait before a hub is asked again. */
  minIntervalMs: number;
  /** Posts a form to a hub; the status of the answer. */
  post(url: string, form: URLSearchParams): Promise<number>;
  /** Makes the source due; tells whether anyone tracks it. */
  pollSoon(source: { kind: SourceKind; externalId: string }): Promise<{ isTracked: boolean }>;
  logger: { info(...line: unknown[]): void; warn(...line: unknown[]): void };
  /** Milliseconds since the epoch. */
  now(): number;
}
