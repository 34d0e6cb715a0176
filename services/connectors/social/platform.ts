import { withTimeout } from "../../../mixins/async/timeout.ts";
import type { Store } from "../../../mixins/store/store.ts";
import { codeOf, type ErrorExtras, fail } from "../../contracts/errors.ts";
import type { PlatformUpdate } from "../../contracts/events.ts";
import { isRefusal, type SocialConnector, type SocialKind } from "./social-connector.ts";
import type { MissedRanges, TrackedSources } from "./tracked-sources.ts";

/** A network of a social platform: its driver, and the state of the connection to it. */
export interface Platform {
  kind: SocialKind;
  /** The network, as configuration names it. */
  driver: string;
  /** Undefined when it could not be opened; `failure` says why. */
  connector: SocialConnector | undefined;
  /** The scope of its ids, see `networkOf`. */
  network: string;
  /** Whether an id is of this network, as far as this process knows. */
  isOwn(externalId: string): boolean;
  tracked: TrackedSources;
  missedRanges: MissedRanges;
  follows: Store<StoredFollow>;
  /** Unix milliseconds. */
  openedAt: number;
  /** Whether this process listens to it; only one process does. */
  isListening: boolean;
  /** The other process that listens, as far as known. */
  listener: { nodeId: string; heardAt: number } | undefined;
  /** Sends a message to the other processes. */
  broadcast(message: PlatformMessage): void;
  /** Whether posts come in live, in this process or in the listening one. */
  isLive: boolean;
  /** Why it does not work, as a sentence; null while it does. */
  failure: string | null;
}

type WithoutKind<Update> = Update extends unknown ? Omit<Update, "kind" | "network"> : never;
type PlatformMessage = WithoutKind<PlatformUpdate>;

/** The mark that a source is followed; `_id` is kind and external id. */
export interface StoredFollow {
  _id: string;
  /** The network on which it is followed. */
  network: string;
}

const maxCallMs = 40_000;
/** Milliseconds that a failure needs to reach the caller in time. */
const marginMs = 500;
/** Seconds until clients should retry, where the driver does not say. */
const retryAfterS = 30;
/** Seconds that a client waits while the network refuses our credentials. */
const refusedRetryAfterS = 300;

export interface CallTerms {
  /** Milliseconds that the caller has. */
  timeoutMs?: number;
  /** Fires when the service stops. */
  closing: AbortSignal;
  /** Must not run twice. After a timeout the error is not `connector_unavailable`, which would say that it never ran. */
  isOnce?: boolean;
}

/**
 * Runs `work` with the driver within the deadline of the caller. `work` returns undefined for an operation that the
 * driver does not have.
 */
export async function callDriver<Answer>(
  { kind, driver, connector, failure }: Platform,
  { timeoutMs = maxCallMs, closing, isOnce = false }: CallTerms,
  work: (connector: SocialConnector, signal: AbortSignal) => Promise<Answer> | undefined,
): Promise<Answer> {
  if (!connector) throw unavailable(failure ?? `There is no driver of ${kind}.`);
  const ms = Math.max(marginMs, Math.min(maxCallMs, timeoutMs - marginMs));
  return await withTimeout(ms, closing, async signal => {
    const answer = work(connector, signal);
    if (!answer) throw unavailable(`This installation's ${kind}, ${driver}, cannot do this.`);
    return await answer.catch(error => {
      throw signal.aborted ? timeoutError(kind, isOnce, error) : publicError(kind, error);
    });
  });
}

/** The driver's error for clients. Only the log and readiness name the setting that the network refuses. */
function publicError(kind: SocialKind, error: unknown): unknown {
  if (isRefusal(error))
    return unavailable(
      `The network behind the ${kind} refuses this installation; its log and /health/ready say why.`,
      refusedRetryAfterS,
      error,
    );
  const { data, message } = Object(error) as { data?: ErrorExtras; message: string };
  const isVague = codeOf(error) === "connector_unavailable" && data?.retry_after === undefined;
  return isVague ? unavailable(message, retryAfterS, error) : error;
}

function unavailable(message: string, retry_after = retryAfterS, cause?: unknown): Error {
  return fail("connector_unavailable", message, { retry_after }, cause);
}

/** The error after a timeout, whatever the driver threw. Keeps the wait that the network asked for. */
function timeoutError(kind: SocialKind, isOnce: boolean, error: unknown): Error {
  if (isOnce && codeOf(error) !== "connector_unavailable")
    return fail(
      "upstream_error",
      `The ${kind} did not answer in time whether the request was carried out.`,
      {},
      error,
    );
  const { data } = Object(error) as { data?: ErrorExtras };
  return unavailable(`The ${kind} did not answer in time; try again later.`, data?.retry_after, error);
}

/** The id of the mark that a source is followed. */
export function followId(kind: string, externalId: string): string {
  return `${kind} ${externalId}`;
}
