import { nextPageCheck } from "../../../services/connectors/pages/page-pace.ts";
import type { PagePace } from "../../../services/connectors/pages/page-state.ts";

const minute = 60_000;
const hour = 60 * minute;
const now = Date.parse("2026-03-02T09:30:00Z");
const tools = { now: () => now, random: () => 0, minIntervalMs: minute };
const day = 24 * hour;
const slow = { intervalMs: day, checkedAt: now - hour, newsAt: now - day };
const quiet = { isNews: false, headers: {} };

function next(state: Partial<PagePace>, made = quiet, view = {}) {
  return nextPageCheck({ state: { ...state }, view }, made, tools);
}

test.each([
  ["a page", {}, 3 * hour],
  ["with a selection", { select: ["#price"] }, hour],
  ["with a condition", { when: { contains: ["sale"] } }, hour],
  ["with fields", { json: { schema: {} } }, hour],
])("%s waits no longer than its watchers may", (_, view, longest) => {
  expect(next(slow, quiet, view).nextInMs).toBe(Math.floor(longest / 1.1));
});

test("a page that was quiet for half a year is asked once a day", () => {
  expect(next({ ...slow, newsAt: now - 183 * day }).nextInMs).toBe(Math.floor(day / 1.1));
});

test("a page is as old as its first check, while nothing is known of its changes", () => {
  expect(next({}).pace).toEqual({ intervalMs: 1.2 * minute, checkedAt: now, newsAt: now });
});

test("a change teaches its hour, and the next check comes sooner there", () => {
  const { pace } = next(slow, { ...quiet, isNews: true });
  expect(pace.newsAt).toBe(now);
  expect(Object.values(pace.habits?.hours ?? {})).toEqual([0.5, 0.5]);
  expect(next({ ...slow, ...pace, intervalMs: day }).nextInMs).toBeLessThan(hour);
});

test("what is no news teaches nothing and does not shorten the wait", () => {
  const { pace } = next(slow);
  expect(pace).toEqual({ intervalMs: day, checkedAt: now, newsAt: slow.newsAt });
});

test("freshness is obeyed within the longest wait of the page, and a request to wait is always", () => {
  const quick = { ...slow, intervalMs: minute };
  const fresh = { isNews: false, headers: { "cache-control": "max-age=86400" } };
  expect(next(quick, fresh).nextInMs).toBe(hour);
  expect(next(quick, fresh, { select: ["p"] }).nextInMs).toBe(Math.floor(hour / 1.1));
  expect(next(quick, { isNews: false, headers: { "retry-after": "7200" } }).nextInMs).toBe(2 * hour);
});
