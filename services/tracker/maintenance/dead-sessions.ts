import type { Service } from "moleculer";
import { sleepUntilAborted } from "../../../mixins/async/sleep.ts";
import { logEvent } from "../../../mixins/log/log-events.ts";
import { entrySteps } from "../batches/step-entry.ts";
import type { TrackerContext } from "../context.ts";
import { restoreRequests } from "../joins/join-jobs.ts";
import { joinSteps } from "../joins/step-join.ts";
import { monitorSteps } from "../monitors/step-monitor.ts";
import { releaseSourceLeases } from "../polling/due-sources.ts";
import { settleOver } from "../tracking/open-changes.ts";
import type { WorkerSession } from "./worker-session.ts";

/** A process's session, and what to wake when there may be more to lease. */
export interface SessionKeeper {
  context: TrackerContext;
  session: WorkerSession;
  logger: Service["logger"];
  wake(): void;
}

/** Keeps the session alive until the signal, and releases the leases of dead ones. */
export async function keepSessionAlive(
  { context, session, logger, wake }: SessionKeeper,
  signal: AbortSignal,
): Promise<void> {
  const onError = (error: unknown) => logEvent(logger, "worker_session.failed", { error });
  await Promise.all([
    session.keepAlive(signal, wake, onError),
    watchForDeadSessions(context, session, { signal, onFreed: wake, onError }),
  ]);
}

/** If this fails, another process finds the session dead. */
export async function leaveSession({ context, session, logger }: SessionKeeper): Promise<void> {
  try {
    await endOwnSession(context, session);
  } catch (error) {
    logEvent(logger, "worker_session_end.failed", { error });
  }
}

/** Milliseconds. A dead process is recognised some 10 s after its death. */
const everyMs = 3000;

interface Watch {
  signal: AbortSignal;
  /** Called when leases were released. */
  onFreed(): void;
  onError(error: unknown): void;
}

/** Releases the leases of dead processes, again and again until the signal. */
async function watchForDeadSessions(
  context: TrackerContext,
  session: WorkerSession,
  watch: Watch,
): Promise<void> {
  const { signal, onFreed, onError } = watch;
  while (!signal.aborted) {
    await sleepUntilAborted(everyMs, signal);
    if (signal.aborted) return;
    try {
      if ((await reapDeadSessions(context, session)) > 0) onFreed();
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
  }
}

/** Returns how many there were. A process that has the store to itself treats all earlier sessions as dead. */
export function reapDeadSessions(context: TrackerContext, session: WorkerSession): Promise<number> {
  return session.reapDead(id => releaseLeases(context, id));
}

/** Ends this process's session, so that others take over at once. */
function endOwnSession(context: TrackerContext, session: WorkerSession): Promise<void> {
  return session.end(id => releaseLeases(context, id));
}

/** What the session leased is free, and what it has begun is finished. */
async function releaseLeases(context: TrackerContext, session: string): Promise<void> {
  // A source that was made for a subscription which is not there goes before anybody polls it.
  await settleOver(context, ({ by }) => by.startsWith(`${session}:`));
  await releaseSourceLeases(context, session);
  await joinSteps.release(context, session);
  await entrySteps.release(context, session);
  await monitorSteps.release(context, session);
  await restoreRequests(context, context.closing);
}
