import { within } from "../../../mixins/deadline/within.ts";
import type { Store } from "../../../mixins/store/store.ts";
import { codeOf, type ErrorExtras, fail } from "../../contracts/errors.ts";
import type { PlatformTold } from "../../contracts/events.ts";
import type { Gaps } from "./gaps.ts";
import type { SocialKind } from "./kinds.ts";
import { isRefusal } from "./refusal.ts";
import type { SocialConnector } from "./social-connector.ts";
import type { TrackedSources } from "./tracked-sources.ts";

/** One social platform of this installation: its driver, and how it stands with its network. */
export interface Platform {
  kind: SocialKind;
  /** The network, as the environment names it. */
  driver: string;
  /** Undefined when it could not be opened; `trouble` tells why. */
  connector: SocialConnector | undefined;
  /** What the ids of its sources belong to. */
  network: string;
  /** Sources from before it stood on this network, by external id. */
  foreign: Set<string>;
  tracked: TrackedSources;
  gaps: Gaps;
  follows: Store<StoredFollow>;
  /** Unix milliseconds. */
  openedAt: number;
  /** This process listens to it; of several, one does. */
  isListening: boolean;
  /** Another process that does, as far as is known. */
  listener: { nodeId: string; heardAt: number } | undefined;
  /** Tells the other processes. */
  tell(told: Telling): void;
  /** What is sent comes in by itself, here or in the process that listens. */
  isLive: boolean;
  /** A plain sentence; null while all is well. */
  trouble: string | null;
}

type WithoutKind<Told> = Told extends unknown ? Omit<Told, "kind"> : never;
export type Telling = WithoutKind<PlatformTold>;

/** A source that the network was asked to bring us; `_id` is kind and external id. */
export interface StoredFollow {
  _id: string;
  /** Which it was: another one knows nothing of it. */
  network: string;
}

const longestMs = 40_000;
/** Milliseconds that a caller needs to hear of a failure. */
const marginMs = 500;
/** Seconds until clients ask again, where the driver does not say. */
const retryAfterS = 30;
/** The same while the network refuses our credentials. */
const refusedRetryAfterS = 300;

export interface Terms {
  /** Milliseconds that the caller has. */
  timeoutMs?: number;
  /** Fires when the room stops. */
  closing: AbortSignal;
  /** Not to be done twice: out of time, `connector_unavailable` would say that it was not done at all. */
  isOnce?: boolean;
}

/**
 * Has the driver do something within the time that the caller has. `work` answers undefined for what the driver has no
 * ability for.
 */
export async function ask<Answer>(
  { kind, driver, connector, trouble }: Platform,
  { timeoutMs = longestMs, closing, isOnce = false }: Terms,
  work: (connector: SocialConnector, signal: AbortSignal) => Promise<Answer> | undefined,
): Promise<Answer> {
  if (!connector) throw unavailable(trouble ?? `There is no driver of ${kind}.`);
  const ms = Math.max(marginMs, Math.min(longestMs, timeoutMs - marginMs));
  return await within(ms, closing, async signal => {
    const answer = work(connector, signal);
    if (!answer) throw unavailable(`This installation's ${kind}, ${driver}, cannot do this.`);
    return await answer.catch(error => {
      throw signal.aborted ? tooLate(kind, isOnce, error) : asTold(kind, error);
    });
  });
}

/** The driver's error as a client may hear it: which setting the network refuses is for the log and for readiness. */
function asTold(kind: SocialKind, error: unknown): unknown {
  if (isRefusal(error))
    return unavailable(
      `The network behind the ${kind} refuses this installation; its log and /health/ready tell why.`,
      refusedRetryAfterS,
      error,
    );
  const { data, message } = Object(error) as { data?: ErrorExtras; message: string };
  const isVague = codeOf(error) === "connector_unavailable" && data?.retry_after === undefined;
  return isVague ? unavailable(message, retryAfterS, error) : error;
}

function unavailable(sentence: string, retry_after = retryAfterS, cause?: unknown): Error {
  return fail("connector_unavailable", sentence, { retry_after }, cause);
}

/** Whatever the driver made of the end of its time; how long the network asked us to wait is kept. */
function tooLate(kind: SocialKind, isOnce: boolean, error: unknown): Error {
  if (isOnce && codeOf(error) !== "connector_unavailable")
    return fail("upstream_error", `The ${kind} did not tell in time what it did.`, {}, error);
  const { data } = Object(error) as { data?: ErrorExtras };
  return unavailable(`The ${kind} did not answer in time; try again later.`, data?.retry_after, error);
}
