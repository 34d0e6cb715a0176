import { Client, ClientResponseError } from "@atcute/client";
import type { Did } from "@atcute/lexicons";
import { PasswordSession } from "@atcute/password-session";
import { untilAborted, withTimeout } from "../../../../mixins/async/timeout.ts";
import { codeOf, fail } from "../../../contracts/errors.ts";
import { retryAfterMs } from "../../../domain/url/retry-after.ts";
import { cooldownOf } from "../../social/cooldown.ts";
import { type DriverTools, quoteAnswer, refusal } from "../../social/social-connector.ts";

/** An account of a Bluesky service. */
export interface BlueskySettings {
  /** Handle or DID. */
  identifier: string;
  appPassword: string;
  /** Origin of the account's server, or of the entryway to it. */
  service: string;
  /** WebSocket origin of the relay that streams all writes. */
  relay: string;
}

/** Calls the service as the account, whose DID the request gets. Waits as long as it asks, and throws the errors of the port. */
export type Ask = <T>(
  signal: AbortSignal,
  request: (client: Client, options: { signal: AbortSignal }, account: Did) => Promise<T>,
  family?: "reads" | "writes",
) => Promise<T>;

/** Runs a request again after each pause that the service asks for. */
type WithCooldown = <T>(
  family: "reads" | "writes" | "sessions",
  signal: AbortSignal,
  request: () => Promise<T>,
) => Promise<T>;

/** Milliseconds. */
const requestTimeoutMs = 15_000;
const usualPauseMs = 60_000;
/** Refused credentials are not sent again for this long. */
const refusedMs = 60_000;

export function blueskyApi(settings: BlueskySettings, tools: DriverTools): Ask {
  const withCooldown = cooldownRunner(tools);
  const signIn = signingIn(settings, { withCooldown, now: tools.now });
  return async (signal, request, family = "reads") => {
    let session: PasswordSession | undefined;
    const attempt = async () => {
      const opened = await signIn(signal);
      const client = new Client({ handler: opened });
      session = opened;
      // The library renews a session without a signal, so the renewal continues after its caller has given up.
      const once = () => untilAborted(request(client, { signal }, opened.did), signal);
      return await withCooldown(family, signal, once);
    };
    try {
      return await attempt().catch(error => {
        // The session has expired and could not be renewed: start a new one, once.
        if (!session?.destroyed || !isDenied(error)) throw error;
        return attempt();
      });
    } catch (error) {
      throw codeOf(error) ? error : toConnectorError(error);
    }
  };
}

/** A session, and a sign-in that all waiting calls share. */
function signingIn(
  { service, identifier, appPassword }: BlueskySettings,
  { withCooldown, now }: { withCooldown: WithCooldown; now: () => number },
): (signal: AbortSignal) => Promise<PasswordSession> {
  let session: PasswordSession | undefined;
  let pending: Promise<PasswordSession> | undefined;
  let keptUntil = 0;
  const signIn = async () => {
    const credentials = { service, identifier, password: appPassword };
    try {
      session = await PasswordSession.login(credentials, { fetch: fetchInTime });
      pending = undefined;
      return session;
    } catch (error) {
      if (!isDenied(error)) {
        pending = undefined;
        throw error;
      }
      keptUntil = now() + refusedMs;
      throw refusal(refusedCredentials, error);
    }
  };
  return async signal => {
    if (session && !session.destroyed) return session;
    return await withCooldown("sessions", signal, () => {
      if (!pending || (keptUntil > 0 && keptUntil <= now())) {
        keptUntil = 0;
        pending = signIn();
      }
      // The shared sign-in continues when one caller gives up.
      return untilAborted(pending, signal);
    });
  };
}

const refusedCredentials =
  "Bluesky refuses BLUESKY_IDENTIFIER and BLUESKY_APP_PASSWORD: make a new app password in its settings.";

function cooldownRunner(tools: DriverTools): WithCooldown {
  const cooldown = cooldownOf<"reads" | "writes" | "sessions">("Bluesky", tools);
  return async (family, signal, request) => {
    for (;;) {
      await cooldown.wait(family, signal);
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof ClientResponseError) || error.status !== 429) throw error;
        await cooldown.extend(family, endOfPause(error, tools.now()));
      }
    }
  };
}

/** When requests are allowed again: `ratelimit-reset` is in Unix seconds (docs.bsky.app, "Rate Limits"). */
function endOfPause({ headers }: ClientResponseError, now: number): number {
  const reset = Number(headers.get("ratelimit-reset") ?? Number.NaN) * 1000;
  const askedMs = retryAfterMs(headers.get("retry-after"), now) ?? 0;
  if (reset > now) return reset;
  return now + (askedMs > 0 ? askedMs : usualPauseMs);
}

function isDenied(error: unknown): boolean {
  if (!(error instanceof ClientResponseError)) return false;
  return error.status === 401 || error.error === "ExpiredToken" || error.error === "InvalidToken";
}

function toConnectorError(error: unknown): Error {
  const { status, error: name = "", description: message = name } = answerOf(error);
  if (name === "BlockedActor" || name === "BlockedByActor")
    return fail("forbidden", "This Bluesky account blocks ours, or ours blocks it.", {}, error);
  const isGone = /^(NotFound|RepoNotFound|Account(Takedown|Deactivated|Suspended))$/.test(name);
  if (isGone || (status === 400 && /not found|unable to resolve/i.test(message)))
    return fail("not_found", "Bluesky knows no such account or post.", {}, error);
  const quoted = (summary: string) => quoteAnswer(summary, status === undefined ? undefined : message);
  if (status === 400)
    return fail("upstream_error", quoted("Bluesky does not accept this request."), {}, error);
  return fail("connector_unavailable", quoted("Bluesky cannot be reached now."), { retry_after: 30 }, error);
}

/** Nothing, where there was no answer, or one that is none of this service. */
function answerOf(error: unknown): Partial<ClientResponseError> {
  return error instanceof ClientResponseError ? error : {};
}

/** Limits the time of a whole exchange, also of requests that take no signal. */
async function fetchInTime(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  return await withTimeout(requestTimeoutMs, request.signal, async signal => {
    const answer = await fetch(request, { signal });
    const body = await answer.arrayBuffer();
    return new Response(body.byteLength > 0 ? body : null, answer);
  });
}
