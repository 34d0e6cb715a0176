import { readFileSync } from "node:fs";
import { type ProcessUsage, processesOf } from "../../../mixins/browser/process-usage.ts";

/** This process at a look after one at which it had so much memory, and so much at most. */
function lookAfter(memoryMb: number, peakMb: number): ProcessUsage {
  const [, , group] = readFileSync("/proc/self/stat", "latin1").replace(/.*\) /, "").split(" ");
  const own = () => processesOf(Number(group), before).find(({ pid }) => pid === process.pid);
  let before: ProcessUsage[] = [];
  before = [{ ...(own() as ProcessUsage), memoryMb, peakMb }];
  return own() as ProcessUsage;
}

test("memory that a process takes again after it gave it back is no growth", () => {
  expect(lookAfter(0, 1_000_000)).toMatchObject({ grownMb: 0, peakMb: 1_000_000 });
});

test("memory beyond what it ever had is", () => {
  const { memoryMb, peakMb, grownMb } = lookAfter(1, 2);
  expect([peakMb, grownMb]).toEqual([memoryMb, memoryMb - 2]);
});
