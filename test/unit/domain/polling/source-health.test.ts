import { type Health, judgeHealth } from "../../../../services/domain/polling/source-health.ts";

const ok = (failures = 0): Health => ({ health: "ok", failures });
const failing = (failures: number): Health => ({ health: "failing", failures });
const gone = (failures: number): Health => ({ health: "gone", failures });

test.each([
  ["all is well", ok(), "ok", { ...ok(), notice: null }],
  ["a first failure", ok(), "failed", { ...ok(1), notice: null }],
  ["a fourth failure", ok(3), "failed", { ...ok(4), notice: null }],
  ["the fifth failure", ok(4), "failed", { ...failing(5), notice: "source.failing" }],
  ["a sixth failure", failing(5), "failed", { ...failing(6), notice: null }],
  ["back before it counted as failing", ok(4), "ok", { ...ok(), notice: null }],
  ["back from failing", failing(9), "ok", { ...ok(), notice: "source.recovered" }],
  ["gone at once", ok(), "gone", { ...gone(1), notice: "source.gone" }],
  ["gone after failing", failing(7), "gone", { ...gone(8), notice: "source.gone" }],
  ["still gone", gone(1), "gone", { ...gone(2), notice: null }],
  ["gone, and another error", gone(9), "failed", { ...gone(10), notice: null }],
  ["back from gone", gone(2), "ok", { ...ok(), notice: "source.recovered" }],
] as const)("%s", (_, before, outcome, after) => {
  expect(judgeHealth(before, outcome)).toEqual(after);
});
