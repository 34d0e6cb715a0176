import { codeOf } from "../../contracts/errors.ts";

/** What a stream says beside events, as WebSocket frames and as the data of server-sent events. */
export type Frame = HelloFrame | ErrorFrame;

export interface HelloFrame {
  type: "hello";
  /** The newest event of the key's log; 0 when it never had one. */
  seq: number;
  /** The oldest that is kept; `seq` + 1 when all have expired. */
  oldest_seq: number;
  heartbeat_ms: number;
}

export interface ErrorFrame {
  type: "error";
  code: string;
  message: string;
  oldest_seq?: number;
  retry_after?: number;
}

/** Why a stream ends: the WebSocket close code (RFC 6455, 7.4; own codes from 4000) and what is said before. */
export interface Ending {
  code: number;
  error?: ErrorFrame;
}

export const stopping: Ending = { code: 1001 };
export const tooSlow = ending(
  4408,
  "too_slow",
  "You take events too slowly. Connect again, after the last one you have.",
);
export const noAuth = ending(
  4401,
  "unauthorized",
  "Send a valid API key as the first frame, within 5 seconds.",
);
export const keyGone = ending(4401, "unauthorized", "This API key was deleted.");
const broken = ending(
  1011,
  "internal_error",
  "Something went wrong on our side. Connect again, after the last event you have.",
);
const away = ending(
  1013,
  "overloaded",
  "Your events cannot be read right now. Connect again shortly, after the last event you have.",
  1,
);

/** What a fault ends a stream with: nothing of it is told but whether to come again. */
export function endingOf(error: unknown): Ending {
  return codeOf(error) === "overloaded" ? away : broken;
}

export function cursorTooOld(oldest: number): Ending {
  const message =
    "Events after this position have expired. Connect again, after a later one or without `after`.";
  return { code: 4410, error: { type: "error", code: "cursor_too_old", message, oldest_seq: oldest } };
}

export const cursorAhead = ending(4400, "validation_failed", "`after` is ahead of the newest event.");

export function ending(code: number, error: string, message: string, retryAfter?: number): Ending {
  const retry = retryAfter === undefined ? {} : { retry_after: retryAfter };
  return { code, error: { type: "error", code: error, message, ...retry } };
}
