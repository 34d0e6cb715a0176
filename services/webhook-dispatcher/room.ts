import type { Egress } from "../../mixins/egress/egress.ts";
import type { EventLog } from "../../mixins/log/log.ts";
import type { StoreOptions } from "../../mixins/store/store.mixin.ts";
import type { Store } from "../../mixins/store/store.ts";
import type { Delivery } from "../contracts/webhook.contract.ts";
import type { Lane } from "../domain/delivery/lane.ts";
import type { Dispatcher } from "./engine/dispatcher.ts";
import type { Journal } from "./engine/journal.ts";
import { noticeCollections } from "./notices/room.ts";
import type { Vault } from "./vault.ts";

/** The endpoint of one key; `_id` is the key's id, since a key has one. */
export interface StoredEndpoint {
  _id: string;
  /** What the interface calls the webhook's id; stays when the URL is overwritten. */
  webhookId: string;
  name: string | null;
  url: string;
  /** The signing secret, encrypted; bound to key and webhook. */
  sealed: string;
  /** The secret before the last rotation, which signs too until `previousUntil` (Unix milliseconds). */
  previousSealed: string | null;
  previousUntil: number;
  /** The secrets before that one which sign yet, newest first; none unless it was rotated again within their time. */
  older?: ReplacedSecret[];
  /** The lane's, as of the last change. */
  revision: number;
}

/** A secret that was replaced, encrypted, and until when it signs too (Unix milliseconds). */
export interface ReplacedSecret {
  sealed: string;
  until: number;
}

/** How far the deliveries to an endpoint have come; `_id` is the key's id. */
export interface StoredLane extends Lane {
  _id: string;
  /** Decides which node works it. */
  shard: number;
}

/** One attempt; `_id` is a ULID, so that the order of identities is the order in time. */
export interface StoredDelivery extends Omit<Delivery, "id"> {
  _id: string;
  keyId: string;
  /** The outcome where it is no success: the few that are looked for among the many. */
  failedAs?: "failed" | "dead";
}

/** What is stored of an attempt beside what is told of it. */
export function failedAs(outcome: Delivery["outcome"]): Pick<StoredDelivery, "failedAs"> {
  return outcome === "succeeded" ? {} : { failedAs: outcome };
}

export const endpointsCollection = "webhooks";
export const lanesCollection = "webhook_lanes";
export const deliveriesCollection = "webhook_deliveries";

export const storeOptions: StoreOptions = {
  collection: endpointsCollection,
  file: "webhooks",
  extraCollections: {
    [lanesCollection]: [{ fields: ["status", "_id"] }, { fields: ["shard", "status", "_id"] }],
    ...noticeCollections,
    [deliveriesCollection]: [
      { fields: ["keyId", "_id"] },
      { fields: ["keyId", "failedAs", "_id"], sparse: true },
    ],
  },
};

/** What the operations of this room work with. */
export interface WebhookRoom {
  endpoints: Store<StoredEndpoint>;
  lanes: Store<StoredLane>;
  deliveries: Store<StoredDelivery>;
  journal: Journal;
  dispatcher: Dispatcher;
  log: EventLog;
  egress: Pick<Egress, "admit">;
  vault: Vault;
  allowHttp: boolean;
  /** Begins no more deliveries; resolves when those under way are settled. */
  close(): Promise<void>;
}
