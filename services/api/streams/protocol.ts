import type { Bounds } from "../../../mixins/event-log/event-log.ts";
import { codeOf, invalid } from "../../contracts/errors.ts";
import type { KeyScope } from "../../contracts/key-scopes.ts";
import { count, type Infer, named, text, variants } from "../../contracts/schema.ts";
import { anyEvent } from "../openapi/events.ts";

export const helloFrame = named("HelloFrame", {
  type: { type: "equal", value: "hello" },
  seq: { ...count, description: "The newest event of the key's log; 0 when it never had one." },
  oldest_seq: { ...count, description: "The oldest that is kept; `seq` + 1 when all have expired." },
  heartbeat_ms: { ...count, description: "Milliseconds between the heartbeats of the service." },
});
export type HelloFrame = Infer<typeof helloFrame>;

export const eventFrame = named("EventFrame", { type: { type: "equal", value: "event" }, event: anyEvent });

export const errorFrame = named("ErrorFrame", {
  type: { type: "equal", value: "error" },
  code: { ...text, description: "Stable; branch on it." },
  message: { ...text, description: "For people." },
  oldest_seq: { ...count, optional: true, description: "On `cursor_too_old`: where the log begins." },
  retry_after: { ...count, optional: true, description: "Whole seconds to wait before the next connection." },
});
type ErrorFrame = Infer<typeof errorFrame>;

/** What a stream sends beside events, as WebSocket frames and as the data of server-sent events. */
export type Frame = HelloFrame | ErrorFrame;

/** A frame of a WebSocket. */
export const streamFrame = variants<Frame | Infer<typeof eventFrame>>("StreamFrame", "type", [
  helloFrame,
  eventFrame,
  errorFrame,
]);

/** The scopes that may read streams. */
export const streamScopes = ["read"] as const satisfies readonly KeyScope[];

/** Why a stream ends: the WebSocket close code (RFC 6455, 7.4; own codes from 4000), and the error frame before it. */
export interface Ending {
  code: number;
  error?: ErrorFrame;
}

export const stopping: Ending = { code: 1001 };
export const tooSlow = ending(
  4408,
  "too_slow",
  "The client reads events too slowly. Connect again, after the last event you have.",
);
export const noAuth = ending(
  4401,
  "unauthorized",
  "Send a valid API key as the first frame, within 5 seconds.",
);
export const keyGone = ending(4401, "unauthorized", "This API key was deleted.");
export const sessionOver = ending(4401, "unauthorized", "The session has ended. Sign in again.");
const broken = ending(
  1011,
  "internal_error",
  "Something went wrong on our side. Connect again, after the last event you have.",
);
const unavailable = ending(
  1013,
  "overloaded",
  "Your events cannot be read right now. Connect again shortly, after the last event you have.",
  1,
);

/** The ending for an error. It says only whether to connect again, nothing about the cause. */
export function endingOf(error: unknown): Ending {
  return codeOf(error) === "overloaded" ? unavailable : broken;
}

export function cursorTooOld(oldest: number): Ending {
  const message =
    "Events after this position have expired. Connect again, after a later one or without `after`.";
  return { code: 4410, error: { type: "error", code: "cursor_too_old", message, oldest_seq: oldest } };
}

const cursorAhead = ending(4400, "validation_failed", "`after` is ahead of the newest event.");

/** The ending for a key that is refused; undefined for another error. */
export function refusalEnding(error: unknown): Ending | undefined {
  const code = codeOf(error);
  const closing = code === "key_expired" ? 4401 : code === "insufficient_scope" ? 4403 : undefined;
  return closing && code && ending(closing, code, (error as Error).message);
}

export function ending(code: number, error: string, message: string, retryAfter?: number): Ending {
  const retry = retryAfter === undefined ? {} : { retry_after: retryAfter };
  return { code, error: { type: "error", code: error, message, ...retry } };
}

const secretNames = new Set(["key", "apikey", "api_key", "api-key", "x-api-key", "authorization", "token"]);

/** What a client asks of a stream. */
export interface StreamQuery {
  after: number | undefined;
  /** Without events that a judge has dismissed. */
  meaningful: boolean;
}

const streamFields = ["after", "meaningful"];

/** Reads the query of a stream. Throws 400 for other parameters, above all for API keys. */
export function streamQueryOf(query: URLSearchParams): StreamQuery {
  for (const name of query.keys()) {
    if (secretNames.has(name.toLowerCase()))
      throw invalid(
        name,
        "key_in_url",
        "An API key is never part of a URL. Send it as x-api-key, as Authorization: Bearer, or in the first frame.",
      );
    if (!streamFields.includes(name)) {
      const known = `Known are: ${streamFields.join(", ")}.`;
      throw invalid(name, "unknown_field", `\`${name}\` is not a known field. ${known}`);
    }
    if (query.getAll(name).length > 1) throw invalid(name, "string", `Send \`${name}\` once.`);
  }
  const after = query.get("after");
  const meaningful = query.get("meaningful") ?? "false";
  if (!["true", "false"].includes(meaningful))
    throw invalid("meaningful", "boolean", "`meaningful` must be true or false.");
  return {
    after: after === null ? undefined : sequence("after", after),
    meaningful: meaningful === "true",
  };
}

/** A position in a log, as text. */
export function sequence(field: string, value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw invalid(field, "number", `\`${field}\` must be the seq of an event.`);
  return Number(value);
}

/** Where reading starts: after `after`, or at the end of the log without one. An ending where nothing can be read. */
export function positionIn({ oldest, latest }: Bounds, after: number | undefined): number | Ending {
  if (after === undefined) return latest;
  if (after > latest) return cursorAhead;
  return after + 1 < oldest ? cursorTooOld(oldest) : after;
}
