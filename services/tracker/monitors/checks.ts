import { findPage } from "../../../mixins/store/pages.ts";
import type { Caller } from "../../contracts/caller.ts";
import { fail } from "../../contracts/errors.ts";
import type { MonitorCheck, MonitorCheckDetail, PageState } from "../../contracts/monitors.contract.ts";
import type { ListPage } from "../../contracts/paging.ts";
import type { TrackerContext } from "../context.ts";
import type { RunningCheck, StoredCheck, StoredMonitor } from "./monitors.store.ts";
import { dueNow, notThere, ownMonitor, skipped } from "./monitors.ts";
import { shownPage } from "./pages.ts";
import { isoTime, noCounts, shownCheck } from "./shown.ts";

/** Begins a check at once. Throws `conflict` while one is under way. */
export async function runMonitor(
  context: TrackerContext,
  { keyId, limits }: Caller,
  { id }: { id: string },
): Promise<{ data: MonitorCheck; message: string }> {
  const known = await ownMonitor(context, keyId, id);
  const now = context.now();
  const over = await endedCheck(context, known);
  const running: RunningCheck = { id: `chk_${context.newId(now)}`, trigger: "manual", startedAt: now };
  const monitor = await context.monitors.change(id, current => {
    if (!current || current.isGone) return undefined;
    if (current.running && current.running.id !== over) throw underWay(current.running.id);
    return { ...current, limits, running, ...dueNow(current, now) };
  });
  if (!monitor || monitor.isGone) notThere();
  // A step would do it, too: whoever asks for the check at once finds it.
  const check = await addCheck(context, monitor, running);
  context.onMonitorDue();
  return { data: shownCheck(check), message: "The check has begun." };
}

/** The check that a monitor has under way, if it has ended: the step that ended it has not yet left the monitor. */
async function endedCheck(
  { checks }: Pick<TrackerContext, "checks">,
  { running }: StoredMonitor,
): Promise<string | undefined> {
  const check = running && (await checks.findById(running.id));
  return check && check.ended_at !== null ? running.id : undefined;
}

function underWay(id: string): Error {
  return fail("conflict", `The check ${id} of this monitor is still under way: there is one at a time.`);
}

/** Stores a check that has begun, unless it is there. */
export async function addCheck(
  { checks }: Pick<TrackerContext, "checks">,
  monitor: StoredMonitor,
  running: RunningCheck,
): Promise<StoredCheck> {
  const fresh = checkOf(monitor, running);
  return (await checks.change(fresh._id, known => known ?? fresh)) ?? fresh;
}

const dayMs = 86_400_000;

/** A check at its beginning. */
export function checkOf(
  { _id: monitorId, keyId, retentionDays }: StoredMonitor,
  { id, trigger, scheduledFor, startedAt }: RunningCheck,
): StoredCheck {
  return {
    _id: id,
    ...{ monitorId, keyId, trigger },
    status: "running",
    scheduled_for: scheduledFor === undefined ? null : isoTime(scheduledFor),
    started_at: isoTime(startedAt),
    ended_at: null,
    counts: noCounts,
    error: null,
    at: startedAt,
    goneAt: startedAt + retentionDays * dayMs,
  };
}

interface ListOf<State> {
  id: string;
  cursor?: string;
  limit: number;
  offset?: number;
  status?: State;
}

/** The checks of a monitor, newest first. */
export async function listChecks(
  context: TrackerContext,
  { keyId }: Pick<Caller, "keyId">,
  { id: monitorId, cursor, limit, offset = 0, status }: ListOf<MonitorCheck["status"]>,
): Promise<ListPage<MonitorCheck>> {
  await ownMonitor(context, keyId, monitorId);
  const query = { monitorId, ...(status && { status }) };
  const from = await skipped(context.checks, query, offset, cursor);
  const { page, next_cursor } = await findPage(context.checks, {
    query,
    limit,
    descending: true,
    ...(from !== undefined && { cursor: from }),
  });
  return { data: page.map(shownCheck), next_cursor, message: "Checks listed." };
}

/** A check with a page of what it found. */
export async function readCheck(
  context: TrackerContext,
  { keyId }: Pick<Caller, "keyId">,
  { id: monitorId, check: checkId, cursor, limit, offset = 0, status }: ListOf<PageState> & { check: string },
): Promise<{ data: MonitorCheckDetail; message: string }> {
  await ownMonitor(context, keyId, monitorId);
  const check = await context.checks.findById(checkId);
  if (check?.monitorId !== monitorId) throw fail("not_found", "This monitor has no such check.");
  const query = { checkId, ...(status && { status }) };
  const from = await skipped(context.pages, query, offset, cursor, "_id");
  const { page, next_cursor } = await findPage(context.pages, {
    query,
    limit,
    ...(from !== undefined && { cursor: from }),
  });
  const pages = page.map(shownPage);
  return { data: { ...shownCheck(check), pages, next_cursor }, message: "This is the check." };
}

/** Removes the checks that are past their retention, and their pages. */
export async function pruneChecks(
  { checks, pages, now }: TrackerContext,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const old = await checks.find({ query: { goneAt: { $lt: now() } }, limit: 100 });
    if (old.length === 0) return;
    for (const { _id } of old) {
      await pages.removeMany({ checkId: _id });
      await checks.remove(_id);
    }
  }
}
