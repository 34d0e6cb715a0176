import type { NewEvent } from "../../../mixins/event-log/event-log.ts";
import type { Platforms } from "../connectors.ts";
import type { TrackerContext } from "../context.ts";
import { type Leased, LeasedSteps } from "../leased-steps.ts";
import { Scheduler } from "../scheduler.ts";
import { addCheck, checkOf } from "./checks.ts";
import { checkedEvent } from "./events.ts";
import { removeStep } from "./forget.ts";
import type { RunningCheck, StoredCheck, StoredMonitor } from "./monitors.store.ts";
import { advance } from "./run-check.ts";
import { shownCheck } from "./shown.ts";
import { nextTime, renewMembers } from "./wanted.ts";

/** The monitors, whose steps are taken one after another. */
export const monitorSteps = new LeasedSteps<StoredMonitor>(({ monitors }) => monitors);

/** Monitors at a time. Their steps mostly wait for the store. */
const concurrency = 32;

/** Begins and advances the checks of monitors when they are due. */
export function monitorScheduler(
  context: TrackerContext,
  platforms: Platforms,
  onAsked: () => void,
  onError: (error: unknown) => void,
): Scheduler<Leased<StoredMonitor>> {
  return new Scheduler(
    {
      take: max => monitorSteps.leaseDue(context, max),
      nextAt: () => monitorSteps.nextAt(context),
      run: async monitor => {
        try {
          await stepMonitor(context, monitor, platforms);
          onAsked();
        } catch (error) {
          await freed(context, monitor, current => ({ ...current, dueAt: context.now() + retryMs }));
          throw error;
        }
      },
      onError,
      now: context.now,
    },
    concurrency,
  );
}

/** Milliseconds before a step that failed is taken again. */
const retryMs = 5000;

/**
 * Takes a step of a monitor: makes its members those that are wanted, begins the check whose time has come, and advances the
 * one under way. Each part may be done twice when a process dies.
 */
export async function stepMonitor(
  context: TrackerContext,
  monitor: Leased<StoredMonitor>,
  platforms: Platforms,
): Promise<void> {
  if (monitor.isGone) {
    const isOver = await removeStep(context, monitor);
    if (!isOver) await freed(context, monitor, current => ({ ...current, dueAt: context.now() }));
    return;
  }
  if (monitor.renewed !== monitor.revision) await renewMembers(context, monitor);
  const begun = await begin(context, monitor);
  const { running } = begun;
  if (!running) {
    await freed(context, monitor, current => rested({ ...current, renewed: monitor.revision }));
    return;
  }
  await addCheck(context, begun, running);
  const { ended, againInMs } = await advance(context, begun, running, platforms);
  if (ended) {
    // Whoever finds the check ended finds its event.
    await announce(context, begun, ended);
    await context.checks.change(ended._id, () => ended);
  }
  await freed(context, monitor, current => {
    const after = { ...current, renewed: monitor.revision };
    if (!ended) return { ...after, dueAt: nextStep(after, context.now() + againInMs) };
    const last = shownCheck(ended);
    // A request may have begun the next check since this one has ended.
    if (after.running?.id !== ended._id) return { ...after, last };
    const { running: _, ...idle } = after;
    return rested({ ...idle, last });
  });
}

/** Writes the end of a step; a request that came meanwhile makes the next one due at once. */
async function freed(
  context: TrackerContext,
  monitor: Leased<StoredMonitor>,
  work: (current: StoredMonitor) => StoredMonitor,
): Promise<void> {
  await monitorSteps.write(context, monitor, current => {
    const { lease: _, again, ...after } = work(current);
    return again ? { ...after, dueAt: context.now() } : after;
  });
}

/** Nothing is under way: the next step is at the next time. */
function rested({ dueAt: _, ...monitor }: StoredMonitor): StoredMonitor {
  const isWaiting = monitor.nextAt !== undefined && !monitor.paused;
  return isWaiting ? { ...monitor, dueAt: monitor.nextAt as number } : monitor;
}

/** The check goes on; a time that comes meanwhile is skipped, and said so. */
function nextStep({ nextAt = Number.POSITIVE_INFINITY }: StoredMonitor, at: number): number {
  return Math.min(nextAt, at);
}

/**
 * Begins the check whose time has come. While one is under way, that time is skipped. The next time is chosen by the write
 * that begins the check, so that a time has one check.
 */
async function begin(context: TrackerContext, monitor: Leased<StoredMonitor>): Promise<StoredMonitor> {
  const now = context.now();
  const scheduledFor = monitor.nextAt;
  if (monitor.paused || scheduledFor === undefined || scheduledFor > now) return monitor;
  const mark: RunningCheck = {
    id: checkId(context, now),
    trigger: "scheduled",
    scheduledFor,
    startedAt: now,
  };
  if (monitor.running) await skip(context, monitor, mark);
  let begun: StoredMonitor = monitor;
  await monitorSteps.write(context, monitor, current => {
    const { nextAt: _, ...rest } = current;
    const nextAt = nextTime(current, now);
    // The request for a check may have come at this moment.
    const running = current.running ?? (monitor.running ? undefined : mark);
    begun = { ...rest, ...(nextAt !== undefined && { nextAt }), ...(running && { running }) };
    return begun;
  });
  return begun;
}

function checkId({ newId }: TrackerContext, now: number): string {
  return `chk_${newId(now)}`;
}

/** Says that a time was skipped. */
async function skip(context: TrackerContext, monitor: StoredMonitor, mark: RunningCheck): Promise<void> {
  const error = `The check ${monitor.running?.id} was still under way.`;
  const check: StoredCheck = {
    ...checkOf(monitor, mark),
    status: "skipped",
    ended_at: new Date(mark.startedAt).toISOString(),
    error,
  };
  await context.checks.insert(check);
  await announce(context, monitor, check);
}

async function announce(context: TrackerContext, monitor: StoredMonitor, check: StoredCheck): Promise<void> {
  const events: NewEvent[] = [checkedEvent(monitor, shownCheck(check))];
  await context.log.append(events);
}
