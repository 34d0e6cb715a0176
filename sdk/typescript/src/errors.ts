import type { components } from "./schema.ts";

/** The body of every error of the service. */
export type ErrorBody = components["schemas"]["Error"];
/** The code to branch on. A newer service may send codes that this list lacks. */
export type ErrorCode = ErrorBody["code"] | (string & {});

/** The service refused a request or could not do it. */
export class MagpieError extends Error {
  override readonly name: string = "MagpieError";
  /** The HTTP status. */
  readonly status: number;
  readonly code: ErrorCode;
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;
  /** Whole seconds to wait before the request may succeed. */
  readonly retryAfter: number | undefined;
  /** The parameters that `validation_failed` refuses; empty for other codes. */
  readonly details: NonNullable<ErrorBody["details"]>;
  /** The whole body, with fields that only some codes have (`scrape_id`, `rules`, `oldest_seq`). */
  readonly body: Partial<ErrorBody> & Record<string, unknown>;

  constructor(status: number, body: Partial<ErrorBody> & Record<string, unknown>) {
    super(body.message ?? `The service answered ${status} without saying why.`);
    this.status = status;
    this.body = body;
    this.code = body.code ?? `http_${status}`;
    this.requestId = body.request_id;
    this.retryAfter = body.retry_after;
    this.details = body.details ?? [];
  }

  /** The id of the scrape that continues after `scrape_timeout`; undefined for other codes. */
  get scrapeId(): string | undefined {
    const { scrape_id: id } = this.body;
    return typeof id === "string" ? id : undefined;
  }
}

/** No answer arrived: the service cannot be reached, or took too long. `cause` is the error of `fetch`. */
export class MagpieConnectionError extends Error {
  override readonly name = "MagpieConnectionError";

  constructor(url: string, cause: unknown) {
    super(`${url} cannot be reached (${reasonOf(cause)}).`, { cause });
  }
}

/** Finds the innermost reason: an error of Node's `fetch` says only that it failed, and its cause says why. */
function reasonOf(error: unknown): string {
  const { cause, message, code } = Object(error) as { cause?: unknown; message?: string; code?: string };
  return cause ? reasonOf(cause) : message || code || String(error);
}

/** Events after `after` have expired. Continue after `oldestSeq - 1` to read those that are left. */
export class EventGapError extends Error {
  override readonly name = "EventGapError";
  /** The HTTP status of the refusal. */
  readonly status = 410;
  readonly after: number;
  /** The oldest event that can still be read. */
  readonly oldestSeq: number;

  constructor(after: number, oldestSeq: number) {
    super(`The events ${after + 1} to ${oldestSeq - 1} are kept no longer; the oldest is ${oldestSeq}.`);
    this.after = after;
    this.oldestSeq = oldestSeq;
  }
}

/** A scrape, crawl or batch ended as failed. `code` says why. */
export class JobFailedError extends Error {
  override readonly name = "JobFailedError";
  readonly id: string;
  readonly code: ErrorCode;

  constructor(id: string, error: { code: string; message: string } | undefined) {
    super(error?.message ?? `The job ${id} failed.`);
    this.id = id;
    this.code = error?.code ?? "internal_error";
  }
}

/** The secret did not sign the delivery, or the delivery is too old. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

/** An answer as openapi-fetch gives it. */
export interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** The data of an answer of `raw`; throws a MagpieError for an error. */
export function dataOf<Data>({ data, error, response }: Answer<Data>): Data {
  if (response.ok) return data as Data;
  throw errorOf(response, error);
}

/** Makes the error of an answer, from its body if that is JSON: an answer of a proxy may have none. */
export function errorOf({ status, headers }: Response, body: unknown): MagpieError {
  const stated = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const id = headers.get("x-request-id");
  const wait = retryAfterOf(headers);
  return new MagpieError(status, {
    ...(id === null ? {} : { request_id: id }),
    ...(wait === undefined ? {} : { retry_after: wait }),
    ...stated,
  });
}

/** The seconds of `Retry-After`, which proxies also send as an HTTP date; undefined without a valid one. */
export function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get("retry-after") ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  // The date parser accepts more than HTTP dates, which begin with the name of a day.
  const ms = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value) ? Date.parse(value) - Date.now() : Number.NaN;
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.ceil(ms / 1000));
}
