import type { PollResult } from "../../../services/contracts/connectors.contract.ts";
import type { View } from "../../../services/contracts/watch.contract.ts";
import type { StoredSource } from "../../../services/tracker/sources.store.ts";
import { firstPoll, nextPoll } from "../../../services/tracker/watches/next-poll.ts";

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

test.each<[string, "web" | "rss", View, number, number]>([
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
])("the first check after the baseline comes %s", (_, kind, view, shortest, waitMs) =>
  expect(firstPoll(clock(shortest), kind, view) - now).toBe(waitMs),
);
