import type { Store } from "../../../mixins/store/store.ts";
import { codeOf, fail } from "../../contracts/errors.ts";
import type { Gaps } from "./gaps.ts";
import type { SocialKind } from "./kinds.ts";
import type { SocialConnector } from "./social-connector.ts";
import type { TrackedSources } from "./tracked-sources.ts";

/** One social platform of this installation: its driver, and how it stands with its network. */
export interface Platform {
  kind: SocialKind;
  /** The network, as the environment names it. */
  driver: string;
  /** Undefined when it could not be opened; `trouble` tells why. */
  connector: SocialConnector | undefined;
  tracked: TrackedSources;
  gaps: Gaps;
  follows: Store<StoredFollow>;
  /** What is sent comes in by itself. */
  isLive: boolean;
  /** A plain sentence; null while all is well. */
  trouble: string | null;
}

/** A source that the network was asked to bring us; `_id` is kind and external id. */
export interface StoredFollow {
  _id: string;
  /** Whom the network was: another one knows nothing of it. */
  driver: string;
}

const longestMs = 40_000;
/** Milliseconds that a caller needs to hear of a failure. */
const marginMs = 500;
const retryAfterS = 30;

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
  if (!connector) throw fail("connector_unavailable", trouble ?? `There is no driver of ${kind}.`);
  const ms = Math.max(marginMs, Math.min(longestMs, timeoutMs - marginMs));
  const signal = AbortSignal.any([closing, AbortSignal.timeout(ms)]);
  const answer = work(connector, signal);
  if (!answer) throw fail("connector_unavailable", `This installation's ${kind}, ${driver}, cannot do this.`);
  try {
    return await answer;
  } catch (error) {
    if (!signal.aborted) throw error;
    if (isOnce && codeOf(error) !== "connector_unavailable")
      throw fail("upstream_error", `The ${kind} did not tell in time what it did.`, {}, error);
    throw tooLate(kind, error);
  }
}

/** Whatever the driver made of the end of its time; how long the network asked us to wait is kept. */
function tooLate(kind: SocialKind, error: unknown): Error {
  const { data } = Object(error) as { data?: { retry_after?: number } };
  const sentence = `The ${kind} did not answer in time; try again later.`;
  return fail("connector_unavailable", sentence, { retry_after: data?.retry_after ?? retryAfterS }, error);
}
