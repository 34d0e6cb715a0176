import type { DetailCode, FieldError } from "../domain/errors/detail-codes.ts";
import type { QuotaUse } from "../domain/quota/quotas.ts";

/** Every error code of the service with its HTTP status. Codes, not classes: classes do not survive the bus. */
export const errorStatus = {
  validation_failed: 400,
  malformed_json: 400,
  malformed_request: 400,
  invalid_url: 400,
  url_not_allowed: 400,
  unauthorized: 401,
  key_expired: 401,
  forbidden: 403,
  insufficient_scope: 403,
  content_refused: 403,
  key_limit_reached: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  scrape_timeout: 408,
  request_timeout: 408,
  conflict: 409,
  already_finished: 409,
  expired: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  misdirected_request: 421,
  extraction_failed: 422,
  element_not_found: 422,
  mail_unavailable: 422,
  rate_limited: 429,
  quota_exceeded: 429,
  headers_too_large: 431,
  internal_error: 500,
  target_unreachable: 502,
  target_blocked: 502,
  tls_error: 502,
  upstream_error: 502,
  overloaded: 503,
  connector_unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export type { FieldError };

/** What an error may carry to the client beside its code and message. */
export interface ErrorExtras {
  details?: FieldError[];
  /** Whole seconds, at least 1. */
  retry_after?: number;
  scrape_id?: string;
  content_type?: string;
  /** On `url_not_allowed`: the rules that refused the URL. */
  rules?: string[];
  /** On `expired`, of a position in a log: the oldest event that is kept. */
  oldest_seq?: number;
  /** On `quota_exceeded`: the quota that is used up. */
  quota?: QuotaUse;
  /** On `insufficient_scope`: the scopes of which any one would do. */
  scopes?: readonly string[];
  /** On `overloaded`: the service that did not answer. For other services; clients do not see it. */
  unanswered?: "keys";
  /** Methods that a path does take; sent as `Allow`. */
  allow?: string[];
}

/** An error as the client sees it. */
export interface PublicError {
  status: number;
  code: ErrorCode;
  message: string;
  extras: ErrorExtras;
}

/**
 * An error that the client may read: `throw fail("not_found", "No such key.")`. `message` and `extras` reach the client
 * as they are, so they must not reveal internals; `cause` goes to the log only. It is a plain error with the fields that
 * Moleculer carries over the bus (`code`, `type`, `data`), so worker threads need not load Moleculer.
 */
export function fail(code: ErrorCode, message: string, extras: ErrorExtras = {}, cause?: unknown): Error {
  const error = new Error(message, cause === undefined ? undefined : { cause });
  return Object.assign(error, { name: "MagpieError", type: code, code: errorStatus[code], data: extras });
}

/** A 400 that names one field. */
export function invalid(field: string, code: DetailCode, message: string): Error {
  return fail("validation_failed", message, { details: [{ field, code, message }] });
}

/** An error about a URL as one of the field that held it. Other errors stay as they are. */
export function urlErrorAt(field: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code !== "invalid_url" && code !== "url_not_allowed") return error;
  const { message, data = {} } = error as Error & { data?: ErrorExtras };
  return fail(code, message, { ...data, details: [{ field, code, message }] }, error);
}

/** Moleculer's errors of a call that no node carried out: the service is missing, full or stopping, or the link is down. */
const notCarriedOut = new Set<unknown>([
  "SERVICE_NOT_FOUND",
  "SERVICE_NOT_AVAILABLE",
  "REQUEST_REJECTED",
  "QUEUE_FULL",
  "BAD_GATEWAY",
  "WAITFOR_SERVICES",
]);

/** Whether no node of a service carried out a call: nothing is known about what the call was for. */
export function isServiceUnavailable(error: unknown): boolean {
  return notCarriedOut.has(Object(error).type);
}

/** Whether the answer of a call did not come in time; the call may have been carried out. */
export function isCallTimeout(error: unknown): boolean {
  return Object(error).type === "REQUEST_TIMEOUT";
}

/** The code of an error made by `fail` on any node; undefined for other errors. */
export function codeOf(error: unknown): ErrorCode | undefined {
  const type = (error as { type?: unknown } | null)?.type;
  return typeof type === "string" && Object.hasOwn(errorStatus, type) ? (type as ErrorCode) : undefined;
}
