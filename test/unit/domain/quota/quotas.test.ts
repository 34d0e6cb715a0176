import {
  allQuotas,
  endOf,
  hasQuota,
  labelOf,
  secondsOf,
  secondsUntilReset,
} from "../../../../services/domain/quota/quotas.ts";

const at = (time: string) => Date.parse(time);

test.each([
  ["day", "2026-11-27T00:00:00.000Z", "2026-11-27", "2026-11-28T00:00:00.000Z", 86_400],
  ["day", "2026-12-31T23:59:59.999Z", "2026-12-31", "2027-01-01T00:00:00.000Z", 86_400],
  ["month", "2026-11-30T23:59:59.999Z", "2026-11", "2026-12-01T00:00:00.000Z", 30 * 86_400],
  ["month", "2028-02-01T00:00:00.000Z", "2028-02", "2028-03-01T00:00:00.000Z", 29 * 86_400],
  ["month", "2026-12-05T12:00:00.000Z", "2026-12", "2027-01-01T00:00:00.000Z", 31 * 86_400],
] as const)("a %s that holds %s", (period, now, label, end, seconds) => {
  expect(labelOf(period, at(now))).toBe(label);
  const resets_at = new Date(endOf(period, label)).toISOString();
  expect(resets_at).toBe(end);
  expect(secondsOf({ period, resets_at })).toBe(seconds);
});

test("whole seconds until a quota resets, and never none", () => {
  const quota = { resets_at: "2026-11-28T00:00:00.000Z" };
  expect(secondsUntilReset(quota, at("2026-11-27T23:59:58.999Z"))).toBe(2);
  expect(secondsUntilReset(quota, at("2026-11-28T00:00:00.000Z"))).toBe(1);
});

test("null is no quota, and 0 is one", () => {
  expect(hasQuota({ day: { pages: null } })).toBe(false);
  expect(hasQuota({ month: { events: 0 } })).toBe(true);
  expect(hasQuota({ month: { events: 0 } }, "pages")).toBe(false);
  expect(allQuotas({ day: { pages: 3 } })).toEqual({
    day: { pages: 3, rendered: null, crawled: null, events: null, deliveries: null },
    month: { pages: null, rendered: null, crawled: null, events: null, deliveries: null },
  });
});
