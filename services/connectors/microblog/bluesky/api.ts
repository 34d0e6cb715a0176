import { Agent, CredentialSession, XRPCError } from "@atproto/api";
import { untilAborted } from "../../../../mixins/deadline/until-aborted.ts";
import { within } from "../../../../mixins/deadline/within.ts";
import { codeOf, fail } from "../../../contracts/errors.ts";
import { patience } from "../../social/patience.ts";
import { refusal } from "../../social/refusal.ts";
import type { DriverTools } from "../../social/social-connector.ts";

/** Of an account of a Bluesky service. */
export interface BlueskySettings {
  /** Handle or DID. */
  identifier: string;
  appPassword: string;
  /** Origin of the account's server, or of the entryway to it. */
  service: string;
  /** WebSocket origin of the relay that tells what is written. */
  relay: string;
}

/** Asks as the account, waits while the service wants that, and tells errors as the port does. */
export type Ask = <T>(
  signal: AbortSignal,
  request: (agent: Agent, options: { signal: AbortSignal }) => Promise<{ data: T }>,
  family?: "reads" | "writes",
) => Promise<T>;

/** Runs a request again after each pause that the service asks for. */
type Patiently = <T>(
  family: "reads" | "writes" | "sessions",
  signal: AbortSignal,
  request: () => Promise<T>,
) => Promise<T>;

/** Milliseconds. */
const requestTimeoutMs = 15_000;
const usualPauseMs = 60_000;
/** Credentials that were refused are not sent again before. */
const refusedMs = 60_000;

export function blueskyApi(settings: BlueskySettings, tools: DriverTools): Ask {
  const session = new CredentialSession(new URL(settings.service), fetchInTime);
  const agent = new Agent(session);
  const patiently = waiting(tools);
  const signIn = signingIn(session, settings, { patiently, now: tools.now });
  return async (signal, request, family = "reads") => {
    const attempt = async () => {
      await signIn(signal);
      // A session is renewed without a signal, and goes on to be when nobody waits for it any more.
      const once = () => untilAborted(request(agent, { signal }), signal);
      return (await patiently(family, signal, once)).data;
    };
    try {
      return await attempt().catch(error => {
        // The session has lapsed and could not be renewed: a new one is begun, once.
        if (session.hasSession || !isDenied(error)) throw error;
        return attempt();
      });
    } catch (error) {
      throw codeOf(error) ? error : meaningOf(error);
    }
  };
}

/** One sign-in for all who wait for it. */
function signingIn(
  session: CredentialSession,
  { identifier, appPassword }: BlueskySettings,
  { patiently, now }: { patiently: Patiently; now: () => number },
): (signal: AbortSignal) => Promise<void> {
  let pending: Promise<void> | undefined;
  let keptUntil = 0;
  const signIn = async () => {
    try {
      await session.login({ identifier, password: appPassword });
      pending = undefined;
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
    if (session.hasSession) return;
    await patiently("sessions", signal, () => {
      if (!pending || (keptUntil > 0 && keptUntil <= now())) {
        keptUntil = 0;
        pending = signIn();
      }
      // Signing in, in which all share, goes on without whoever gives up.
      return untilAborted(pending, signal);
    });
  };
}

const refusedCredentials =
  "Bluesky refuses BLUESKY_IDENTIFIER and BLUESKY_APP_PASSWORD: make a new app password in its settings.";

function waiting(tools: DriverTools): Patiently {
  const waits = patience<"reads" | "writes" | "sessions">("Bluesky", tools);
  return async (family, signal, request) => {
    for (;;) {
      await waits.passed(family, signal);
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof XRPCError) || error.status !== 429) throw error;
        await waits.asked(family, endOfPause(error, tools.now()));
      }
    }
  };
}

/** When requests are welcome again: `ratelimit-reset` is in Unix seconds (docs.bsky.app, "Rate Limits"). */
function endOfPause({ headers = {} }: XRPCError, now: number): number {
  const reset = Number(headers["ratelimit-reset"] ?? Number.NaN) * 1000;
  const seconds = Number(headers["retry-after"] ?? Number.NaN);
  if (reset > now) return reset;
  return now + (seconds > 0 ? seconds * 1000 : usualPauseMs);
}

function isDenied(error: unknown): boolean {
  if (!(error instanceof XRPCError)) return false;
  return error.status === 401 || error.error === "ExpiredToken" || error.error === "InvalidToken";
}

function meaningOf(error: unknown): Error {
  const { status, error: name, message } = error as XRPCError;
  if (name === "BlockedActor" || name === "BlockedByActor")
    return fail("forbidden", "This Bluesky account and ours block one another.", {}, error);
  const isGone = /^(NotFound|RepoNotFound|Account(Takedown|Deactivated|Suspended))$/.test(name);
  if (isGone || (status === 400 && /not found|unable to resolve/i.test(message)))
    return fail("not_found", "Bluesky knows no such account or post.", {}, error);
  if (status === 400) return fail("upstream_error", "Bluesky does not take this request.", {}, error);
  return fail("connector_unavailable", "Bluesky cannot be reached now.", { retry_after: 30 }, error);
}

/** The whole exchange, for what takes no signal of a caller's. */
async function fetchInTime(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  return await within(requestTimeoutMs, request.signal, async signal => {
    const answer = await fetch(request, { signal });
    const body = await answer.arrayBuffer();
    return new Response(body.byteLength > 0 ? body : null, answer);
  });
}
