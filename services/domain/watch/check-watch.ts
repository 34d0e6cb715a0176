import { RequestBudget } from "../../../reader/text/request-budget.ts";
import type { DetailCode, FieldError } from "../errors/detail-codes.ts";
import { checkSearchView, checkSiteView } from "./check-kinds.ts";
import { checkReading, type Reading } from "./check-reading.ts";
import { checkItemView, checkView } from "./check-view.ts";
import { checkCron } from "./cron.ts";
import { intervalMs, isTimeZone, maxWatchIntervalMs, minutesOf, type Schedule } from "./schedule.ts";
import type { FieldsWanted, View, When } from "./view.ts";

/** The options of a watch, as far as the shape alone does not make them valid. Null removes an option. */
interface Options extends Reading {
  tags?: unknown;
  interval?: string | null;
  schedule?: Schedule | null;
  select?: readonly string[] | null;
  content?: "page" | "main" | "full" | null;
  remove?: readonly string[] | null;
  ignore?: readonly string[] | null;
  when?: When | null;
  unique_lines?: boolean | null;
  json?: FieldsWanted | null;
  items?: string | true | null;
  include?: readonly string[] | null;
  exclude?: readonly string[] | null;
  domains?: readonly string[] | null;
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
    checkSchedule(options, minIntervalMs) ??
    checkReading(options) ??
    checkKind(kind, options, budget)
  );
}

/** What is looked at differs by the kind of source. */
function checkKind(kind: string, options: Options, budget = new RequestBudget()): FieldError | null {
  const view = viewOf(options);
  if (kind === "site") return checkSiteView(view, options, budget);
  if (kind === "search") return checkSearchView(view, options, budget);
  if (kind === "web" && options.items && options.screenshot)
    return wrong("screenshot", "contradiction", "Entries of a list have no pictures of the page.");
  const { content: _, ...ofItems } = view;
  return kind === "rss" ? checkItemView(ofItems, "", budget) : checkView(view, "", budget);
}

function viewOf(options: Options): View {
  const { select, remove, content, ignore, when, unique_lines, json, extract, items } = options;
  const parts = Object.entries({
    ...{ select, remove, content, ignore, when, unique_lines, json, extract, items },
  });
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

function checkSchedule({ schedule, interval }: Options, minIntervalMs: number): FieldError | null {
  if (!schedule) return null;
  const { time_zone, cron } = schedule;
  if (!isTimeZone(time_zone))
    return wrong("schedule.time_zone", "unknown_time_zone", `There is no time zone \`${time_zone}\`.`);
  if (cron === undefined) return checkWindow(schedule);
  const other = (["days", "from", "to"] as const).find(name => schedule[name] !== undefined);
  if (other !== undefined)
    return wrong(
      `schedule.${other}`,
      "contradiction",
      "`cron` names the times: leave out days, from and to.",
    );
  if (interval) return wrong("interval", "contradiction", "`schedule.cron` names the times: leave it out.");
  const message = checkCron({ cron, time_zone }, minIntervalMs);
  return message === null ? null : wrong("schedule.cron", "cron", message);
}

function checkWindow({ from = "00:00", to = "24:00" }: Schedule): FieldError | null {
  const length = (minutesOf(to) - minutesOf(from) + 1440) % 1440 || (from === to ? 0 : 1440);
  if (length >= shortestWindow) return null;
  return wrong("schedule.to", "too_short", `From \`from\` to \`to\` are at least ${shortestWindow} minutes.`);
}

function wrong(field: string, code: DetailCode, message: string): FieldError {
  return { field, code, message };
}
