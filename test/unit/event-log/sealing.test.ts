import { longestLifeMs, segmentLimits } from "../../../mixins/event-log/sealed/sealing.ts";

const dayMs = 86_400_000;

test.each([
  ["1 h", 1 / 24, 1 / 24],
  ["72 h", 3, 3],
  ["30 days", 30, 33],
  ["2 years", 730, 737],
])("with a retention of %s an event may be read until its segment goes", (_, days, longest) => {
  expect(longestLifeMs(days * dayMs)).toBe(longest * dayMs);
  expect(segmentLimits(days * dayMs).spanMs).toBeLessThanOrEqual((days * dayMs) / 10);
});
