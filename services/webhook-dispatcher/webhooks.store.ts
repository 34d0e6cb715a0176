import { claimIndexes } from "../../mixins/store/idempotency.ts";
import type { StoreOptions } from "../../mixins/store/store.mixin.ts";
import type { Index, Store } from "../../mixins/store/store.ts";
import type { Delivery } from "../contracts/deliveries.contract.ts";
import type { DestinationOptions } from "../contracts/destinations.ts";
import type { Digest } from "../contracts/endpoint-options.ts";
import type { JobNoticeType } from "../contracts/events.ts";
import type { DeliveryOptions } from "../domain/delivery/delivery-options.ts";
import type { EventFilter, FormerFilter } from "../domain/delivery/event-filter.ts";
import type { Format } from "../domain/delivery/formats/formats.ts";
import type { Lane } from "../domain/delivery/lane.ts";
import { isMailUrl } from "../domain/delivery/mail/address.ts";
import type { Rate } from "../domain/delivery/token-bucket.ts";
import { feedCollections } from "./feeds/feeds.store.ts";

/**
 * An endpoint; `_id` is that of its lane (`laneIdOf`), so the first one of a key has the key's id. What is missing was not
 * chosen.
 */
export interface StoredEndpoint extends DeliveryOptions, Partial<EventFilter> {
  _id: string;
  /** The key, of all endpoints but the first. */
  keyId?: string;
  /** The monitor that it belongs to and goes with. It is never a key's first one, which `/webhook` speaks of. */
  monitor?: string;
  /** The webhook's id in the API; it stays when the URL is replaced. */
  webhookId: string;
  name: string | null;
  /** Where a destination is, for people; secrets are not in it. */
  url: string;
  /** What it writes to in place of a URL, with dots in place of secrets; those are encrypted. */
  destination?: DestinationOptions | null;
  sealedDestination?: string | null;
  /** Unix milliseconds. */
  addedAt: number;
  /** The signing secret, encrypted for this key and webhook. */
  sealed: string;
  /** The secret before the last rotation, which also signs until `previousUntil` (Unix milliseconds). */
  previousSealed: string | null;
  previousUntil: number;
  /** The earlier secrets that still sign, newest first; none unless the secret was rotated again within their time. */
  older?: ReplacedSecret[];
  /** The lane's revision at the last change. */
  revision: number;
  /** How often the endpoint was changed. */
  changes?: number;
  /** Filters that it had before, for events that were appended then. */
  former?: FormerFilter[];
  /** Whether deliveries are signed with a key pair as well. */
  asymmetric?: boolean;
  /** Milliseconds that an exchange may take; 5,000 if missing. */
  timeoutMs?: number | null;
  /** The names of its own headers; the headers themselves are encrypted. */
  headerNames?: string[];
  sealedHeaders?: string | null;
  /** What is shown of its client certificate, which is encrypted with its key. */
  clientCertificate?: { subject: string; fingerprint: string; expires_at: string } | null;
  sealedCertificate?: string | null;
  rate?: Rate | null;
  /** The `webhookId` of the endpoint of the key that gets its events while it is FAILED. */
  fallback?: string | null;
  format?: Format;
  template?: string | null;
  /** JSONata that makes the body. */
  transform?: string | null;
  /** Why an event was taken as wanted that the filter could not be evaluated for; `at` is ISO 8601. */
  filterProblem?: { message: string; at: string } | null;
  /** JSON: what deliveries in the form of another program carry of its owner's. */
  metadata?: string | null;
  digest?: Digest | null;
  /** The `mailto:` URL whose owner has agreed; another one has to be asked. */
  confirmed?: string | null;
  /** How often an owner has taken the consent back: links to confirm from before lead nowhere. */
  withdrawals?: number;
}

/** A replaced secret, encrypted, and until when it also signs (Unix milliseconds). */
export interface ReplacedSecret {
  sealed: string;
  until: number;
}

/** The progress of the deliveries to an endpoint; `_id` is the endpoint's. */
export interface StoredLane extends Lane {
  _id: string;
  /** Decides which node works the lane. */
  shard: number;
  /** What the endpoint becomes: this document decides, and the endpoint's follows. */
  next?: {
    id: string;
    /** Counts the changes of the endpoint. */
    number: number;
    /** The `webhookId` of the endpoint before; null for a new one. */
    of: string | null;
    /** Null when it goes, and the lane with it. */
    endpoint: StoredEndpoint | null;
  };
  /** Set on the open change of an endpoint, so that an index finds it. */
  isOpen?: true;
  /** Set while `untold` has something, so that an index finds it. */
  hasUntold?: true;
}

/** What is known of an attempt, and listed. */
interface OfAttempt extends Omit<Delivery, "id" | "seq" | "webhook_id" | "at"> {
  keyId: string;
  /** The `webhookId` of the key's first endpoint; missing for notices, and in attempts at another endpoint. */
  webhookId?: string;
  /** Id of an endpoint other than the first: an index finds its attempts, and those of first endpoints do not pay for it. */
  endpoint?: string;
  /** The event's position in the key's log; missing for notices. */
  seq?: number;
}

/** An attempt that was just made; its id comes with the row that it is written in. */
export interface Attempted extends OfAttempt {
  /** Unix milliseconds. */
  startedAt: number;
}

let lastAt = { ms: 0, iso: "" };

/** What a line of the log says of an attempt: neither the address nor the answer, which may hold secrets. */
export function attemptLine(made: Attempted): object {
  const { keyId, webhookId, endpoint, event_id, type, seq, attempt, outcome, startedAt: ms } = made;
  const { http_status, error, duration_ms } = made;
  // Each delivery makes a line, which few log; many start in one millisecond.
  if (lastAt.ms !== ms) lastAt = { ms, iso: new Date(ms).toISOString() };
  const ended = { outcome, http_status, error, duration_ms, at: lastAt.iso };
  return { keyId, webhookId, endpoint, event_id, type, seq, attempt, ...ended };
}

/** An attempt as it is read from the list; `_id` is a ULID, so that ids sort by time. */
export interface ListedAttempt extends OfAttempt {
  _id: string;
  /** ISO 8601. */
  at: string;
}

/** What the attempts of a row have in common for the most part. */
export type Told = Pick<Delivery, "type" | "attempt" | "http_status" | "error" | "answer">;

/** An attempt in its row. The end of its event's id follows what the row says of all; times are in milliseconds. */
export type AttemptEntry = [
  event: string,
  seq: number | null,
  sinceRow: number,
  duration: number,
  other?: Partial<Told>,
];

/**
 * Attempts at one endpoint that were written together with one outcome (journal/attempt-rows.ts). `_id` is the id of the
 * first one, and those of the others follow it without a gap.
 */
export interface StoredAttempts extends Told, Pick<OfAttempt, "keyId" | "webhookId" | "endpoint"> {
  _id: string;
  url: string;
  outcome: Delivery["outcome"];
  /** The outcome unless it is a success: an index finds the few failures among many deliveries. */
  failedAs?: "failed" | "dead";
  /** What the ids of their events begin with; the whole id where there is one event. */
  events: string;
  /** When the first one started, in Unix milliseconds. */
  at: number;
  each: AttemptEntry[];
}

/** The outcome as an index has it. */
export function failedAs(outcome: Delivery["outcome"]): Pick<StoredAttempts, "failedAs"> {
  return outcome === "succeeded" ? {} : { failedAs: outcome };
}

/** Which endpoint an attempt was made to. */
export function attemptAt({
  keyId,
  webhookId,
}: Pick<StoredEndpoint, "keyId" | "webhookId">): Pick<OfAttempt, "webhookId" | "endpoint"> {
  return keyId === undefined ? { webhookId } : { endpoint: webhookId };
}

/** Whether events can be posted to it. */
export function hasUrl({ url, destination }: Pick<StoredEndpoint, "url" | "destination">): boolean {
  return !destination && !isMailUrl(url);
}

/** The endpoints of these keys, those of one key in the order in which they were added. */
export async function endpointsOf(
  endpoints: Pick<Store<StoredEndpoint>, "find">,
  keyIds: readonly string[],
): Promise<StoredEndpoint[]> {
  const query = { $or: [{ _id: { $in: keyIds } }, { keyId: { $in: keyIds } }] };
  const found = await endpoints.find({ query });
  return found.sort(
    (a, b) => a.addedAt - b.addedAt || a._id.length - b._id.length || (a._id < b._id ? -1 : 1),
  );
}

/** The first endpoint of a key, which `/webhook` is: those of its monitors are none of these. */
export async function firstEndpoint(
  endpoints: Pick<Store<StoredEndpoint>, "find">,
  keyId: string,
): Promise<StoredEndpoint | undefined> {
  return (await endpointsOf(endpoints, [keyId])).find(({ monitor }) => monitor === undefined);
}

/** Its lane; while a key has none, that of the one to come. */
export async function firstLane(
  endpoints: Pick<Store<StoredEndpoint>, "find">,
  keyId: string,
): Promise<string> {
  return (await firstEndpoint(endpoints, keyId))?._id ?? keyId;
}

export const endpointsCollection = "webhooks";

export const lanesCollection = "webhook_lanes";

export const deliveriesCollection = "webhook_attempts";

/** The claims of requests that make endpoints and feeds. */
export const claimsCollection = "webhook_claims";

/** The owner of a secret, and its stored form. */
export type Signer = Pick<
  StoredEndpoint,
  "_id" | "webhookId" | "sealed" | "previousSealed" | "previousUntil" | "older" | "asymmetric"
>;

/** A notice that is not delivered yet; `_id` is the notice's id. It is removed after its last attempt. */
export interface StoredNotice {
  _id: string;
  keyId: string;
  type: JobNoticeType;
  eventId: string;
  url: string;
  /** The job's own headers, encrypted; absent if there are none. */
  sealedHeaders?: string;
  /** The place of its announcement in the trace of the job. */
  traceparent?: string;
  /** The request's body, the same in every attempt. */
  body: string;
  /** Its form, where that is another program's. */
  format?: "firecrawl";
  /** Completed attempts. */
  attempts: number;
  /** The queue run that may work on it, from 1; other runs came too late. */
  run: number;
  /** When that run is due, or was last started again, in Unix milliseconds. */
  dueAt: number;
  /** How often it was postponed since its last attempt. */
  deferrals: number;
}

/** Without `_id`, which is that of the key. */
export type JobSigner = Omit<Signer, "_id">;

/** What signs the notices of a key; `_id` is the key's id. */
export interface StoredJobSecret {
  _id: string;
  /** Issued by the answer to a job while the key had no endpoint: it signs for good. */
  own?: JobSigner;
  /** The secret of its first endpoint, for notices that are sent after that was removed. */
  endpoint?: JobSigner;
}

export const noticesCollection = "webhook_notices";

export const jobSecretsCollection = "webhook_job_secrets";

export const noticeCollections: Record<string, Index[]> = {
  [noticesCollection]: [{ fields: ["keyId"] }, { fields: ["dueAt", "_id"] }],
  [jobSecretsCollection]: [],
};

export const storeOptions: StoreOptions = {
  collection: endpointsCollection,
  file: "webhooks",
  indexes: [{ fields: ["keyId"], sparse: true }, { fields: ["webhookId"] }],
  extraCollections: {
    [lanesCollection]: [
      { fields: ["status", "_id"] },
      { fields: ["shard", "status", "_id"] },
      { fields: ["isOpen"], sparse: true },
      { fields: ["hasUntold"], sparse: true },
    ],
    ...noticeCollections,
    ...feedCollections,
    [claimsCollection]: claimIndexes,
    [deliveriesCollection]: [
      { fields: ["keyId", "_id"] },
      { fields: ["endpoint", "_id"], sparse: true },
      // Each index is paid for by every row: those of outcomes hold the few failures only.
      { fields: ["keyId", "failedAs", "_id"], sparse: true },
      { fields: ["failedAs", "_id"], sparse: true },
      { fields: ["keyId", "events", "_id"] },
    ],
  },
};
