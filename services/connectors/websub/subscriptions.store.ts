import type { StoreOptions } from "../../../mixins/store/store.mixin.ts";
import type { SourceKind } from "../../contracts/source.ts";

/** A hub, and the address by which it knows the feed. */
export interface Hub {
  url: string;
  topic: string;
}

/** A verified subscription: the hub announces what is new. */
export interface HubLease {
  /** Milliseconds until it has to be renewed. */
  renewInMs: number;
}

/** A subscription that a hub was asked for. `_id` is a random token, the path of the callback. */
export interface StoredHubSubscription {
  _id: string;
  kind: SourceKind;
  externalId: string;
  topic: string;
  hub: string;
  /** The secret that the hub signs with, encrypted, and bound to token and topic. */
  sealed: string;
  /** What the hub was asked for; `nothing` after it denied that. */
  wants: "subscribe" | "unsubscribe" | "nothing";
  /** Milliseconds; written before the hub is asked. */
  askedAt: number;
  /** Requests to the hub since it last verified. */
  tries: number;
  /** Milliseconds; 0 while the hub has not verified. */
  leaseUntil: number;
  /** Milliseconds; when to renew the lease. */
  renewAt: number;
}

export const subscriptionsCollection = "websub_subscriptions";

export const storeOptions: StoreOptions = {
  collection: subscriptionsCollection,
  indexes: [{ fields: ["externalId"], unique: true }, { fields: ["leaseUntil"] }],
};
