import {
  type Monitor,
  type MonitorCheck,
  type MonitorCounts,
  monitorTag,
} from "../../contracts/monitors.contract.ts";
import { hiddenValue, type WatchOptions } from "../../contracts/watch.contract.ts";
import type { StoredCheck, StoredMonitor, StoredTarget } from "./monitors.store.ts";

/** A monitor as its key sees it. */
export function shownMonitor(monitor: StoredMonitor): Monitor {
  const { _id: id, name, paused, schedule, targets, goal, judge, nextAt, running, last } = monitor;
  return {
    ...{ id, name, tag: monitorTag(id), paused },
    schedule: { cron: schedule.cron, text: schedule.text ?? null, time_zone: schedule.time_zone },
    targets: targets.map(shownTarget),
    sources: targets.reduce((total, { sids }) => total + sids.length, 0),
    goal: goal ?? null,
    judge: goal !== undefined && judge,
    retention_days: monitor.retentionDays,
    page_events: monitor.pageEvents,
    next_check_at: nextAt === undefined || paused ? null : isoTime(nextAt),
    current_check: running?.id ?? null,
    last_check: last ?? null,
    created_at: monitor.createdAt,
    updated_at: monitor.updatedAt,
  };
}

function shownTarget({ id, source, sids, options, secrets }: StoredTarget): Monitor["targets"][number] {
  const { sealed: _, ...open } = options;
  const shown: WatchOptions = {
    ...open,
    ...(secrets?.headers.length && { headers: hidden(secrets.headers) }),
    ...(secrets?.cookies.length && { cookies: hidden(secrets.cookies) }),
    ...(secrets?.actions && { actions: secrets.actions }),
    ...(secrets?.body !== undefined && { body: secrets.body }),
  };
  return { id, source, sids, ...(Object.keys(shown).length > 0 && { options: shown }) };
}

function hidden(names: string[]): Record<string, string> {
  return Object.fromEntries(names.map(name => [name, hiddenValue]));
}

/** A check as its key sees it. */
export function shownCheck({
  _id,
  monitorId,
  keyId: _key,
  at: _at,
  goneAt: _gone,
  ...check
}: StoredCheck): MonitorCheck {
  return { id: _id, monitor_id: monitorId, ...check };
}

export const noCounts: MonitorCounts = {
  ...{ pages: 0, same: 0, new: 0, changed: 0, moved: 0, removed: 0, failed: 0 },
};

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
