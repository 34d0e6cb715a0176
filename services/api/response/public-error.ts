import { diskRefusal } from "../../../mixins/runtime/disk-trouble.ts";
import type { ParamsSchema } from "../../contracts/action.ts";
import {
  codeOf,
  type ErrorExtras,
  errorStatus,
  type FieldError,
  fail,
  isCallTimeout,
  isServiceUnavailable,
  type PublicError,
} from "../../contracts/errors.ts";
import type { DetailCode } from "../../domain/errors/detail-codes.ts";
import { likelyWord } from "../../domain/text/likely-word.ts";
import type { Route } from "../routes/route.ts";
import { meantField } from "./meant-field.ts";

const internal: PublicError = {
  status: 500,
  code: "internal_error",
  message: "Something went wrong on our side. It is logged under this request_id.",
  extras: {},
};

/**
 * Errors made by `fail` go out as they are; all others show their kind only. Parameters of the query have the names under
 * which the client sent them.
 */
export function publicError(error: unknown, route?: Route, query?: URLSearchParams): PublicError {
  const code = codeOf(error);
  if (code === "internal_error") return internal;
  if (code) return known(error as Error & { data?: ErrorExtras });
  const type = (error as { type?: unknown } | null)?.type;
  if (type === "VALIDATION_ERROR") return refusedParams(error as { data?: unknown }, route, query);
  if (isServiceUnavailable(error) || isCallTimeout(error) || type === "REQUEST_SKIPPED")
    return known(
      diskRefusal(error) ??
        fail("overloaded", "The service cannot take this request right now. Try again shortly."),
    );
  return internal;
}

function known(error: Error & { data?: ErrorExtras }): PublicError {
  const code = codeOf(error) ?? "internal_error";
  const status = errorStatus[code];
  return { status, code, message: error.message, extras: withRetryAfter(status, error.data ?? {}) };
}

/** Takes the message of a service on another node, but not the shape of the envelope. */
function withRetryAfter(status: number, extras: ErrorExtras): ErrorExtras {
  const { details, retry_after, scrape_id, content_type, rules, oldest_seq, quota, scopes, allow } = extras;
  const shown = { details, scrape_id, content_type, rules, oldest_seq, quota, scopes, allow };
  if (status !== 429 && status !== 503) return shown;
  return { ...shown, retry_after: Math.max(1, Math.ceil(Number(retry_after) || 1)) };
}

/** When another action refused its parameters, the service that called it made the mistake, not the client. */
function refusedParams(
  { data }: { data?: unknown },
  route: Route | undefined,
  query: URLSearchParams | undefined,
): PublicError {
  const errors = Array.isArray(data) ? data : [];
  if (route?.action.kind !== "service" || errors[0]?.action !== route.action.name) return internal;
  const details = fieldErrors(
    errors.map(error => asSent(error, route, query)),
    route.action.params,
  );
  const message = details[0]?.message ?? "The parameters are not valid.";
  return { status: 400, code: "validation_failed", message, extras: { details } };
}

function asSent(
  error: InvalidParameter,
  { aliases = {} }: Route,
  query: URLSearchParams | undefined,
): InvalidParameter {
  const sent = Object.keys(aliases).find(alias => aliases[alias] === error.field && query?.has(alias));
  return sent === undefined ? error : { ...error, field: sent };
}

/** The body of every error. It holds both forms that the interface has, `{status, error}` and `{code, message}`. */
export function envelope({ code, message, extras }: PublicError, requestId: string): Record<string, unknown> {
  const { allow: _allow, ...shown } = extras;
  return { status: "error", code, error: message, message, request_id: requestId, ...shown };
}

/** An error of fastest-validator. */
export interface InvalidParameter {
  type: string;
  field?: string;
  message?: string;
  expected?: unknown;
  actual?: unknown;
}

const maxDetails = 50;

type Wording = (error: InvalidParameter) => string;

const wordings: Record<string, Wording> = {
  required: () => "is required",
  string: () => "must be a string",
  stringEmpty: () => "must not be empty",
  stringMin: ({ expected }) =>
    expected === 1 ? "must not be empty" : `must have at least ${expected} characters`,
  stringMax: ({ expected }) => `must have at most ${expected} characters`,
  stringLength: ({ expected }) => `must have ${expected} characters`,
  // Messages of our own rules begin with this text.
  stringPattern: ({ message = "" }) =>
    message.startsWith("must ") ? message : "does not have the required form",
  number: () => "must be a number",
  numberMin: ({ expected }) => `must be at least ${expected}`,
  numberMax: ({ expected }) => `must be at most ${expected}`,
  numberInteger: () => "must be a whole number",
  boolean: () => "must be true or false",
  array: () => "must be a list",
  arrayMin: ({ expected }) => `must have at least ${expected} items`,
  arrayMax: ({ expected }) => `must have at most ${expected} items`,
  arrayUnique: () => "must not name anything twice",
  enumValue: ({ expected, actual }) => {
    const meant = likelyWord(actual, String(expected).split(", "));
    return `must be one of: ${expected}${meant === undefined ? "" : ` (did you mean ${meant}?)`}`;
  },
  object: () => "must be an object",
  record: () => "must be an object",
};

/** The codes of what the validator finds, by its own names, which clients do not see. */
const codes: Record<string, DetailCode> = {
  required: "required",
  string: "string",
  stringEmpty: "string_empty",
  stringMin: "string_min",
  stringMax: "string_max",
  stringLength: "string_length",
  stringPattern: "string_pattern",
  number: "number",
  numberMin: "number_min",
  numberMax: "number_max",
  numberInteger: "number_integer",
  boolean: "boolean",
  array: "array",
  arrayMin: "array_min",
  arrayMax: "array_max",
  arrayUnique: "array_unique",
  enumValue: "not_allowed",
  equalValue: "not_allowed",
  object: "object",
  objectStrict: "unknown_field",
  record: "record",
};

/**
 * The details of refused parameters for the client: one per field, and one for every unknown field, with the one of `rules`
 * that may have been meant.
 */
export function fieldErrors(errors: InvalidParameter[], rules: ParamsSchema = {}): FieldError[] {
  const details = errors.flatMap(error =>
    error.type === "objectStrict" ? unknownFields(error, rules) : [detail(error)],
  );
  const distinct = new Map(details.map(each => [`${each.field} ${each.code}`, each]));
  return [...distinct.values()].slice(0, maxDetails);
}

function unknownFields({ field, actual, expected }: InvalidParameter, rules: ParamsSchema): FieldError[] {
  const known = String(expected ?? "").replace(/^"|"$/g, "");
  const all = known ? `Known are: ${known}.` : "None is taken here.";
  return String(actual)
    .split(", ")
    .map(name => {
      const path = clipped(field ? `${dotted(field)}.${name}` : name);
      const meant = meantField(path, rules);
      const hint = meant ? `Did you mean \`${meant}\`? ` : "";
      return {
        field: path,
        code: "unknown_field",
        message: `\`${path}\` is not a known field. ${hint}${all}`,
      };
    });
}

function detail(error: InvalidParameter): FieldError {
  const field = dotted(clipped(error.field ?? ""));
  const rest = wordings[error.type]?.(error) ?? "is not valid";
  return { field, code: codes[error.type] ?? "invalid_value", message: `\`${field}\` ${rest}.` };
}

/** fastest-validator writes list items as `formats[0]` and odd names as `a['b-c']`. */
function dotted(field: string): string {
  return field.replace(/\['?([^\]']*)'?\]/g, ".$1");
}

function clipped(field: string): string {
  return field.length > 128 ? `${field.slice(0, 128)}…` : field;
}
