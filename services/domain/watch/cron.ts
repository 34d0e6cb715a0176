import { Cron } from "croner";

/** Times by an expression of five fields, in local time. Both a day of the month and a day of the week: either of them. */
export interface CronTimes {
  cron: string;
  time_zone: string;
}

/** The shape that times are computed for; `?` would mean the moment at which it is read. */
const shape = /^[^\s?]+(?: +[^\s?]+){4}$/;
/** Any instant will do: an expression without a year comes again in the same way. */
const someTime = Date.UTC(2026, 0, 1);
/** Times that are looked at for the shortest interval between two. */
const sampled = 12;

/** Why an expression cannot be used; null for one that can. Its times are at least `minIntervalMs` apart. */
export function checkCron(times: CronTimes, minIntervalMs: number): string | null {
  if (!shape.test(times.cron))
    return "Write five fields: minute, hour, day of the month, month, day of the week, such as `0 9 * * mon-fri`.";
  try {
    const some = parsed(times)
      .nextRuns(sampled, new Date(someTime))
      .map(time => time.getTime());
    if (some.length === 0) return "Such a time never comes.";
    const shortestMs = Math.min(...some.slice(1).map((time, index) => time - (some[index] ?? 0)));
    return shortestMs < minIntervalMs
      ? `This installation polls every ${minIntervalMs / 1000} s at most (POLL_MIN_INTERVAL).`
      : null;
  } catch (error) {
    return `It is no cron expression: ${(error as Error).message.replace(/^CronPattern: /, "")}`;
  }
}

/** The first of the times after an instant, in milliseconds; null where none comes any more. */
export function nextCron(times: CronTimes, after: number): number | null {
  return parsed(times).nextRun(new Date(after))?.getTime() ?? null;
}

/** The last of the times up to an instant, in milliseconds; null where there was none. */
export function lastCron(times: CronTimes, at: number): number | null {
  return (
    parsed(times)
      .previousRuns(1, new Date(at + 1))[0]
      ?.getTime() ?? null
  );
}

function parsed({ cron, time_zone: timezone }: CronTimes): Cron {
  return new Cron(cron, { timezone, mode: "5-part", paused: true });
}
