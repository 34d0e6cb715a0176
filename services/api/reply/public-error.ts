import { codeOf, type ErrorCode, type ErrorExtras, errorStatus, fail } from "../../contracts/errors.ts";
import type { Route } from "../route.ts";
import { isAction } from "../route.ts";
import { type Fault, fieldErrors } from "./field-errors.ts";

/** An error as the client may see it. */
export interface PublicError {
  status: number;
  code: ErrorCode;
  sentence: string;
  extras: ErrorExtras;
}

/** Moleculer's own errors that mean: nobody could take the call right now. */
const unavailable = new Set([
  "SERVICE_NOT_FOUND",
  "SERVICE_NOT_AVAILABLE",
  "REQUEST_TIMEOUT",
  "REQUEST_SKIPPED",
  "REQUEST_REJECTED",
  "QUEUE_FULL",
  "BAD_GATEWAY",
]);

const internal: PublicError = {
  status: 500,
  code: "internal_error",
  sentence: "Something went wrong on our side. It is logged under this request_id.",
  extras: {},
};

/**
 * Errors made by `fail` go out as they are; of all others nothing but the kind is told. Parameters of the query are
 * called by the names under which they were sent.
 */
export function publicError(error: unknown, route?: Route, query?: URLSearchParams): PublicError {
  const code = codeOf(error);
  if (code === "internal_error") return internal;
  if (code) return known(error as Error & { data?: ErrorExtras });
  const type = (error as { type?: unknown } | null)?.type;
  if (type === "VALIDATION_ERROR") return refusedParams(error as { data?: unknown }, route, query);
  if (typeof type === "string" && unavailable.has(type))
    return known(fail("overloaded", "The service cannot take this request right now. Try again shortly."));
  return internal;
}

function known(error: Error & { data?: ErrorExtras }): PublicError {
  const code = codeOf(error) ?? "internal_error";
  const status = errorStatus[code];
  return { status, code, sentence: error.message, extras: withRetryAfter(status, error.data ?? {}) };
}

/** Rooms on other nodes are trusted with words, not with the shape of the envelope. */
function withRetryAfter(status: number, extras: ErrorExtras): ErrorExtras {
  const { details, retry_after, scrape_id, content_type, allow } = extras;
  const shown = { details, scrape_id, content_type, allow };
  if (status !== 429 && status !== 503) return shown;
  return { ...shown, retry_after: Math.max(1, Math.ceil(Number(retry_after) || 1)) };
}

/** Parameters that another action refused are a fault of the room that called it, not of the client. */
function refusedParams(
  { data }: { data?: unknown },
  route: Route | undefined,
  query: URLSearchParams | undefined,
): PublicError {
  const faults = Array.isArray(data) ? data : [];
  if (!route || !isAction(route.action) || faults[0]?.action !== route.action.name) return internal;
  const details = fieldErrors(faults.map(fault => asSent(fault, route, query)));
  const sentence = details[0]?.message ?? "The parameters are not valid.";
  return { status: 400, code: "validation_failed", sentence, extras: { details } };
}

function asSent(fault: Fault, { aliases = {} }: Route, query: URLSearchParams | undefined): Fault {
  const sent = Object.keys(aliases).find(alias => aliases[alias] === fault.field && query?.has(alias));
  return sent === undefined ? fault : { ...fault, field: sent };
}
