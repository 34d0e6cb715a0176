import { makeOnce } from "../../../mixins/store/idempotency.ts";
import { findPage } from "../../../mixins/store/pages.ts";
import { isInserted } from "../../../mixins/store/update-if.ts";
import type { Caller } from "../../contracts/caller.ts";
import { fail, invalid } from "../../contracts/errors.ts";
import {
  type Monitor,
  type MonitorChanges,
  monitorTag,
  mostMonitors,
  type NewMonitor,
} from "../../contracts/monitors.contract.ts";
import type { ListPage } from "../../contracts/paging.ts";
import type { TrackerContext } from "../context.ts";
import type { StoredMonitor } from "./monitors.store.ts";
import { isoTime, shownMonitor } from "./shown.ts";
import { isOtherwiseRead, nextTime, refuseGoal, storedSchedule, storedTargets } from "./wanted.ts";

interface Answer {
  data: Monitor;
  message: string;
}

const usualDays = 30;

/**
 * Makes a monitor. Nothing is read yet: its first check tracks its sources. A repeated request gets the monitor of the first
 * one.
 */
export async function createMonitor(
  context: TrackerContext,
  caller: Caller,
  wanted: NewMonitor,
  idempotencyKey?: string,
): Promise<Answer> {
  const now = context.now();
  const request = { keyId: caller.keyId, operation: "monitor", key: idempotencyKey, body: wanted };
  const making = {
    newId: () => `mon_${context.newId(now)}`,
    find: (_id: string) => context.monitors.findOne({ _id, isGone: null }),
    make: (id: string) => insertMonitor(context, caller, id, wanted),
  };
  const monitor = await makeOnce(context.monitorClaims, request, making, now);
  return { data: shownMonitor(monitor), message: "The monitor is made." };
}

async function insertMonitor(
  context: TrackerContext,
  { keyId, owner, limits }: Caller,
  _id: string,
  wanted: NewMonitor,
): Promise<StoredMonitor> {
  const known = await context.monitors.findById(_id);
  if (known) return known;
  const {
    name,
    goal,
    judge = true,
    retention_days = usualDays,
    page_events = false,
    paused = false,
  } = wanted;
  const now = context.now();
  refuseGoal(context, { goal: goal ?? null, judge });
  const targets = await storedTargets(context, keyId, wanted.targets);
  const schedule = storedSchedule(context, wanted.schedule, seedOf(context));
  await refuseMore(context, keyId);
  // Creates the tally, through which maintenance finds keys that were deleted.
  await context.tallies.upsert(keyId, { $inc: { sources: 0 } });
  const monitor = timed(
    {
      _id,
      ...{ keyId, owner, limits, name, schedule, targets, judge, paused },
      ...(goal !== undefined && { goal }),
      retentionDays: retention_days,
      pageEvents: page_events,
      revision: 1,
      createdAt: isoTime(now),
      updatedAt: isoTime(now),
    },
    now,
  );
  const isNew = await isInserted(context.monitors, monitor);
  context.onMonitorDue();
  return isNew ? monitor : ((await context.monitors.findById(_id)) ?? monitor);
}

async function refuseMore({ monitors }: TrackerContext, keyId: string): Promise<void> {
  if ((await monitors.count({ keyId })) < mostMonitors) return;
  throw fail("key_limit_reached", `An API key has ${mostMonitors} monitors at most. Delete one first.`);
}

/** A minute of a week. */
function seedOf({ random }: TrackerContext): number {
  return Math.floor(random() * 7 * 24 * 60);
}

/** A monitor with the next time of its schedule, and due for a step that makes its sources those that it wants. */
function timed({ nextAt: _, ...monitor }: StoredMonitor, now: number): StoredMonitor {
  const nextAt = nextTime(monitor, now);
  return { ...monitor, ...(nextAt !== undefined && { nextAt }), ...dueNow(monitor, now) };
}

/** Due at once; while a step is under way, after it. */
export function dueNow(
  { lease, dueAt }: Pick<StoredMonitor, "lease" | "dueAt">,
  now: number,
): Pick<StoredMonitor, "dueAt" | "again"> {
  return lease !== undefined && dueAt !== undefined ? { dueAt, again: true } : { dueAt: now };
}

export async function listMonitors(
  { monitors }: TrackerContext,
  { keyId }: Pick<Caller, "keyId">,
  { cursor, limit, offset = 0 }: { cursor?: string; limit: number; offset?: number },
): Promise<ListPage<Monitor>> {
  const from = await skipped(monitors, { keyId, isGone: null }, offset, cursor);
  const { page, next_cursor } = await findPage(monitors, {
    query: { keyId, isGone: null },
    limit,
    descending: true,
    ...(from !== undefined && { cursor: from }),
  });
  return { data: page.map(shownMonitor), next_cursor, message: "Monitors listed." };
}

/** The cursor after so many entries of a list, newest first. */
export async function skipped<D extends { _id: string }>(
  store: { find(options: object): Promise<D[]> },
  query: object,
  offset: number,
  cursor: string | undefined,
  sort = "-_id",
): Promise<string | undefined> {
  if (offset === 0) return cursor;
  const [last] = await store.find({ query, sort: [sort], offset: offset - 1, limit: 1 });
  // Nothing is beyond the end of the list.
  return last?._id ?? (sort === "-_id" ? "" : "~");
}

/** The monitor of a key. Throws 404 for an unknown one and for another key's. */
export async function ownMonitor(
  { monitors }: Pick<TrackerContext, "monitors">,
  keyId: string,
  id: string,
): Promise<StoredMonitor> {
  const monitor = await monitors.findById(id);
  return monitor?.keyId === keyId && !monitor.isGone ? monitor : notThere();
}

export function notThere(): never {
  throw fail("not_found", "This API key has no such monitor.");
}

export async function readMonitor(
  context: TrackerContext,
  { keyId }: Pick<Caller, "keyId">,
  { id }: { id: string },
): Promise<Answer> {
  return { data: shownMonitor(await ownMonitor(context, keyId, id)), message: "This is the monitor." };
}

/** Changes a monitor. A check under way goes on with what is wanted now. */
export async function changeMonitor(
  context: TrackerContext,
  { keyId, limits }: Caller,
  { id, ...wanted }: MonitorChanges,
): Promise<Answer> {
  refuseNulls(wanted);
  const before = await ownMonitor(context, keyId, id);
  const now = context.now();
  const { goal = before.goal ?? null, judge = before.judge } = wanted;
  refuseGoal(context, { goal, judge });
  const targets = wanted.targets && (await storedTargets(context, keyId, wanted.targets));
  const schedule = wanted.schedule && storedSchedule(context, wanted.schedule, seedOf(context));
  const changed = await context.monitors.change(id, current => {
    if (!current || current.isGone) return undefined;
    const { goal: former, ...rest } = current;
    const wish = wanted.goal === undefined ? former : (wanted.goal ?? undefined);
    const after: StoredMonitor = {
      ...rest,
      limits,
      name: wanted.name ?? current.name,
      targets: targets ?? current.targets,
      schedule: schedule ?? current.schedule,
      ...(wish !== undefined && { goal: wish }),
      judge: wanted.judge ?? current.judge,
      retentionDays: wanted.retention_days ?? current.retentionDays,
      pageEvents: wanted.page_events ?? current.pageEvents,
      paused: wanted.paused ?? current.paused,
      updatedAt: isoTime(now),
    };
    const revision = isOtherwiseRead(current, after) ? current.revision + 1 : current.revision;
    return timed({ ...after, revision }, now);
  });
  if (!changed || changed.isGone) notThere();
  context.onMonitorDue();
  return { data: shownMonitor(changed), message: "The monitor is changed." };
}

/** The schema permits null for optional fields; a goal alone can be taken away. */
function refuseNulls(wanted: Omit<MonitorChanges, "id">): void {
  for (const [name, value] of Object.entries(wanted))
    if (value === null && name !== "goal")
      throw invalid(name, "required", `\`${name}\` cannot be null. Leave it out, and it stays.`);
}

/** Marks a monitor as deleted; steps remove what it has. */
export async function removeMonitor(
  context: TrackerContext,
  { keyId }: Pick<Caller, "keyId">,
  { id }: { id: string },
): Promise<{ message: string }> {
  await ownMonitor(context, keyId, id);
  await context.monitors.change(id, monitor =>
    monitor ? { ...monitor, isGone: true, ...dueNow(monitor, context.now()) } : undefined,
  );
  context.onMonitorDue();
  return { message: "The monitor is deleted; its sources are no longer tracked." };
}

/** The monitors of a key that have one of these tags: their own events pass filters by it. */
export async function monitorsOfTags(
  { monitors }: Pick<TrackerContext, "monitors">,
  keyId: string,
  tags: string[],
): Promise<string[]> {
  const prefix = monitorTag("");
  const ids = tags.filter(tag => tag.startsWith(prefix)).map(tag => tag.slice(prefix.length));
  if (ids.length === 0) return [];
  return (await monitors.find({ query: { _id: { $in: ids }, keyId } })).map(({ _id }) => _id);
}
