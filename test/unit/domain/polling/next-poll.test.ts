import { maxIntervalMs, nextPollWithin } from "../../../../services/domain/polling/next-poll.ts";

const minute = 60_000;
const hour = 60 * minute;
const good = (wantedMs: number) => ({ failures: 0, gone: false, wantedMs });
const bad = (failures: number, wantedMs = 0) => ({ failures, gone: false, wantedMs });

test.each([
  ["as the source wants, or up to a tenth later", good(5 * minute), 5 * minute, 5.5 * minute],
  ["never below the shortest interval", good(1000), minute, 1.1 * minute],
  ["never above a day", good(90 * hour), maxIntervalMs, maxIntervalMs],
  ["a first failure: one to two intervals", bad(1), minute, 2 * minute],
  ["doubles", bad(4), 8 * minute, 16 * minute],
  ["never further apart than six hours", bad(40), 3 * hour, 6 * hour],
  ["without overflow", bad(5000), 3 * hour, 6 * hour],
  ["Retry-After is a lower bound", bad(1, hour), hour, hour],
  ["Retry-After is heeded for a day at most", bad(1, 1000 * hour), maxIntervalMs, maxIntervalMs],
  ["Retry-After does not shorten the wait", bad(9, 1000), 3 * hour, 6 * hour],
  ["gone: once a day", { failures: 1, gone: true, wantedMs: 0 }, maxIntervalMs, maxIntervalMs],
] as const)("%s", (_, outcome, fromMs, toMs) => {
  const { fromMs: from, toMs: to } = nextPollWithin(outcome, minute);
  expect(from).toBe(fromMs);
  expect(to).toBeCloseTo(toMs);
});

test("a short interval of a test installation is kept to", () => {
  expect(nextPollWithin(good(0), 1000).fromMs).toBe(1000);
  expect(nextPollWithin(bad(3), 1000).toMs).toBe(8000);
});
