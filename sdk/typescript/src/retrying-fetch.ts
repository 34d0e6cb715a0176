import { MagpieConnectionError, retryAfterOf } from "./errors.ts";
import { backoff, pause } from "./pause.ts";

export interface RetryOptions {
  /** How often a request is repeated, at most. */
  retries: number;
  /** Milliseconds that one attempt may take, including the answer's body. */
  timeoutMs: number;
  /** Milliseconds to wait before another attempt, at most. If the service asks for more, its answer is returned. */
  maxWaitMs: number;
  fetch: typeof fetch;
}

/** Operations that take an `Idempotency-Key`, which makes a repeated request the same job, or the same thing. */
const takesKey = new Set([
  ...["/web/scrape", "/web/crawl", "/web/batch"],
  ...["/webhooks", "/feeds", "/monitors", "/internal/keys", "/owner/keys"],
]);
/** A new password ends the session that asked for it, so that a repetition is refused though the change was made. */
const passwordPath = "/session/password";

/** A DELETE of a job cancels it, so a 404 is never what a first DELETE left behind. */
const jobPath = /\/(scrapes?|crawls?|batch)\/[^/]+$/;

/**
 * Creates a fetch that repeats a request after 429 and 503, when the time that the service asks for has passed, and when no
 * answer arrives. A request that may have begun something is repeated only with an idempotency key; a 429 began nothing.
 * After a DELETE that may have arrived, the 404 of its repetition says that it did its work.
 */
export function retryingFetch(options: RetryOptions): (request: Request) => Promise<Response> {
  return async request => {
    const keyed = withKey(request);
    let mayHaveArrived = false;
    for (let attempt = 0; ; attempt += 1) {
      const last = attempt >= options.retries;
      const response = await send(keyed, options).catch((error: unknown) => {
        if (last || request.signal.aborted || !isRepeatable(keyed)) throw error;
        return undefined;
      });
      if (mayHaveArrived && response?.status === 404 && deletesThing(keyed)) return gone(response);
      mayHaveArrived ||= response?.status !== 429;
      const waitMs = response ? waitAfter(response, keyed, attempt) : backoff(attempt);
      if (response && (last || waitMs === undefined || waitMs > options.maxWaitMs)) return response;
      await response?.body?.cancel();
      await pause(waitMs ?? backoff(attempt), request.signal);
    }
  };
}

function deletesThing({ method, url }: Request): boolean {
  return method === "DELETE" && !jobPath.test(new URL(url).pathname);
}

function gone({ headers }: Response): Response {
  const id = headers.get("x-request-id");
  const message = "It is gone: a first request, whose answer was lost, has deleted it.";
  return Response.json({ message }, { headers: id === null ? {} : { "x-request-id": id } });
}

async function send(request: Request, { fetch, timeoutMs }: RetryOptions): Promise<Response> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    return await whole(await fetch(new Request(request.clone(), { signal })));
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason;
    throw new MagpieConnectionError(request.url, error);
  }
}

/** Reads the whole body of a JSON answer, so that one that breaks off counts as no answer. */
async function whole(response: Response): Promise<Response> {
  if (!response.body || !response.headers.get("content-type")?.includes("json")) return response;
  return new Response(await response.arrayBuffer(), response);
}

/** The milliseconds to wait before the request is repeated; undefined where the answer is returned as it is. */
function waitAfter(response: Response, request: Request, attempt: number): number | undefined {
  const { status, headers } = response;
  if (status !== 429 && !(status === 503 && isRepeatable(request))) return undefined;
  const seconds = retryAfterOf(headers);
  return seconds === undefined ? backoff(attempt) : seconds * 1000;
}

function isRepeatable({ method, url, headers }: Request): boolean {
  if (new URL(url).pathname.endsWith(passwordPath)) return false;
  return method !== "POST" && method !== "PATCH" ? true : headers.has("idempotency-key");
}

function withKey(request: Request): Request {
  const { pathname } = new URL(request.url);
  const takes = [...takesKey].some(path => pathname.endsWith(path));
  if (request.method !== "POST" || !takes || request.headers.has("idempotency-key")) return request;
  const keyed = new Request(request);
  keyed.headers.set("idempotency-key", crypto.randomUUID());
  return keyed;
}
