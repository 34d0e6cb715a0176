import type { PollResult } from "../../../services/contracts/connectors.contract.ts";
import type { View } from "../../../services/contracts/watch.contract.ts";
import type { StoredSource } from "../../../services/tracker/sources.store.ts";
import {
  firstPoll,
  isOutsideSchedule,
  nextPoll,
  wantedAt,
} from "../../../services/tracker/watches/next-poll.ts";

const [second, minute, hour] = [1000, 60_000, 3_600_000];
// A Friday, 10:00 in Vienna.
const now = Date.parse("2026-11-27T09:00:00Z");
const clock = (minIntervalMs = minute) =>
  ({
    minIntervalMs,
    now: () => now,
    random: () => 0,
    spread: { pick: (from: number) => from },
  }) as unknown as Parameters<typeof firstPoll>[0];
const source = (view?: View) =>
  ({ _id: "s", kind: "web", ...(view && { view: JSON.stringify(view) }) }) as unknown as StoredSource;
const result = (more: object = {}) =>
  ({ ok: true, posts: [], state: {}, nextInMs: 30 * second, ...more }) as unknown as PollResult;
const healthy = { health: "ok", failures: 0 } as const;

test.each<[string, View | undefined, object, number]>([
  ["comes after half a minute, sooner than the shortest interval", undefined, { confirm: true }, 30 * second],
  ["comes so soon also where the view names an interval", { interval: "2h" }, { confirm: true }, 30 * second],
  ["is no other poll: that one waits for the interval", { interval: "2h" }, {}, 2 * hour],
  ["is no other poll: that one waits for the shortest interval", undefined, {}, minute],
  [
    "waits until its schedule permits it",
    { schedule: { time_zone: "Europe/Vienna", from: "12:00", to: "13:00" } },
    { confirm: true },
    2 * hour,
  ],
])("a poll that confirms the last one %s", (_, view, more, waitMs) =>
  expect(nextPoll(clock(), source(view), healthy, result(more)) - now).toBe(waitMs),
);

const mornings = { schedule: { time_zone: "Europe/Vienna", cron: "30 10 * * *" } };
const failing = { health: "failing", failures: 2 } as const;
const failed = (more: object = {}) =>
  ({ ok: false, reason: "", gone: false, state: {}, ...more }) as unknown as PollResult;

test.each<[string, Parameters<typeof nextPoll>[2], PollResult, number]>([
  ["at the next time", healthy, result(), 30 * minute],
  ["sooner where the poll goes on", healthy, result({ confirm: true }), 30 * second],
  ["sooner where a poll has failed", failing, failed({ retryAfterMs: minute }), 2 * minute],
  ["at the next time after many failures", { ...failing, failures: 3 }, failed(), 30 * minute],
  ["not before the site wants it", { ...failing, failures: 3 }, failed({ askedMs: hour }), 24.5 * hour],
])("a source with a cron expression is polled %s", (_, health, polled, waitMs) =>
  expect(nextPoll(clock(), source(mornings), health, polled) - now).toBe(waitMs),
);

test.each<[string, boolean, number]>([
  ["under way: it goes on", true, 50],
  ["over: the next one begins at the next time", false, 30 * minute],
])("a round through a site that is %s", (_, underWay, waitMs) =>
  expect(
    nextPoll(clock(), source(mornings), healthy, result({ confirm: true, underWay, nextInMs: 50 })) - now,
  ).toBe(waitMs),
);

test("a site begins a round when somebody asks, and at the times of its cron expression", () => {
  const lastTime = Date.parse("2026-11-26T09:30:00Z");
  expect(wantedAt(source(), now)).toBeUndefined();
  expect(wantedAt({ ...source(), askedAt: 7 }, now)).toBe(7);
  expect(wantedAt(source(mornings), now)).toBe(lastTime);
  expect(wantedAt({ ...source(mornings), askedAt: now - 1 }, now)).toBe(now - 1);
});

test("sources with one cron expression are polled within some seconds after its time", () => {
  const late = { ...clock(), random: () => 0.999 };
  expect(nextPoll(late, source(mornings), healthy, result()) - now).toBe(30 * minute + 9990);
});

test("a time of a cron expression that was missed is made up for once", () => {
  const stored = { ...source(mornings), dueAt: now - 5 * hour, polledAt: now - 29 * hour };
  expect(isOutsideSchedule(stored, now)).toBe(false);
  expect(nextPoll(clock(), stored, healthy, result()) - now).toBe(30 * minute);
  // Another view of the address takes it along only when its time has come.
  expect(isOutsideSchedule({ ...stored, dueAt: now + minute }, now)).toBe(true);
});

test("a paused source that was asked for goes on until it is done", () => {
  const paused = { ...source({ pausedBy: "k" }), polledAt: now - hour, askedAt: now - minute };
  expect(nextPoll(clock(), paused, healthy, result({ confirm: true })) - now).toBe(30 * second);
  const going = { ...paused, polledAt: now - second, asked: true as const };
  expect(isOutsideSchedule(going, now)).toBe(false);
  expect(nextPoll(clock(), going, healthy, result()) - now).toBe(30 * 24 * hour);
});

test.each<[string, "web" | "rss" | "site" | "search", View, number, number]>([
  ["of a page after half a minute, to learn what stays", "web", {}, minute, 30 * second],
  ["of a page with an interval, too", "web", { interval: "1d" }, minute, 30 * second],
  ["no later than the shortest interval", "web", {}, second, second],
  [
    "of a part that is pointed at after its interval",
    "web",
    { interval: "1h", select: [".price"] },
    minute,
    hour,
  ],
  ["of a feed after the shortest interval", "rss", {}, minute, minute],
  ["of a page with a cron expression at its time", "web", mornings, minute, 30 * minute],
  ["of a search after an hour", "search", {}, minute, hour],
  ["of a search after its interval", "search", { interval: "15m" }, minute, 15 * minute],
  ["of a site at once, whatever its times", "site", mornings, minute, 0],
])("the first check after the baseline comes %s", (_, kind, view, shortest, waitMs) =>
  expect(firstPoll(clock(shortest), kind, view) - now).toBe(waitMs),
);
