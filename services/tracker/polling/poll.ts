import type { Service } from "moleculer";
import type { PollResult } from "../../contracts/connectors.contract.ts";
import { maxIntervalMs } from "../../domain/polling/poll-times.ts";
import { isUnavailable, retryAfterMs } from "../connectors.ts";
import type { TrackerContext } from "../context.ts";
import { Scheduler } from "../scheduler.ts";
import { shortestMs } from "../source-kinds.ts";
import { connectorState } from "../sources.store.ts";
import { type LeasedSource, leaseDueSources, nextDueAt, postponePoll } from "./due-sources.ts";
import { ingest } from "./ingest.ts";

/** Concurrent polls. They mostly wait: for answers, and for a slot at the source's host. */
const concurrency = 256;

/** Polls the sources that are due; `onPolled` is called after each poll that was made. */
export function pollScheduler(
  context: TrackerContext,
  logger: Service["logger"],
  onPolled: () => void,
): Scheduler<LeasedSource> {
  return new Scheduler(
    {
      take: max => leaseDueSources(context, max),
      nextAt: () => nextDueAt(context),
      run: async source => {
        const startedAt = performance.now();
        const result = await poll(context, source);
        const outcome = typeof result === "string" ? result : "put off";
        if (result === "ok" || result === "failed") onPolled();
        const durationMs = Math.round(performance.now() - startedAt);
        logger.debug("source.polled", { source: source._id, kind: source.kind, outcome, durationMs });
      },
      onError: error => logger.error("polling.broken", { error }),
      now: context.now,
    },
    concurrency,
  );
}

/** Milliseconds before another try when the connectors service is unavailable. */
const absentMs = 2000;

/** The poll did not run: no host slot was free, or no connectors node answered. It is due again after `postponeMs`. */
interface Postponed {
  postponeMs: number;
  cause: unknown;
}

/** `lost`: another process has taken the source over. */
export type PollOutcome = "ok" | "failed" | "lost" | Postponed;

/**
 * Polls a leased source once and ingests what is new. Rejects when the outcome could not be written; the source is then
 * free, and due again no sooner than its shortest interval allows.
 */
export async function poll(context: TrackerContext, source: LeasedSource): Promise<PollOutcome> {
  try {
    return await pollOnce(context, source);
  } catch (error) {
    const waitMs = Math.max(absentMs, shortestMs(context, source.kind));
    // If this write fails too, the source becomes free when its lease ends.
    await postponePoll(context, source, context.now() + waitMs).catch(() => undefined);
    throw error;
  }
}

async function pollOnce(context: TrackerContext, source: LeasedSource): Promise<PollOutcome> {
  const startedAt = context.now();
  const stored = await context.states.findById(source._id);
  // This process was suspended for longer than its lease lasts: another process polls the source.
  if (!context.leaseTokens.isGood(source.lease)) return "lost";
  const result = await askConnector(context, source, connectorState(stored, source.moved));
  if ("postponeMs" in result) {
    await postponePoll(context, source, context.now() + result.postponeMs);
    return result;
  }
  await ingest(context, source, stored, result, startedAt);
  return result.ok ? "ok" : "failed";
}

/**
 * An unexpected error counts as a failure of the source; otherwise a source that breaks its connector would stay silent
 * for ever.
 */
async function askConnector(
  context: TrackerContext,
  source: LeasedSource,
  state: Record<string, unknown>,
): Promise<PollResult | Postponed> {
  try {
    return await context.pollConnector(source, state);
  } catch (error) {
    const postponeMs = postponementFor(context, error);
    if (postponeMs !== null) return { postponeMs, cause: error };
    context.onConnectorError(source, error);
    return { ok: false, reason: "The source could not be read.", gone: false, state };
  }
}

/** The delay after an error that is not the source's; null for any other error. */
function postponementFor({ minIntervalMs, random }: TrackerContext, error: unknown): number | null {
  const { type } = Object(error) as { type?: unknown };
  // More sources of one host are due than its rate limit allows: spread them, and leave room for other hosts.
  if (type === "overloaded") return Math.round(minIntervalMs * (1 + random()));
  return isUnavailable(error) ? Math.min(Math.max(absentMs, retryAfterMs(error)), maxIntervalMs) : null;
}
