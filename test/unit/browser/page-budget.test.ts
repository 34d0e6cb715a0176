import { isUsedUp, judge } from "../../../mixins/browser/page-budget.ts";

const budget = { maxMemoryMb: 1000, maxPageCpuMs: 15_000 };
const browser = { pid: 1, isRenderer: false, cpuMs: 99_000, recentCpuMs: 250, memoryMb: 100 };
const renderer = (pid: number, memoryMb: number, cpuMs = 0) => ({
  ...{ pid, isRenderer: true, cpuMs, memoryMb },
  recentCpuMs: cpuMs / 10,
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
