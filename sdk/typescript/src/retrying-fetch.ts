import { MagpieConnectionError, retryAfterOf } from "./errors.ts";
import { backoff, pause } from "./pause.ts";

export interface RetryOptions {
  /** How often a request is sent again, at most. */
  retries: number;
  /** Milliseconds that one attempt may take, with the answer's body. */
  timeoutMs: number;
  /** Milliseconds to wait before another attempt, at most. A service that asks for more gets no other attempt. */
  maxWaitMs: number;
  fetch: typeof fetch;
}

/** Operations that take an `Idempotency-Key`: with one, the same request twice is one job. */
const takesKey = new Set(["/web/scrape", "/web/crawl", "/web/batch"]);

/**
 * A fetch that sends a request again when the service answers 429 or 503, after the time that it asks for, and when no answer
 * arrives. A request that may have begun something is only repeated with an idempotency key; a 429 began nothing.
 */
export function retryingFetch(options: RetryOptions): (request: Request) => Promise<Response> {
  return async request => {
    const keyed = withKey(request);
    for (let attempt = 0; ; attempt += 1) {
      const last = attempt >= options.retries;
      const response = await send(keyed, options).catch((error: unknown) => {
        if (last || request.signal.aborted || !isRepeatable(keyed)) throw error;
        return undefined;
      });
      const waitMs = response ? waitAfter(response, keyed, attempt) : backoff(attempt);
      if (response && (last || waitMs === undefined || waitMs > options.maxWaitMs)) return response;
      await response?.body?.cancel();
      await pause(waitMs ?? backoff(attempt), request.signal);
    }
  };
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

/** An answer in JSON with its body read: one that breaks off is no answer. */
async function whole(response: Response): Promise<Response> {
  if (!response.body || !response.headers.get("content-type")?.includes("json")) return response;
  return new Response(await response.arrayBuffer(), response);
}

/** The wait before the request is sent again; undefined where the answer is to be taken as it is. */
function waitAfter(response: Response, request: Request, attempt: number): number | undefined {
  const { status, headers } = response;
  if (status !== 429 && !(status === 503 && isRepeatable(request))) return undefined;
  const seconds = retryAfterOf(headers);
  return seconds === undefined ? backoff(attempt) : seconds * 1000;
}

function isRepeatable({ method, headers }: Request): boolean {
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
