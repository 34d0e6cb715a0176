import { intervalMs, isOpen, isTimeZone, nextOpening } from "../../../../services/domain/watch/schedule.ts";

const vienna = { time_zone: "Europe/Vienna" };
const office = { ...vienna, days: ["mon", "tue", "wed", "thu", "fri"], from: "08:00", to: "18:00" };
const night = { ...vienna, days: ["fri"], from: "22:00", to: "06:00" };
/** In New York the clock goes from 02:00 to 03:00 on 2026-03-08, and from 02:00 to 01:00 on 2026-11-01. */
const early = { time_zone: "America/New_York", from: "02:15", to: "04:00" };

test.each([
  ["15m", 900_000],
  ["2h", 7_200_000],
  ["30d", 2_592_000_000],
])("%s", (interval, ms) => {
  expect(intervalMs(interval)).toBe(ms);
});

test.each([
  ["Europe/Vienna", true],
  ["UTC", true],
  ["+01:00", false],
  ["Europe/Nowhere", false],
])("the time zone %s: %s", (name, isKnown) => {
  expect(isTimeZone(name)).toBe(isKnown);
});

test.each([
  ["a Monday morning", office, "2026-01-05T07:00:00Z", true],
  ["the minute before", office, "2026-01-05T06:59:59Z", false],
  ["the end", office, "2026-01-05T17:00:00Z", false],
  ["a Sunday", office, "2026-01-04T12:00:00Z", false],
  ["summer, an hour earlier by UTC", office, "2026-07-06T06:00:00Z", true],
  ["Friday at night", night, "2026-01-09T22:00:00Z", true],
  ["the morning after belongs to Friday", night, "2026-01-10T04:59:00Z", true],
  ["its end", night, "2026-01-10T05:00:00Z", false],
  ["Friday morning belongs to Thursday", night, "2026-01-09T04:00:00Z", false],
  ["the whole day", { ...vienna, days: ["sat"] }, "2026-01-10T22:59:00Z", true],
  ["the day after", { ...vienna, days: ["sat"] }, "2026-01-10T23:00:00Z", false],
])("open: %s", (_name, schedule, at, expected) => {
  expect(isOpen(schedule, Date.parse(at))).toBe(expected);
});

test.each([
  ["itself within the window", office, "2026-01-05T09:30:15Z", "2026-01-05T09:30:15.000Z"],
  ["the same morning", office, "2026-01-05T03:12:00Z", "2026-01-05T07:00:00.000Z"],
  ["after the weekend", office, "2026-01-09T17:00:00Z", "2026-01-12T07:00:00.000Z"],
  ["over the change to summer", office, "2026-03-27T17:30:00Z", "2026-03-30T06:00:00.000Z"],
  ["over the change to winter", office, "2026-10-23T16:30:00Z", "2026-10-26T07:00:00.000Z"],
  ["at night", night, "2026-01-05T12:00:00Z", "2026-01-09T21:00:00.000Z"],
  ["a time that the clock leaves out", early, "2026-03-08T05:00:00Z", "2026-03-08T07:00:00.000Z"],
  ["the day after it", early, "2026-03-08T08:00:00Z", "2026-03-09T06:15:00.000Z"],
  ["a day on which an hour comes twice", early, "2026-11-01T05:30:00Z", "2026-11-01T07:15:00.000Z"],
])("next opening: %s", (_name, schedule, from, expected) => {
  expect(new Date(nextOpening(schedule, Date.parse(from))).toISOString()).toBe(expected);
});

test("a window that begins at any minute is found at that minute", () => {
  for (let minute = 0; minute < 60; minute += 7) {
    const from = `09:${String(minute).padStart(2, "0")}`;
    const to = `10:${String(minute).padStart(2, "0")}`;
    const opening = nextOpening(
      { time_zone: "Asia/Kathmandu", from, to },
      Date.parse("2026-05-05T07:07:31Z"),
    );
    const local = new Date(opening + 345 * 60_000).toISOString();
    expect(local.slice(11, 19)).toBe(`${from}:00`);
  }
});
