/*
 * Asks the HTTP API as the signed-in person.
 *
 *   const { data } = await get<{ data: Source[] }>("/track", { query: { health: "failing" }, signal });
 *   await post("/webhook/test", { url });
 *   await remove("/internal/keys/01J…");
 *
 * An endpoint of a key (anything but /internal, /owner, /session, /health) is asked as the acting key, if one is chosen.
 * A refusal is thrown as `ApiError` with the API's own sentence; 401 shows the sign-in page.
 */
import { actingKey, hasEnded, session } from "./session.ts";

export interface ErrorDetail {
  field: string;
  code: string;
  message: string;
}

/** A refusal of the API; `status` is 0 where no answer arrived. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Seconds to wait, if the API names them. */
  readonly retryAfter: number | undefined;
  readonly details: ErrorDetail[];
  readonly requestId: string | undefined;
  /** The id of a scrape that continues after a 408. */
  readonly scrapeId: string | undefined;

  constructor(status: number, body: Record<string, unknown>, options?: ErrorOptions) {
    super(String(body.message ?? `The service answered ${status}.`), options);
    this.status = status;
    this.code = String(body.code ?? "unknown");
    this.retryAfter = typeof body.retry_after === "number" ? body.retry_after : undefined;
    this.details = Array.isArray(body.details) ? body.details : [];
    this.requestId = typeof body.request_id === "string" ? body.request_id : undefined;
    this.scrapeId = typeof body.scrape_id === "string" ? body.scrape_id : undefined;
  }
}

export interface RequestOptions {
  query?: Record<string, string | number | boolean | null | undefined>;
  /** The body, which is sent as JSON. */
  body?: unknown;
  /** A body that is sent as it is, in place of JSON. */
  text?: { type: string; content: string };
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

export async function get<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return await json<T>("GET", path, options);
}

export async function post<T>(path: string, body?: unknown, options: RequestOptions = {}): Promise<T> {
  return await json<T>("POST", path, { body, ...options });
}

export async function put<T>(path: string, body?: unknown, options: RequestOptions = {}): Promise<T> {
  return await json<T>("PUT", path, { body, ...options });
}

export async function patch<T>(path: string, body?: unknown, options: RequestOptions = {}): Promise<T> {
  return await json<T>("PATCH", path, { body, ...options });
}

export async function remove(path: string, body?: unknown, options: RequestOptions = {}): Promise<void> {
  await open("DELETE", path, { body, ...options });
}

async function json<T>(method: string, path: string, options: RequestOptions): Promise<T> {
  const response = await open(method, path, options);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

const requestMs = 30_000;

/** Resolves to the answer itself, for streams and pictures. A signal replaces the limit of 30 s. */
export async function open(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
  const { query = {}, body, text, headers = {}, signal = AbortSignal.timeout(requestMs) } = options;
  const url = new URL(path, location.origin);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== "") url.searchParams.set(name, String(value));
  const response = await fetch(url, {
    method,
    headers: { ...ownHeaders(method, url.pathname), ...headers, ...contentType(body, text) },
    ...sent(body, text),
    signal,
    cache: "no-store",
    credentials: "same-origin",
  }).catch(cause => {
    if (signal.aborted) throw cause;
    throw new ApiError(0, { code: "unreachable", message: "The service does not answer." }, { cause });
  });
  if (response.ok) return response;
  throw await refusal(response, url.pathname);
}

function contentType(body: unknown, text: RequestOptions["text"]): Record<string, string> {
  if (text) return { "content-type": text.type };
  return body === undefined ? {} : { "content-type": "application/json" };
}

function sent(body: unknown, text: RequestOptions["text"]): { body?: string } {
  if (text) return { body: text.content };
  return body === undefined ? {} : { body: JSON.stringify(body) };
}

/** A header that no form of another site can send, and the acting key. */
function ownHeaders(method: string, pathname: string): Record<string, string> {
  const isKeyed = !/^\/(internal|owner|session|health)(\/|$)/.test(pathname);
  return {
    accept: "application/json",
    ...(method === "GET" ? {} : { "x-magpie-csrf": "1" }),
    ...(isKeyed && actingKey.value ? { "x-key-id": actingKey.value } : {}),
  };
}

async function refusal(response: Response, pathname: string): Promise<ApiError> {
  const text = await response.text();
  const error = new ApiError(response.status, bodyOf(text));
  // The sign-in form shows a wrong key itself, and a missing acting key does not end the session.
  if (response.status === 401 && !pathname.startsWith("/session") && !/x-key-id/.test(error.message)) {
    if (session.value) hasEnded.value = true;
    session.value = null;
  }
  return error;
}

function bodyOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return { message: text.slice(0, 200) || undefined };
  }
}
