import { createRestAPIClient, MastoHttpError, type mastodon } from "masto";
import { fail } from "../../../contracts/errors.ts";
import { retryAfterMs } from "../../../domain/url/retry-after.ts";
import { cooldownOf } from "../../social/cooldown.ts";
import { type DriverTools, quoteAnswer, refusal } from "../../social/social-connector.ts";

/** An account of a Mastodon server. */
export interface MastodonSettings {
  /** Origin of the server. */
  url: string;
  accessToken: string;
}

/** Requests with separate rate limits. */
export type Family = "reads" | "follows";

/** Calls the server. Waits as long as it asks, and throws the errors of the port. */
export type Ask = <T>(
  signal: AbortSignal,
  request: (client: mastodon.rest.Client) => PromiseLike<T>,
  family?: Family,
) => Promise<T>;

/** Milliseconds. */
const requestTimeoutMs = 15_000;
const usualPauseMs = 60_000;

export function mastodonApi({ url, accessToken }: MastodonSettings, tools: DriverTools): Ask {
  const cooldown = cooldownOf<Family>("The Mastodon server", tools);
  return async (signal, request, family = "reads") => {
    for (;;) {
      await cooldown.wait(family, signal);
      // A client per request, because masto takes no signal for lists.
      const options = { url, accessToken, timeout: requestTimeoutMs, requestInit: { signal } };
      try {
        return await request(createRestAPIClient(options));
      } catch (error) {
        if (statusOf(error) !== 429) throw toConnectorError(error);
        await cooldown.extend(family, endOfPause(error, tools.now()));
      }
    }
  };
}

export const refusedToken =
  "The Mastodon server refuses MASTODON_ACCESS_TOKEN: make a new one in its settings.";
const unreachable = "The Mastodon server cannot be reached now.";

function toConnectorError(error: unknown): Error {
  const status = statusOf(error);
  if (status === 401) return refusal(refusedToken, error);
  if (status === 404 || status === 410)
    return fail("not_found", "The Mastodon server knows no such account or post.", {}, error);
  // A token without a scope and an unreadable account both get 403; only the message differs.
  if (status === 403 && /scope/i.test((error as Error).message)) return refusal(refusedToken, error);
  if (status === 403)
    return fail(
      "forbidden",
      quoteAnswer("The Mastodon server does not allow reading this.", (error as Error).message),
      {},
      error,
    );
  // No retry can fix these: Mastodon answers 400 and 422 to requests that make no sense.
  const said = status === undefined ? undefined : (error as Error).message;
  if (status === 400 || status === 422)
    return fail(
      "upstream_error",
      quoteAnswer("The Mastodon server does not accept this request.", said),
      {},
      error,
    );
  return fail("connector_unavailable", quoteAnswer(unreachable, said), { retry_after: 30 }, error);
}

function statusOf(error: unknown): number | undefined {
  return error instanceof MastoHttpError ? error.statusCode : undefined;
}

/** When requests are allowed again: `X-RateLimit-Reset` is an ISO 8601 time (Mastodon, "Rate limits"). */
function endOfPause(error: unknown, now: number): number {
  const { cause } = error as Error;
  const headers = cause instanceof Response ? cause.headers : new Headers();
  const reset = Date.parse(headers.get("x-ratelimit-reset") ?? "");
  const askedMs = retryAfterMs(headers.get("retry-after"), now) ?? 0;
  if (reset > now) return reset;
  return now + (askedMs > 0 ? askedMs : usualPauseMs);
}
