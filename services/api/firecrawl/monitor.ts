import type { WebhookState } from "../../contracts/endpoint-options.ts";
import { invalid } from "../../contracts/errors.ts";
import {
  changeMonitor,
  createMonitor,
  listMonitors,
  type Monitor,
  type MonitorCheck,
  mostMonitors,
  readMonitor,
  removeMonitor,
  runMonitor,
} from "../../contracts/monitors.contract.ts";
import type { Rule } from "../../contracts/schema.ts";
import { checkNames, summaryOf } from "../../domain/firecrawl/monitor-forms.ts";
import { present } from "../../domain/json/fields.ts";
import { nextCron } from "../../domain/watch/cron.ts";
import { type Asked, answerWith, ask } from "./ask.ts";
import type { FieldNames } from "./failure.ts";
import {
  addPlanned,
  type DeliverySent,
  deliveryOf,
  endpointsOfMonitors,
  finishPlanned,
  planDelivery,
  typesOf,
} from "./monitor-delivery.ts";
import { monitorOptions } from "./monitor-options.ts";
import { targetNames, targetSent, targetsOf } from "./monitor-targets.ts";
import { fieldsOf, refuseOthers, rulesOf } from "./options.ts";

type Json = Record<string, unknown>;

/** The body of a monitor; of a change what is not there stays. */
interface MonitorSent extends DeliverySent {
  name?: string;
  schedule?: { cron?: string; text?: string; timezone?: string };
  targets?: Json[];
  status?: "active" | "paused";
  goal?: string | null;
  judgeEnabled?: boolean;
  retentionDays?: number;
}

const rules = rulesOf(monitorOptions, "v2");
const names: FieldNames = [["schedule.time_zone", "schedule.timezone"], ...fieldsOf(monitorOptions)];

/** A null takes away what a monitor may lack. For the rest it is refused, not taken for a field that was left out. */
const changeRules = Object.fromEntries(
  Object.entries(rules).map(([name, rule]) => {
    const isRefused = rule.type !== "any" && !("nullable" in rule);
    return [name, isRefused ? ({ ...rule, nullable: false } as Rule) : rule];
  }),
);

function refuseNulls(body: Json): void {
  for (const [name, value] of Object.entries(body))
    if (value === null && Object(changeRules[name]).nullable === false)
      throw invalid(name, "required", `\`${name}\` cannot be null. Leave it out, and it stays.`);
}

/** Answers `POST /monitor`. */
export const createMonitorAnswer = answerWith<MonitorSent & Json>(rules, async (asked, body) => {
  refuseOthers(monitorOptions, body, "v2");
  const { name, schedule, targets } = body;
  for (const [field, value] of Object.entries({ name, schedule, targets }))
    if (value === undefined || value === null) throw invalid(field, "required", `\`${field}\` is required.`);
  const wanted = { ...changesOf(body), schedule: scheduleOf(schedule), ...pageEventsOf(body) };
  const plan = await planDelivery(asked, [], body);
  const { data: monitor } = await ask(asked, createMonitor, wanted, {
    names: [...targetNames(targets), ...names],
  });
  try {
    const { secret } = await addPlanned(asked, monitor, plan);
    return { success: true, data: await monitorSent(asked, monitor, secret) };
  } catch (error) {
    // Nothing stays of a monitor that cannot be had as asked.
    await ask(asked, removeMonitor, { id: monitor.id });
    throw error;
  }
});

/** Answers `PATCH /monitor/{id}`. */
export const changeMonitorAnswer = answerWith<MonitorSent & Json & { id: string }>(
  { id: { type: "string", min: 1, max: 64 }, ...changeRules },
  async (asked, { id, ...body }) => {
    refuseOthers(monitorOptions, body, "v2");
    refuseNulls(body);
    const { data: before } = await ask(asked, readMonitor, { id });
    const schedule = body.schedule && scheduleOf({ ...rest(body.schedule, before), ...body.schedule });
    const wanted = { id, ...changesOf(body), ...present({ schedule }), ...pageEventsOf(body) };
    const known = (await endpointsOfMonitors(asked)).get(id) ?? [];
    const plan = await planDelivery(asked, known, body);
    const { secret, undo } = await addPlanned(asked, before, plan);
    const { data } = await ask(asked, changeMonitor, wanted, {
      names: [...targetNames(body.targets), ...names],
    }).catch(async error => {
      // All of a change or nothing.
      await undo();
      throw error;
    });
    await finishPlanned(asked, plan);
    return { success: true, data: await monitorSent(asked, data, secret) };
  },
);

/** A zone alone changes the zone. */
function rest({ cron, text }: NonNullable<MonitorSent["schedule"]>, { schedule }: Monitor) {
  const times = cron === undefined && text === undefined;
  if (!times) return { timezone: schedule.time_zone };
  return schedule.text === null ? { cron: schedule.cron } : { text: schedule.text };
}

function scheduleOf({ cron, text, timezone }: NonNullable<MonitorSent["schedule"]> = {}) {
  return present({ cron, text, time_zone: timezone });
}

function changesOf({ name, targets, status, goal, judgeEnabled, retentionDays }: MonitorSent) {
  return present({
    name,
    targets: targets && targetsOf(targets),
    paused: status === undefined ? undefined : status === "paused",
    goal,
    judge: judgeEnabled,
    retention_days: retentionDays,
  });
}

/** Pages are events of their own where a webhook wants them: others have the events of what changed. */
function pageEventsOf({ webhook }: MonitorSent): { page_events?: boolean } {
  if (webhook === undefined) return {};
  return { page_events: webhook !== null && typesOf(webhook).includes("monitor.page") };
}

/** How many entries a list of theirs answers, and after how many it begins. */
export const place = {
  type: "number",
  integer: true,
  min: 0,
  max: 1_000_000,
  optional: true,
  convert: true,
} as const;
export const few = { ...place, min: 1, max: 100 };
export const usual = 25;

/** Answers `GET /monitor`. */
export const listMonitorsAnswer = answerWith<{ limit?: number; offset?: number }>(
  { limit: few, offset: place },
  async (asked, { limit = usual, offset = 0 }) => {
    const { data } = await ask(asked, listMonitors, { limit: Math.min(limit, mostMonitors), offset });
    const endpoints = await endpointsOfMonitors(asked);
    return { success: true, data: data.map(each => shownTo(each, endpoints.get(each.id) ?? [])) };
  },
);

const id = { type: "string", min: 1, max: 64 } as const;

/** Answers `GET /monitor/{id}`. */
export const readMonitorAnswer = answerWith<{ id: string }>({ id }, async (asked, { id }) => {
  const { data } = await ask(asked, readMonitor, { id });
  return { success: true, data: await monitorSent(asked, data) };
});

/** Answers `DELETE /monitor/{id}`. */
export const removeMonitorAnswer = answerWith<{ id: string }>({ id }, async (asked, { id }) => {
  await ask(asked, removeMonitor, { id });
  return { success: true };
});

/** Answers `POST /monitor/{id}/run`. */
export const runMonitorAnswer = answerWith<{ id: string }>({ id }, async (asked, { id }) => {
  const { data } = await ask(asked, runMonitor, { id });
  return { success: true, id: data.id, data: checkSent(data) };
});

async function monitorSent(asked: Asked, monitor: Monitor, secret?: string) {
  const endpoints = (await endpointsOfMonitors(asked)).get(monitor.id) ?? [];
  return shownTo(monitor, endpoints, secret);
}

/** A monitor as their clients read it. */
function shownTo(monitor: Monitor, endpoints: WebhookState[], secret?: string) {
  const { id, name, paused, schedule, targets, goal, judge, last_check } = monitor;
  return {
    ...{ id, name, status: paused ? "paused" : "active" },
    schedule: { cron: schedule.cron, timezone: schedule.time_zone },
    nextRunAt: monitor.next_check_at,
    lastRunAt: last_check?.started_at ?? null,
    currentCheckId: monitor.current_check,
    targets: targets.map(targetSent),
    ...deliveryOf(endpoints, secret),
    retentionDays: monitor.retention_days,
    estimatedCreditsPerMonth: creditsOf(monitor, Date.now()),
    lastCheckSummary: last_check && summaryOf(last_check.counts),
    goal,
    judgeEnabled: judge,
    createdAt: monitor.created_at,
    updatedAt: monitor.updated_at,
  };
}

const monthMs = 30 * 86_400_000;
const usualPages = 1000;

/** A credit for each page of each check in a month, at most. Nothing is billed. */
export function creditsOf({ schedule, targets }: Pick<Monitor, "schedule" | "targets">, now: number): number {
  const first = nextCron(schedule, now);
  const second = first === null ? null : nextCron(schedule, first);
  if (first === null || second === null) return 0;
  const pages = targets.reduce(
    (total, { source, sids, options }) =>
      total + (source === "site" ? (options?.limit ?? usualPages) : 1) * sids.length,
    0,
  );
  return pages * Math.ceil(monthMs / (second - first));
}

/** A check as their clients read it. */
export function checkSent(check: MonitorCheck) {
  const { id, monitor_id, status, trigger, scheduled_for, started_at, ended_at, counts, error } = check;
  return {
    ...{ id, monitorId: monitor_id, status: checkNames[status], trigger },
    scheduledFor: scheduled_for,
    startedAt: started_at,
    finishedAt: ended_at,
    ...{ estimatedCredits: counts.pages, reservedCredits: null, actualCredits: counts.pages },
    billingStatus: "not_applicable",
    summary: summaryOf(counts),
    ...{ targetResults: [], notificationStatus: null, error },
    createdAt: started_at,
    updatedAt: ended_at ?? started_at,
  };
}
