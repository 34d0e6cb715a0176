import { chargeShared, isUsedUp, judge } from "../../../mixins/browser/page-budget.ts";

const budget = { maxMemoryMb: 1000, maxPageCpuMs: 15_000 };
const browser = {
  pid: 1,
  isRenderer: false,
  cpuMs: 99_000,
  recentCpuMs: 250,
  isNew: false,
  sharedMs: 0,
  grownMb: 0,
  peakMb: 100,
  memoryMb: 100,
};
const renderer = (pid: number, memoryMb: number, cpuMs = 0) => ({
  ...{ pid, isRenderer: true, cpuMs, memoryMb, peakMb: memoryMb },
  ...{ recentCpuMs: cpuMs / 10, isNew: false, sharedMs: 0, grownMb: 0 },
});
const memory = "The page uses more memory than a page may.";
const cpu = "The page computes for longer than a page may.";

test.each([
  ["nothing is over", [browser, renderer(2, 400)], { ended: new Map(), yielding: [], isOver: false }],
  ["a page has half", [browser, renderer(2, 501)], { ended: new Map([[2, memory]]), isOver: false }],
  [
    "all together have too much: the heaviest is to blame",
    [browser, renderer(2, 400), renderer(3, 450), renderer(4, 90)],
    { ended: new Map(), isOver: true, toBlame: 3 },
  ],
  [
    "the browser's own process has it: the busiest is to blame",
    [{ ...browser, memoryMb: 980 }, renderer(2, 30), renderer(3, 20, 900), renderer(4, 40)],
    { ended: new Map(), isOver: true, toBlame: 3 },
  ],
  [
    "no page is to blame",
    [{ ...browser, memoryMb: 980 }, renderer(2, 30)],
    { isOver: true, toBlame: undefined },
  ],
  ["a page computes for long", [browser, renderer(2, 10, 3001)], { ended: new Map(), yielding: [2] }],
  ["a page computes for too long", [browser, renderer(2, 10, 15_001)], { ended: new Map([[2, cpu]]) }],
])("%s", (_, processes, verdict) => {
  expect(judge(processes, budget)).toMatchObject(verdict);
});

test("a renderer is used up when less than two thirds of a page's time are left", () => {
  expect([5000, 5001].map(cpuMs => isUsedUp(cpuMs, budget))).toEqual([false, true]);
});

describe("what the browser computes for a page", () => {
  const others = "The page keeps the browser busy that shows the pages of others, too.";
  /** Looks, four a second, at renderers that compute so many ms between two looks beside a browser that does. */
  const look = (times: number, sharedMs: number, recentMs: number[]) => {
    const shared = { ...browser, recentCpuMs: sharedMs };
    const pages = recentMs.map((recentCpuMs, n) => ({ ...renderer(n + 2, 40), recentCpuMs }));
    for (let n = 0; n < times; n++) chargeShared([shared, ...pages], 250);
    return judge([shared, ...pages], budget).ended;
  };

  test("ends a page that keeps it busy for seconds", () => {
    expect(look(4, 250, [100, 5])).toEqual(new Map());
    expect(look(8, 250, [100, 5])).toEqual(new Map([[2, others]]));
  });

  test("counts what piles up in its memory", () => {
    const filling = { ...browser, recentCpuMs: 100, grownMb: 120 };
    const page = renderer(2, 40, 1000);
    for (let n = 0; n < 4; n++) chargeShared([filling, page], 250);
    expect(judge([filling, page], budget)).toMatchObject({ floods: [2], ended: new Map([[2, others]]) });
  });

  test("is not held against pages that share it fairly", () => {
    expect(look(1000, 150, [60, 60, 60, 60])).toEqual(new Map());
  });

  test("does not count its own start, or what it does while no page computes", () => {
    const starting = { ...browser, recentCpuMs: 3000, isNew: true };
    const page = renderer(2, 40, 500);
    chargeShared([starting, page], 250);
    expect(judge([starting, page], budget).ended).toEqual(new Map());
    expect(look(100, 250, [0])).toEqual(new Map());
  });
});
