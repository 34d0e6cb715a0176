import {
  codeOf,
  type ErrorCode,
  type ErrorExtras,
  type FieldError,
  fail,
  type PublicError,
} from "../../contracts/errors.ts";
import { fieldErrors, type InvalidParameter } from "../response/public-error.ts";

/** Codes that their clients turn into errors of their own. Others are ours in capitals. */
const codes: Partial<Record<ErrorCode, string>> = {
  validation_failed: "BAD_REQUEST",
  scrape_timeout: "SCRAPE_TIMEOUT",
  target_unreachable: "SCRAPE_SITE_ERROR",
  target_blocked: "SCRAPE_ALL_ENGINES_FAILED",
  tls_error: "SCRAPE_SSL_ERROR",
};

/**
 * An error as Firecrawl answers it. Its clients repeat a request that is answered by 502, which here means that the page
 * cannot be had: they get a 500, as from Firecrawl.
 */
export function failure({ status, code, message, extras }: PublicError, requestId: string) {
  const { details, retry_after, scrape_id, quota } = extras;
  return {
    status: status === 502 ? 500 : status,
    body: {
      success: false,
      code: codes[code] ?? code.toUpperCase(),
      error: message,
      request_id: requestId,
      ...(details && { details }),
      ...(retry_after !== undefined && { retry_after }),
      ...(quota && { quota }),
      ...(scrape_id !== undefined && { scrapeId: scrape_id }),
    },
  };
}

/** Our names of fields and those that the client knows, most specific first. */
export type FieldNames = readonly (readonly [ours: string, theirs: string])[];

/** A refusal of a service with the fields as the client named them. Other errors stay as they are. */
export function inTheirNames(error: unknown, names: FieldNames): unknown {
  const details = detailsOf(error);
  if (!details) return error;
  const renamed = details.map(detail => rename(detail, names));
  const message = renamed[0]?.message ?? "The parameters are not valid.";
  const { data } = error as { data?: ErrorExtras };
  const extras = Array.isArray(data) ? {} : data;
  return fail(codeOf(error) ?? "validation_failed", message, { ...extras, details: renamed }, error);
}

/** What a service says of single fields, whether its validator or an operation of it refused them. */
function detailsOf(error: unknown): FieldError[] | undefined {
  const { type, data } = Object(error) as { type?: unknown; data?: unknown };
  if (type === "VALIDATION_ERROR" && Array.isArray(data)) return fieldErrors(data as InvalidParameter[]);
  return codeOf(error) ? (data as ErrorExtras | undefined)?.details : undefined;
}

function rename({ field, code, message }: FieldError, names: FieldNames): FieldError {
  const fits = ([ours]: readonly [string, string]) => field === ours || field.startsWith(`${ours}.`);
  const [ours, theirs] = names.find(fits) ?? [field, field];
  const name = theirs + field.slice(ours.length);
  return { field: name, code, message: message.replaceAll(field, name) };
}
