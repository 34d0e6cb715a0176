import { maxIntervalMs, nextPollInMs } from "../../../../services/domain/polling/next-poll.ts";

const minute = 60_000;
const hour = 60 * minute;
const good = (wantedMs: number) => ({ failures: 0, gone: false, wantedMs });
const bad = (failures: number, wantedMs = 0) => ({ failures, gone: false, wantedMs });

test.each([
  ["as the source wants", good(5 * minute), 0, 5 * minute],
  ["up to a tenth later", good(5 * minute), 1, 5.5 * minute],
  ["never below the shortest interval", good(1000), 0, minute],
  ["never above a day", good(90 * hour), 0.9, maxIntervalMs],
  ["a first failure: one to two intervals", bad(1), 0, minute],
  ["a first failure, at most", bad(1), 1, 2 * minute],
  ["doubles", bad(4), 1, 16 * minute],
  ["half of it is random", bad(4), 0, 8 * minute],
  ["never further apart than six hours", bad(40), 1, 6 * hour],
  ["without overflow", bad(5000), 0, 3 * hour],
  ["Retry-After is a lower bound", bad(1, hour), 0, hour],
  ["Retry-After is heeded for a day at most", bad(1, 1000 * hour), 0, maxIntervalMs],
  ["Retry-After does not shorten the wait", bad(9, 1000), 1, 6 * hour],
  ["gone: once a day", { failures: 1, gone: true, wantedMs: 0 }, 0.5, maxIntervalMs],
] as const)("%s", (_, outcome, random, expected) => {
  expect(nextPollInMs(outcome, minute, random)).toBe(expected);
});

test("a short interval of a test installation is kept to", () => {
  expect(nextPollInMs(good(0), 1000, 0)).toBe(1000);
  expect(nextPollInMs(bad(3), 1000, 1)).toBe(8000);
});
