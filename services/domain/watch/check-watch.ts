import type { FieldError } from "../../../reader/recipe/recipe.ts";
import type { RequestBudget } from "../../../reader/text/request-budget.ts";
import { checkPageOptions } from "../page-options/page-options.ts";
import { checkItemView, checkView } from "./check-view.ts";
import { intervalMs, isTimeZone, maxWatchIntervalMs, minutesOf, type Schedule } from "./schedule.ts";
import type { FieldsWanted, View, When } from "./view.ts";

/** The options of a watch, as far as the shape alone does not make them valid. Null removes an option. */
interface Options {
  tags?: unknown;
  interval?: string | null;
  schedule?: Schedule | null;
  select?: readonly string[] | null;
  content?: "page" | "main" | null;
  remove?: readonly string[] | null;
  ignore?: readonly string[] | null;
  when?: When | null;
  unique_lines?: boolean | null;
  headers?: Record<string, string> | null;
  cookies?: Record<string, string> | null;
  json?: FieldsWanted | null;
}

/** Options of sources without a page: for feeds those that concern items, for all others none but tags. */
const applicable: Record<string, ReadonlySet<string>> = {
  rss: new Set([
    "tags",
    "keep",
    "interval",
    "schedule",
    "paused",
    "ignore",
    "when",
    "headers",
    "cookies",
    "sealed",
    "pausedBy",
  ]),
};
const onlyTags: ReadonlySet<string> = new Set(["tags"]);

/** The first option that sources of this kind do not have; null when there is none. */
export function checkApplicable(kind: string, options: object): FieldError | null {
  if (kind === "web") return null;
  const known = applicable[kind] ?? onlyTags;
  const other = Object.entries(options).find(([name, value]) => value !== null && !known.has(name))?.[0];
  const subject = kind === "rss" ? "A feed has" : "Such a source has";
  return other === undefined
    ? null
    : wrong(other, "not_applicable", `${subject} no option \`${other}\`; it is for ${purpose(other)}.`);
}

function purpose(option: string): string {
  return applicable.rss?.has(option) ? "pages and feeds" : "pages";
}

/** The first error in the options of a watch of this kind; null when there is none. Its field is below the options. */
export function checkWatch(
  kind: string,
  options: Options,
  minIntervalMs: number,
  budget?: RequestBudget,
): FieldError | null {
  return (
    checkInterval(options.interval ?? undefined, minIntervalMs) ??
    checkSchedule(options.schedule ?? undefined) ??
    checkSecrets(options) ??
    (kind === "rss" ? checkItemView : checkView)(viewOf(options), "", budget)
  );
}

function viewOf(options: Options): View {
  const { select, remove, content, ignore, when, unique_lines, json } = options;
  const parts = Object.entries({ select, remove, content, ignore, when, unique_lines, json });
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined && value !== null));
}

function checkInterval(interval: string | undefined, minIntervalMs: number): FieldError | null {
  if (interval === undefined) return null;
  const ms = intervalMs(interval);
  if (ms < minIntervalMs) {
    const message = `This installation polls every ${minIntervalMs / 1000} s at most (POLL_MIN_INTERVAL).`;
    return wrong("interval", "too_short", message);
  }
  return ms > maxWatchIntervalMs ? wrong("interval", "too_long", "An interval is 30d at most.") : null;
}

/** Minutes; a poll that is a little late must still be within the window. */
const shortestWindow = 15;

function checkSchedule(schedule: Schedule | undefined): FieldError | null {
  if (!schedule) return null;
  const { time_zone, from = "00:00", to = "24:00" } = schedule;
  if (!isTimeZone(time_zone))
    return wrong("schedule.time_zone", "unknown_time_zone", `There is no time zone \`${time_zone}\`.`);
  const length = (minutesOf(to) - minutesOf(from) + 1440) % 1440 || (from === to ? 0 : 1440);
  if (length >= shortestWindow) return null;
  return wrong("schedule.to", "too_short", `From \`from\` to \`to\` are at least ${shortestWindow} minutes.`);
}

/** Secrets follow the rules of scrapes. */
function checkSecrets({ headers, cookies }: Options): FieldError | null {
  const request = { headers: sent(headers), cookies: sent(cookies) };
  const error = checkPageOptions(
    { output: { formats: [] }, request, js_render: { enabled: true } },
    [],
    60_000,
  );
  return error && { ...error, field: error.field.replace(/^request\./, "") };
}

/** Leaves out the values that an answer has hidden: they mean the former ones. */
function sent(values: Record<string, string> | null | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== "•••"));
}

function wrong(field: string, code: string, message: string): FieldError {
  return { field, code, message };
}
