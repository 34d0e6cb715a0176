import type { Context } from "moleculer";
import type { CallMeta } from "../../contracts/caller.ts";
import { fail } from "../../contracts/errors.ts";
import type { SourceKind } from "../../contracts/source.ts";
import { type Networks, platformNamed } from "./networks.ts";
import { type CallTerms, callDriver, type Platform } from "./platform.ts";
import type { SocialConnector } from "./social-connector.ts";

/** What the operations need of the service. */
export interface SocialHost {
  networksOf(kind: SourceKind): Networks;
  /** Fires when the service stops. */
  closing: AbortController;
}

type Work<Answer> = (connector: SocialConnector, signal: AbortSignal) => Promise<Answer> | undefined;

/**
 * Forwards the call to the only process that may use the platform's account; undefined where this process may. Rejects
 * with `connector_unavailable` while no process holds the account.
 */
export function forwardToListener<Answer>(
  { connector, isListening, listener }: Platform,
  ctx: Context<unknown, CallMeta>,
): Promise<Answer> | undefined {
  if (!connector?.isExclusive || isListening) return undefined;
  const { action, params, service, options, caller } = ctx;
  // A process forwarded it that did not know yet that another one has taken over.
  const isMisrouted = caller === service?.fullName;
  if (!listener || !action?.name || isMisrouted)
    return Promise.reject(
      fail("connector_unavailable", "The account moves to another process. Try again shortly.", {
        retry_after: 10,
      }),
    );
  const { timeout } = options as { timeout?: number };
  const to = { nodeID: listener.nodeId, ...(timeout && { timeout }) };
  return (ctx as Context).call(action.name, params as object, to);
}

/** Runs a call with the driver of a network, within the deadline of the caller. */
export function withDriver<Answer>(
  host: SocialHost,
  ctx: Context<unknown, CallMeta>,
  platform: Platform,
  work: Work<Answer>,
  terms: Pick<CallTerms, "isOnce"> = {},
): Promise<Answer> {
  const { timeout } = ctx.options as { timeout?: number };
  const deadline = { closing: host.closing.signal, ...(timeout && { timeoutMs: timeout }) };
  return forwardToListener(platform, ctx) ?? callDriver(platform, { ...deadline, ...terms }, work);
}

type NamedWork<Answer> = (
  connector: SocialConnector,
  text: string,
  signal: AbortSignal,
) => ReturnType<Work<Answer>>;

/** Runs a call with the driver of the network that a text names, which takes the text without the network's name. */
export async function withNamedDriver<Answer>(
  host: SocialHost,
  ctx: Context<unknown, CallMeta>,
  { kind, text: named, field }: { kind: SourceKind; text: string; field: string },
  work: NamedWork<Answer>,
  terms: Pick<CallTerms, "isOnce"> = {},
): Promise<Answer> {
  const { platform, text } = platformNamed(host.networksOf(kind), named, field);
  return await withDriver(host, ctx, platform, (driver, signal) => work(driver, text, signal), terms);
}
