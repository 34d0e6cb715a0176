import type { Dispatcher as Agent } from "undici";
import type { Queue } from "../../../mixins/queue/queue.ts";
import type { Index, Store } from "../../../mixins/store/store.ts";
import type { JobNoticeType } from "../../contracts/events.ts";
import type { Schedule } from "../../domain/delivery/backoff.ts";
import type { StoredEndpoint, WebhookRoom } from "../room.ts";
import type { Signer } from "../vault.ts";
import type { Places } from "./places.ts";

/** A notice that is not delivered yet; `_id` is the notice's own. Removed after its last attempt. */
export interface StoredNotice {
  _id: string;
  keyId: string;
  type: JobNoticeType;
  eventId: string;
  url: string;
  /** The job's own, to be added. */
  headers: Record<string, string>;
  /** What is sent, the same in every attempt. */
  body: string;
  /** Attempts that came to an end. */
  attempts: number;
  /** Which run of the queue may work on it, from 1; the others came too late. */
  run: number;
  /** When that run is due, or was last tried again, in Unix milliseconds. */
  dueAt: number;
  /** How often it was put off since its last attempt. */
  deferrals: number;
}

/** What signs the notices of a key that has no endpoint; `_id` is the key's id. */
export interface StoredJobSecret extends Signer {
  _id: string;
}

/** What the queue carries. */
export interface NoticeRun {
  noticeId: string;
  run: number;
}

export const noticesCollection = "webhook_notices";
export const jobSecretsCollection = "webhook_job_secrets";

export const noticeCollections: Record<string, Index[]> = {
  [noticesCollection]: [{ fields: ["keyId"] }, { fields: ["dueAt", "_id"] }],
  [jobSecretsCollection]: [],
};

/** What the operations on notices work with. */
export interface NoticeRoom extends Pick<WebhookRoom, "endpoints" | "vault" | "egress" | "allowHttp"> {
  endpoints: Store<StoredEndpoint>;
  notices: Store<StoredNotice>;
  jobSecrets: Store<StoredJobSecret>;
  queue: Queue<NoticeRun>;
  agent: Agent;
  schedule: Schedule;
  places: Places;
  logger: Record<"warn" | "info" | "debug", (...args: unknown[]) => void>;
}
