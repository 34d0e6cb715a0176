import { setImmediate as yieldToLoop } from "node:timers/promises";
import { jest } from "@jest/globals";
import { Deadlines } from "../../../mixins/runtime/deadlines.ts";

test("what is late hears of it, once", async () => {
  const late: string[] = [];
  const deadlines = new Deadlines();
  await new Promise<void>(resolve => {
    deadlines.add(2, () => late.push("first"));
    deadlines.add(3, () => {
      late.push("second");
      resolve();
    });
  });
  expect(late).toEqual(["first", "second"]);
});

test("what is cleared hears nothing, whether it has a timer yet or not", async () => {
  const late: string[] = [];
  const deadlines = new Deadlines();
  deadlines.add(1, () => late.push("before its timer")).clear();
  const older = deadlines.add(1, () => late.push("with its timer"));
  await yieldToLoop();
  older.clear();
  await new Promise<void>(resolve => deadlines.add(5, resolve));
  expect(late).toEqual([]);
});

test("what ends within its turn of the loop costs no timer", async () => {
  const set = jest.spyOn(globalThis, "setTimeout");
  try {
    const deadlines = new Deadlines();
    for (let each = 0; each < 100; each += 1) deadlines.add(60_000, () => undefined).clear();
    await yieldToLoop();
    expect(set).not.toHaveBeenCalled();
  } finally {
    set.mockRestore();
  }
});
