import { action, repeatable } from "./action.ts";
import { type JobNoticeType, jobNoticeTypes } from "./events.ts";
import { cursor, limit } from "./paging.ts";

export interface Webhook {
  id: string;
  /** The key value that it belongs to. */
  apiKey: string;
  name: string | null;
  url: string;
  status: "ACTIVE" | "FAILED";
}

/** One attempt to deliver an event. */
export interface Delivery {
  id: string;
  event_id: string;
  type: string;
  /** From 1. */
  attempt: number;
  /** `dead`: set aside after its last attempt. */
  outcome: "succeeded" | "failed" | "dead";
  /** Null when no answer came. */
  http_status: number | null;
  error: "timeout" | "connection" | "tls" | "redirect" | "refused" | "http" | null;
  duration_ms: number;
  /** The first 2 KB of the answer. */
  answer: string;
  /** ISO 8601. */
  at: string;
}

const url = { type: "string", min: 1, max: 2048, description: "HTTPS endpoint that receives events." };
const name = {
  type: "string",
  trim: true,
  min: 1,
  max: 100,
  nullable: true,
  description: "A label of your own; null for none.",
};

export const getWebhook = repeatable<Record<string, never>, { data: string | null; message?: string }>(
  "webhook.get",
  {
    $$strict: true,
  },
);

/** Registers or overwrites; 201 when new. `secret` is shown here only. */
export const registerWebhook = action<
  { url: string; name?: string | null },
  { data: Webhook & { secret: string }; message: string }
>("webhook.register", { $$strict: true, url, name: { ...name, optional: true } });

export const changeWebhook = action<
  { url?: string; name?: string; rotate_secret?: boolean },
  { data: Webhook & { secret?: string }; message: string }
>("webhook.change", {
  $$strict: true,
  // A null is told that there is always a URL.
  url: { ...url, optional: true, nullable: false },
  name: { ...name, optional: true },
  rotate_secret: {
    type: "boolean",
    optional: true,
    description: "Makes a new secret; for 24 hours deliveries are signed with both.",
  },
});

export const removeWebhook = action<Record<string, never>, { message: string }>("webhook.remove", {
  $$strict: true,
});

export const listDeliveries = repeatable<
  { status?: Delivery["outcome"]; cursor?: string; limit: number },
  { data: Delivery[]; next_cursor: string | null; message: string }
>("webhook.deliveries", {
  $$strict: true,
  status: {
    type: "enum",
    values: ["succeeded", "failed", "dead"],
    optional: true,
    description: "Only attempts with this outcome.",
  },
  cursor,
  limit: limit("Attempts a page."),
});

/** Appends a `webhook.test` event to the key's log. */
export const testWebhook = action<Record<string, never>, { data: { event_id: string }; message: string }>(
  "webhook.test",
  { $$strict: true },
);

/** Delivers again what happened since, at most the retention. */
export const replayWebhook = action<{ since: string }, { data: { events: number }; message: string }>(
  "webhook.replay",
  { $$strict: true, since: { type: "string", min: 1, max: 40, description: "ISO 8601." } },
);

/** What is told of a job. */
export interface JobNotice {
  /** Identity: the same notice is announced once. For example `scr_….completed`. */
  id: string;
  type: JobNoticeType;
  keyId: string;
  url: string;
  headers: Record<string, string>;
  /** Goes out as `data.job`; cut where the body would be over 256 KB. */
  job: Record<string, unknown>;
  /** ISO 8601. */
  timestamp: string;
}

/**
 * Checks the URL and the headers of a job's own webhook, and sees that the key has a secret to sign with. `secret` is
 * there only when it was made just now: the caller shows it. Errors name `webhook.url` or `webhook.headers.<name>`. Not
 * published.
 */
export const prepareJobWebhook = action<
  { keyId: string; url: string; headers?: Record<string, string> },
  { secret?: string }
>("webhook.prepareJob", {
  $$strict: true,
  keyId: { type: "string", min: 1 },
  url: { type: "string", min: 1 },
  headers: { type: "record", key: "string", value: { type: "string", empty: true }, optional: true },
});

/** Delivers a notice, in at most five attempts; it is on disk when this resolves. Not published. */
export const announceJob = repeatable<JobNotice, null>("webhook.announceJob", {
  $$strict: true,
  id: { type: "string", min: 1 },
  type: { type: "enum", values: [...jobNoticeTypes] },
  keyId: { type: "string", min: 1 },
  url: { type: "string", min: 1 },
  headers: { type: "record", key: "string", value: { type: "string", empty: true } },
  job: { type: "object" },
  timestamp: { type: "string", min: 1 },
});
