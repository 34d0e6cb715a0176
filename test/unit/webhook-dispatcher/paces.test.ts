import { Paces } from "../../../services/webhook-dispatcher/lanes/paces.ts";

const rate = { per_second: 1, burst: 2 };
const units = (...sizes: number[]) => sizes.map(size => Array.from({ length: size }, (_, at) => at));

test("attempts go in their order, as far as the rate permits, whatever is smaller behind them", () => {
  const paces = new Paces();
  const all = units(1, 2, 1);
  expect(paces.limit("a", rate, all, 0)).toEqual({ send: [all[0]], readyAt: 1_000 });
  expect(paces.limit("a", rate, all.slice(1), 1_000)).toEqual({ send: [all[1]], readyAt: 2_000 });
});

test("each lane has its own, one without a rate is not limited, and another rate begins anew", () => {
  const paces = new Paces();
  const all = units(1, 1, 1);
  expect(paces.limit("a", rate, all, 0).send).toHaveLength(2);
  expect(paces.limit("b", rate, all, 0).send).toHaveLength(2);
  expect(paces.limit("c", null, all, 0)).toEqual({ send: all });
  expect(paces.limit("a", { per_second: 1, burst: 3 }, all, 0).send).toHaveLength(3);
  paces.forget("a");
  expect(paces.limit("a", rate, all, 0).send).toHaveLength(2);
});

test("what is full is forgotten when there are many", () => {
  const paces = new Paces();
  for (let n = 0; n < 1_000; n += 1) paces.limit(`lane-${n}`, rate, units(1), 0);
  paces.limit("busy", rate, units(2), 60_000);
  for (let n = 0; n < 1_000; n += 1) paces.limit(`more-${n}`, rate, units(1), 60_000);
  expect(paces.limit("busy", rate, units(1), 60_000).send).toEqual([]);
});
