import { scaleOf, timeLabel, timeTicks } from "../../../dashboard/parts/chart-scale.ts";

test.each([
  [
    [3, 7, 9],
    [2, 4, 6, 8, 10],
  ],
  [
    [19.99, 24.5],
    [18, 20, 22, 24, 26],
  ],
  [
    [-3, 4],
    [-4, -2, 0, 2, 4],
  ],
  [
    [1200, 5300],
    [0, 2000, 4000, 6000],
  ],
  [
    [0.12, 0.31],
    [0.1, 0.15, 0.2, 0.25, 0.3, 0.35],
  ],
])("the scale of %j has round numbers around all values", (values, ticks) => {
  expect(scaleOf(values).ticks).toEqual(ticks);
});

test.each([[[0]], [[12.5, 12.5]], [[-7]], [[1e12]]])("equal values %j lie within a scale", values => {
  const { from, to, ticks } = scaleOf(values);
  const [value = 0] = values;
  expect(from).toBeLessThan(value);
  expect(to).toBeGreaterThan(value);
  expect(ticks.length).toBeGreaterThan(2);
});

const day = 86_400_000;

test("marks of time are few, in order, and within the time", () => {
  const from = Date.UTC(2026, 2, 3, 10, 17);
  for (const span of [3_600_000, day, 9 * day, 40 * day, 400 * day, 3000 * day]) {
    const ticks = timeTicks(from, from + span);
    expect(ticks.length).toBeLessThanOrEqual(10);
    expect(ticks.every(at => at >= from && at <= from + span)).toBe(true);
    expect(ticks).toEqual([...ticks].sort((a, b) => a - b));
  }
});

test("a time is written as the length of the axis wants it", () => {
  const at = new Date(2026, 2, 3, 9, 5).getTime();
  expect([day, 30 * day, 400 * day].map(span => timeLabel(at, span))).toEqual(["09:05", "3 Mar", "Mar 2026"]);
});
