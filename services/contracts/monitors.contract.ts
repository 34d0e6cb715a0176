/** Monitors: sources of a key that are checked together, by a schedule of their own. The tracker keeps them. */
import { action, type ParamsOf, type ResultOf, repeatable } from "./action.ts";
import { nullableTime, pageOfKey, pageWith } from "./paging.ts";
import {
  count,
  cursorOf,
  type Infer,
  list,
  named,
  nullableText,
  object,
  orNull,
  rule,
  text,
  time,
  withMessage,
} from "./schema.ts";
import { judged } from "./site-events.ts";
import { watchedSource, watchOptions } from "./watch.contract.ts";

/** The kinds of source that a monitor may have. */
export const monitoredKinds = ["web", "site", "search"] as const;
export type MonitoredKind = (typeof monitoredKinds)[number];

/** The tag of the sources of a monitor, by which endpoints, streams and feeds choose its events. */
export function monitorTag(id: string): string {
  return `monitor:${id}`;
}

/** Monitors of a key, and sources of a monitor, at most. */
export const mostMonitors = 100;
export const mostSources = 1000;

const name = {
  type: "string",
  trim: true,
  min: 1,
  max: 256,
  description: "A label of your own.",
} as const;

const zone = {
  type: "string",
  min: 1,
  max: 64,
  description: "IANA name, for example `Europe/Vienna`.",
} as const;

const schedule = rule({
  type: "object",
  name: "MonitorScheduleRequest",
  strict: true,
  props: {
    cron: {
      type: "string",
      trim: true,
      min: 1,
      max: 200,
      optional: true,
      description: "Five fields: minute, hour, day of the month, month, day of the week.",
    },
    text: {
      type: "string",
      trim: true,
      min: 1,
      max: 200,
      optional: true,
      description:
        "In words, in place of `cron`: `every 30 minutes`, `hourly`, `every 2 hours`, `daily at 9:00`, `every monday at 5:30 pm`. " +
        "What the words leave open is spread, so that not all monitors are checked at the same moment.",
    },
    time_zone: { ...zone, optional: true, description: "IANA name; by default `UTC`." },
  },
});

const targets = rule({
  type: "array",
  min: 1,
  max: 50,
  items: named("MonitorTargetRequest", {
    id: {
      type: "string",
      pattern: /^[\w.-]{1,64}$/,
      messages: { stringPattern: "must be 1 to 64 letters, digits, dots, hyphens and underscores" },
      optional: true,
      description: "A name for it, which pages of checks show; by default one is made.",
    },
    source: { type: "enum", values: monitoredKinds, description: "Pages, sites or searches." },
    sids: {
      type: "array",
      min: 1,
      max: mostSources,
      unique: true,
      items: { type: "string", trim: true, min: 1, max: 2048 },
      description: "Addresses of pages or sites, or words of searches. Each becomes a source.",
    },
    options: {
      ...watchOptions,
      optional: true,
      description:
        "As for `POST /track/{source}`, without `tags`, `keep`, `interval`, `schedule`, `paused`, `goal` and `judge`: the monitor has these.",
    },
  }),
});

const fields = {
  name,
  schedule: { ...schedule, description: "When it is checked: `cron` or `text`." },
  targets: { ...targets, description: "What is checked; 1,000 sources in all, at most." },
  goal: { ...watchOptions.props.goal, description: "As `goal` of a watch, for all its sources." },
  judge: { ...watchOptions.props.judge, description: "As `judge` of a watch, for all its sources." },
  retention_days: {
    type: "number",
    integer: true,
    min: 1,
    max: 365,
    description: "How long its checks and what its sources said are kept; by default 30.",
  },
  page_events: {
    type: "boolean",
    description:
      "An event `monitor.page` for each page of a check, also where it is the same; by default false. Changes are events of their own in any case.",
  },
  paused: { type: "boolean", description: "It is checked only when that is asked for." },
} as const;

const maybe = { optional: true } as const;

const counts = named("MonitorCounts", {
  pages: { ...count, description: "Of all states." },
  same: count,
  new: count,
  changed: count,
  moved: count,
  removed: count,
  failed: { ...count, description: "Pages that could not be read." },
});
export type MonitorCounts = Infer<typeof counts>;

export const checkStates = ["running", "completed", "partial", "failed", "skipped"] as const;

export const monitorCheck = named("MonitorCheck", {
  id: text,
  monitor_id: text,
  status: {
    type: "enum",
    values: checkStates,
    description:
      "`partial`: some pages could not be read; `failed`: none; `skipped`: the one before was still under way.",
  },
  trigger: { type: "enum", values: ["scheduled", "manual"] },
  scheduled_for: { ...nullableTime, description: "Of a scheduled one." },
  started_at: time,
  ended_at: { ...nullableTime, description: "Null while it is under way." },
  counts,
  error: { ...nullableText, description: "Why it was skipped, or what failed, in words." },
});
export type MonitorCheck = Infer<typeof monitorCheck>;

export const pageStates = ["same", "new", "changed", "moved", "removed", "failed"] as const;
export type PageState = (typeof pageStates)[number];

/** What a check found of one page, or of one result of a search. */
export const monitorPage = named("MonitorPage", {
  id: text,
  target: { ...text, description: "`id` of the target." },
  source_id: {
    ...nullableText,
    description: "The source that it belongs to; null where it could not be tracked.",
  },
  url: text,
  title: nullableText,
  status: {
    type: "enum",
    values: pageStates,
    description: "`new` also on the first check of a page: there is nothing to compare it with.",
  },
  http_status: { type: "number", integer: true, nullable: true },
  error: { ...nullableText, description: "Why it could not be read." },
  moved_from: { ...nullableText, description: "Of `moved`: its former address." },
  version: { ...nullableText, description: "The version that was kept of it." },
  previous_version: { ...nullableText, description: "The one with which it was compared." },
  change: {
    type: "object",
    nullable: true,
    description: "As in the event: `added`, `removed`, `diff` and others.",
  },
  ...judged,
  at: time,
});
export type MonitorPage = Infer<typeof monitorPage>;

const target = named("MonitorTarget", {
  id: text,
  source: targets.items.props.source,
  sids: list(text),
  options: watchedSource.props.options,
});

/** A monitor as events name it. */
export const monitorName = named("MonitorName", { id: text, name: text });

/** A monitor as its key sees it. */
export const monitor = named("Monitor", {
  id: text,
  name: text,
  tag: {
    ...text,
    description: "The tag of its sources: `tags` of an endpoint or a stream chooses its events.",
  },
  paused: { type: "boolean" },
  schedule: named("MonitorSchedule", {
    cron: { ...text, description: "What the words mean, where it was said in words." },
    text: nullableText,
    time_zone: text,
  }),
  targets: list(target),
  sources: { ...count, description: "Sources of all targets." },
  goal: nullableText,
  judge: { type: "boolean", description: "Whether changes are judged by the goal." },
  retention_days: { type: "number", integer: true },
  page_events: { type: "boolean" },
  next_check_at: { ...nullableTime, description: "Null while it is paused." },
  current_check: { ...nullableText, description: "`id` of the check under way." },
  last_check: { ...orNull(monitorCheck), description: "The latest one that has ended." },
  created_at: time,
  updated_at: time,
});
export type Monitor = Infer<typeof monitor>;

const id = rule({ type: "string", min: 1, max: 64, description: "`id` of a monitor of the key." });
const answer = withMessage(monitor);

/** Makes a monitor; its sources are tracked by its first check. 403 `key_limit_reached` when the key has 100. */
export const createMonitor = action("tracker.createMonitor", {
  params: {
    name: fields.name,
    schedule: fields.schedule,
    targets: fields.targets,
    goal: { ...fields.goal, ...maybe },
    judge: { ...fields.judge, ...maybe },
    retention_days: { ...fields.retention_days, ...maybe },
    page_events: { ...fields.page_events, ...maybe },
    paused: { ...fields.paused, ...maybe },
  },
  result: answer,
});
export type NewMonitor = ParamsOf<typeof createMonitor>;

const offset = rule({
  type: "number",
  integer: true,
  min: 0,
  max: 1_000_000,
  optional: true,
  convert: true,
  description: "Entries to leave out first, in place of `cursor`.",
});

export const listMonitors = repeatable("tracker.listMonitors", {
  params: { ...pageOfKey, cursor: cursorOf(/^mon_[0-9A-HJKMNP-TV-Z]{26}$/), offset },
  result: pageWith(monitor),
});

export const readMonitor = repeatable("tracker.readMonitor", { params: { id }, result: answer });

/** A null is refused, not taken for a field that was left out. */
const stays = { optional: true, nullable: false } as const;

/** Changes a monitor: what is not named stays. */
export const changeMonitor = action("tracker.changeMonitor", {
  params: {
    id,
    name: { ...fields.name, ...stays },
    schedule: { ...fields.schedule, ...stays },
    targets: { ...fields.targets, ...stays },
    goal: { ...fields.goal, ...maybe, nullable: true },
    judge: { ...fields.judge, ...stays },
    retention_days: { ...fields.retention_days, ...stays },
    page_events: { ...fields.page_events, ...stays },
    paused: { ...fields.paused, ...stays },
  },
  result: answer,
});
export type MonitorChanges = ParamsOf<typeof changeMonitor>;

/** Deletes a monitor with its checks, its sources, and its endpoints. */
export const removeMonitor = action("tracker.removeMonitor", {
  params: { id },
  result: object({ message: text }),
});

/** Begins a check; 409 while one is under way. */
export const runMonitor = action("tracker.runMonitor", { params: { id }, result: withMessage(monitorCheck) });

export const listMonitorChecks = repeatable("tracker.listMonitorChecks", {
  params: {
    id,
    ...pageOfKey,
    cursor: cursorOf(/^chk_[0-9A-HJKMNP-TV-Z]{26}$/),
    offset,
    status: {
      type: "enum",
      values: checkStates,
      optional: true,
      description: "Only checks with this state.",
    },
  },
  result: pageWith(monitorCheck),
});

/** A check, and a page of its pages. */
export const readMonitorCheck = repeatable("tracker.readMonitorCheck", {
  params: {
    id,
    check: { type: "string", min: 1, max: 64, description: "`id` of a check of the monitor." },
    ...pageOfKey,
    cursor: { ...pageOfKey.cursor, description: "`next_cursor` of the page before." },
    offset,
    status: { type: "enum", values: pageStates, optional: true, description: "Only pages with this state." },
  },
  result: withMessage(
    named("MonitorCheckDetail", {
      ...monitorCheck.props,
      pages: list(monitorPage),
      next_cursor: { ...nullableText, description: "Null at the end." },
    }),
  ),
});
export type MonitorCheckDetail = ResultOf<typeof readMonitorCheck>["data"];
