/** When a source may be polled: a daily window in local time, or the times of `cron` in place of a window. */
export interface Schedule {
  time_zone: string;
  /** An expression of five fields (`checkCron`). */
  cron?: string;
  days?: readonly string[];
  /** "08:00"; by default midnight. */
  from?: string;
  /** By default the next midnight. A time that is not after `from` is on the next day. */
  to?: string;
}

const minuteMs = 60_000;
const unitsMs: Record<string, number> = { m: minuteMs, h: 60 * minuteMs, d: 1440 * minuteMs };

export const maxWatchIntervalMs = 30 * 1440 * minuteMs;

/** Milliseconds of `15m`, `2h` or `1d`. */
export function intervalMs(interval: string): number {
  return Number(interval.slice(0, -1)) * (unitsMs[interval.slice(-1)] ?? Number.NaN);
}

/** The minutes of a time of day. */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return 60 * hours + minutes;
}

/** Whether the name is one of the time zone database. Offsets such as +01:00 know no summer time. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    formatFor(name);
    return true;
  } catch {
    // A RangeError: Intl knows no such zone.
    return false;
  }
}

/** Whether an instant, in milliseconds, is within the window. */
export function isOpen(schedule: Schedule, at: number): boolean {
  const { days, from = "00:00", to = "24:00" } = schedule;
  const { day, minutes } = localTime(schedule.time_zone, at);
  const isOn = (index: number) => days === undefined || days.includes(weekdays[(index + 7) % 7] ?? "");
  const [begin, end] = [minutesOf(from), minutesOf(to)];
  if (begin < end) return isOn(day) && minutes >= begin && minutes < end;
  return (isOn(day) && minutes >= begin) || (isOn(day - 1) && minutes < end);
}

/** No window is shorter, so a search in such steps finds each of them. */
const stepMs = 15 * minuteMs;
/** A window comes once a week at least, except where a change of the clock leaves it out. */
const longestSearchMs = 15 * 1440 * minuteMs;

/**
 * The first instant from `at` on that is within the window: `at` itself if it is. Right over changes of the clock, because
 * each instant is judged by its local time. `at` when there is no window.
 */
export function nextOpening(schedule: Schedule, at: number): number {
  if (isOpen(schedule, at)) return at;
  for (let late = at; late <= at + longestSearchMs; late += stepMs)
    if (isOpen(schedule, late)) return firstOpen(schedule, late);
  return at;
}

/** The beginning of the minute in which the window of an instant opens, at most one step earlier. */
function firstOpen(schedule: Schedule, late: number): number {
  let first = Math.floor(late / minuteMs) * minuteMs;
  while (first > late - stepMs && isOpen(schedule, first - minuteMs)) first -= minuteMs;
  return first;
}

const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

function localTime(timeZone: string, at: number): { day: number; minutes: number } {
  const parts = new Map(
    formatFor(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return {
    day: weekdays.indexOf((parts.get("weekday") ?? "").toLowerCase()),
    minutes: 60 * Number(parts.get("hour")) + Number(parts.get("minute")),
  };
}

/** Making a format takes a hundred times as long as using it. There are some 600 zones with their aliases. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const options = {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  } as const;
  const made = new Intl.DateTimeFormat("en-US", options);
  formats.set(timeZone, made);
  return made;
}
