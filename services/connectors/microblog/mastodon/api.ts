import { createRestAPIClient, MastoHttpError, type mastodon } from "masto";
import { fail } from "../../../contracts/errors.ts";
import { patience } from "../../social/patience.ts";
import { refusal } from "../../social/refusal.ts";
import type { DriverTools } from "../../social/social-connector.ts";

/** Of an account of a Mastodon server. */
export interface MastodonSettings {
  /** Origin of the server. */
  url: string;
  accessToken: string;
}

/** Requests that the server counts apart. */
export type Family = "reads" | "follows";

/** Asks the server, waits while it wants that, and tells errors as the port does. */
export type Ask = <T>(
  signal: AbortSignal,
  request: (client: mastodon.rest.Client) => PromiseLike<T>,
  family?: Family,
) => Promise<T>;

/** Milliseconds. */
const requestTimeoutMs = 15_000;
const usualPauseMs = 60_000;

export function mastodonApi({ url, accessToken }: MastodonSettings, tools: DriverTools): Ask {
  const waits = patience<Family>("The Mastodon server", tools);
  return async (signal, request, family = "reads") => {
    for (;;) {
      await waits.passed(family, signal);
      // A client per request, because masto takes no signal for lists otherwise.
      const options = { url, accessToken, timeout: requestTimeoutMs, requestInit: { signal } };
      try {
        return await request(createRestAPIClient(options));
      } catch (error) {
        if (statusOf(error) !== 429) throw meaningOf(error);
        await waits.asked(family, endOfPause(error, tools.now()));
      }
    }
  };
}

export const refusedToken =
  "The Mastodon server refuses MASTODON_ACCESS_TOKEN: make a new one in its settings.";
const unreachable = "The Mastodon server cannot be reached now.";

function meaningOf(error: unknown): Error {
  const status = statusOf(error);
  if (status === 401) return refusal(refusedToken, error);
  if (status === 404 || status === 410)
    return fail("not_found", "The Mastodon server knows no such account or post.", {}, error);
  // A token that lacks a right is answered as an account that may not be read is; only the words differ.
  if (status === 403 && /scope/i.test((error as Error).message)) return refusal(refusedToken, error);
  if (status === 403) return fail("forbidden", "The Mastodon server does not let this be read.", {}, error);
  // No waiting mends these: 400 and 422 are how Mastodon refuses what makes no sense to it.
  if (status === 400 || status === 422)
    return fail("upstream_error", "The Mastodon server does not take this request.", {}, error);
  return fail("connector_unavailable", unreachable, { retry_after: 30 }, error);
}

function statusOf(error: unknown): number | undefined {
  return error instanceof MastoHttpError ? error.statusCode : undefined;
}

/** When requests are welcome again: `X-RateLimit-Reset` is an ISO 8601 time (Mastodon, "Rate limits"). */
function endOfPause(error: unknown, now: number): number {
  const { cause } = error as Error;
  const headers = cause instanceof Response ? cause.headers : new Headers();
  const reset = Date.parse(headers.get("x-ratelimit-reset") ?? "");
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  if (reset > now) return reset;
  return now + (seconds > 0 ? seconds * 1000 : usualPauseMs);
}
