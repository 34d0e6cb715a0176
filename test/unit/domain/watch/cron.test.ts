import { checkWatch } from "../../../../services/domain/watch/check-watch.ts";
import { checkCron, lastCron, nextCron } from "../../../../services/domain/watch/cron.ts";

const vienna = "Europe/Vienna";

test.each([
  ["0 9 * * mon-fri", null],
  ["*/5 * * * *", null],
  ["0 0 29 2 *", null],
  ["0 9 L * *", null],
  ["0 0 30 2 *", "Such a time never comes."],
  ["60 * * * *", "It is no cron expression: Invalid value for minute: 60"],
  ["* * * *", expect.stringContaining("Write five fields")],
  ["0 0 9 * * *", expect.stringContaining("Write five fields")],
  ["0 9 ? * 1", expect.stringContaining("Write five fields")],
  ["@daily", expect.stringContaining("Write five fields")],
])("the expression %s", (cron, message) => {
  expect(checkCron({ cron, time_zone: vienna }, 60_000)).toEqual(message);
});

test.each([
  ["0,1 9 * * *", 120_000, true],
  ["*/15 * * * *", 900_000, false],
  ["*/10 * * * *", 900_000, true],
])("%s where polls are %d ms apart: too often is %s", (cron, minIntervalMs, isRefused) => {
  expect(checkCron({ cron, time_zone: vienna }, minIntervalMs) !== null).toBe(isRefused);
});

test.each([
  ["0 9 * * *", "2026-01-05T07:59:59Z", "2026-01-05T08:00:00.000Z"],
  ["0 9 * * *", "2026-01-05T08:00:00Z", "2026-01-06T08:00:00.000Z"],
  ["0 9 * * *", "2026-03-28T12:00:00Z", "2026-03-29T07:00:00.000Z"],
  // The clock leaves 02:30 out on the 29th of March, and shows it twice on the 25th of October.
  ["30 2 * * *", "2026-03-28T12:00:00Z", "2026-03-29T01:00:00.000Z"],
  ["30 2 * * *", "2026-10-24T12:00:00Z", "2026-10-25T00:30:00.000Z"],
  ["30 2 * * *", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00.000Z"],
])("%s in Vienna after %s", (cron, after, expected) => {
  const next = nextCron({ cron, time_zone: vienna }, Date.parse(after));
  expect(next && new Date(next).toISOString()).toBe(expected);
});

test.each([
  ["2026-01-05T08:00:00.000Z", "2026-01-05T08:00:00.000Z"],
  ["2026-01-05T07:59:59.999Z", "2026-01-04T08:00:00.000Z"],
  ["2026-01-05T09:00:00.000Z", "2026-01-05T08:00:00.000Z"],
])("the last nine o'clock up to %s", (at, expected) => {
  const last = lastCron({ cron: "0 9 * * *", time_zone: vienna }, Date.parse(at));
  expect(last && new Date(last).toISOString()).toBe(expected);
});

test.each([
  [{ schedule: { time_zone: vienna, cron: "0 9 * * *" } }, null],
  [{ schedule: { time_zone: vienna, cron: "0 9 * * *", from: "08:00" } }, "schedule.from"],
  [{ schedule: { time_zone: vienna, cron: "0 9 * * *", days: ["mon"] } }, "schedule.days"],
  [{ schedule: { time_zone: vienna, cron: "0 9 * * *" }, interval: "1h" }, "interval"],
  [{ schedule: { time_zone: "Vienna", cron: "0 9 * * *" } }, "schedule.time_zone"],
  [{ schedule: { time_zone: vienna, cron: "* * *" } }, "schedule.cron"],
])("the field that is wrong in %j", (options, field) => {
  expect(checkWatch("web", options, 60_000)?.field ?? null).toBe(field);
});
