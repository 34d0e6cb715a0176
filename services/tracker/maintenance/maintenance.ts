import type { Service } from "moleculer";
import { sleepUntilAborted } from "../../../mixins/async/sleep.ts";
import { type ExistingKeys, forgetMissingKeys } from "../../../mixins/clients/existing-keys.ts";
import type { Leases } from "../../../mixins/coordination/leases/lease.ts";
import { hotMs, type OpenLog } from "../../../mixins/event-log/event-log.ts";
import { logEvent } from "../../../mixins/log/log-events.ts";
import { pruneClaims } from "../../../mixins/store/idempotency.ts";
import { maxIntervalMs } from "../../domain/polling/poll-times.ts";
import { maxWatchIntervalMs } from "../../domain/watch/schedule.ts";
import { pruneBatches } from "../batches/track-many.ts";
import type { TrackerContext } from "../context.ts";
import { pruneJobs, restoreRequests } from "../joins/join-jobs.ts";
import { pruneChecks } from "../monitors/checks.ts";
import { settleOver } from "../tracking/open-changes.ts";
import { unfollowAll } from "../tracking/pending-unfollows.ts";
import { recountAll } from "../tracking/recount.ts";
import { forgetKey } from "../tracking/untrack.ts";
import type { Pruning } from "./retention.ts";

/** Milliseconds. */
const everyMs = 600_000;

/** Maintains what all trackers share, now and every ten minutes until the signal, in one process of the cluster. */
export async function runMaintenance(
  { wait }: Pick<Leases, "wait">,
  upkeep: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const lease = await wait("tracker/upkeep", signal).catch(error => {
      if (!signal.aborted) throw error;
    });
    if (!lease) return;
    const held = AbortSignal.any([signal, lease.signal]);
    while (!held.aborted) {
      await upkeep(held);
      await sleepUntilAborted(everyMs, held);
    }
    await lease.release();
  }
}

interface Maintained {
  context: TrackerContext;
  existing: ExistingKeys;
  log: Pick<OpenLog, "prune">;
  /** How long events are kept, in milliseconds. */
  eventRetentionMs?: number;
  pruning: Pick<Pruning, "round">;
  logger: Service["logger"];
}

/**
 * Removes what is past its retention and repairs what lost events left behind. Each part that fails runs again the next
 * time.
 */
export async function maintain(upkept: Maintained, signal: AbortSignal): Promise<void> {
  await pruneLog(upkept, signal);
  await prune(upkept, signal);
  await prunePast(upkept, signal);
  await clampDates(upkept, signal);
  await finishChanges(upkept, signal);
  await forgetDeletedKeys(upkept, signal);
  await retryUnfollows(upkept, signal);
}

async function pruneLog({ log, logger }: Maintained, signal: AbortSignal): Promise<void> {
  try {
    const references = await log.prune(new Date(), signal);
    if (references > 0) logEvent(logger, "event_log.pruned", { references });
  } catch (error) {
    logEvent(logger, "event_log_pruning.failed", { error });
  }
}

async function prune(
  { context, logger, eventRetentionMs = hotMs }: Maintained,
  signal: AbortSignal,
): Promise<void> {
  try {
    await context.history.pruneEvents(context.now() - eventRetentionMs);
    await pruneJobs(context);
    await pruneBatches(context);
    await pruneChecks(context, signal);
    await pruneClaims(context.monitorClaims, context.now());
  } catch (error) {
    logEvent(logger, "pruning.failed", { error });
  }
}

/** Versions, checks and values. */
async function prunePast({ pruning, logger }: Maintained, signal: AbortSignal): Promise<void> {
  try {
    const versions = await pruning.round(signal);
    if (versions > 0) logEvent(logger, "history.pruned", { versions });
  } catch (error) {
    if (!signal.aborted) logEvent(logger, "history_pruning.failed", { error });
  }
}

/** Due dates that a wrong clock has set. */
async function clampDates({ context, logger }: Maintained, signal: AbortSignal): Promise<void> {
  try {
    const sources = await clampDueDates(context, signal);
    if (sources > 0) logEvent(logger, "sources.rescheduled", { sources });
  } catch (error) {
    logEvent(logger, "rescheduling.failed", { error });
  }
}

/** Longer than any request lives, in milliseconds. */
const overdueMs = 600_000;

/** What a process has begun and could not finish, although it lives. */
async function finishChanges({ context, logger }: Maintained, signal: AbortSignal): Promise<void> {
  try {
    await settleOver(context, ({ at }) => at < context.now() - overdueMs);
    await restoreRequests(context, signal);
    const keys = await recountAll(context, signal);
    if (keys > 0) logEvent(logger, "source_counts.corrected", { keys });
  } catch (error) {
    if (!signal.aborted) logEvent(logger, "change_repair.failed", { error });
  }
}

/** Keys whose deletion event did not arrive. */
async function forgetDeletedKeys(
  { context, existing, logger }: Maintained,
  signal: AbortSignal,
): Promise<void> {
  try {
    const forget = (keyId: string) => forgetKey(context, keyId);
    const keys = await forgetMissingKeys([context.tallies], existing, forget, signal);
    if (keys > 0) logEvent(logger, "key_data.deleted", { keys });
  } catch (error) {
    if (!signal.aborted) logEvent(logger, "key_cleanup.failed", { error });
  }
}

/** Unfollows that did not reach their platform or failed there. */
async function retryUnfollows({ context, logger }: Maintained, signal: AbortSignal): Promise<void> {
  try {
    await unfollowAll(context, signal);
  } catch (error) {
    if (!signal.aborted) logEvent(logger, "unfollow_retry.failed", { error });
  }
}

/** Sources that one write changes. */
const slice = 500;

/**
 * Makes sources due now whose due date is further ahead than any rule allows: a clock that was ahead has set it, and
 * nothing else would poll them until then. The same holds for leases: who holds one for that long is dead. Returns how
 * many there were.
 */
async function clampDueDates(context: TrackerContext, signal: AbortSignal): Promise<number> {
  const { sources, now, minIntervalMs } = context;
  const farthestMs = 2 * Math.max(maxIntervalMs, minIntervalMs);
  let clamped = 0;
  while (!signal.aborted) {
    const isTooFar = {
      dueAt: { $gt: now() + farthestMs },
      // A view may have a longer interval of its own, or a window that comes once a week.
      $or: [{ view: null }, { dueAt: { $gt: now() + 2 * maxWatchIntervalMs } }],
    };
    const some = await sources.find({ query: isTooFar, limit: slice });
    if (some.length === 0) break;
    const _id = { $in: some.map(source => source._id) };
    clamped += await sources.updateMany({ _id, ...isTooFar }, { $set: { dueAt: now() } });
  }
  return clamped;
}
