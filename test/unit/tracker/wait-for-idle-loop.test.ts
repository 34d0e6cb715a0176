import { jest } from "@jest/globals";
import { waitForIdleLoop } from "../../../services/tracker/scheduler.ts";

/** Milliseconds that each of the next turns of the loop takes; the last is for all that follow. */
let turns: number[];
let turned: number;
let chain: NodeJS.Immediate;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ["setImmediate", "clearImmediate", "nextTick", "queueMicrotask"] });
  turned = 0;
  const turn = () => {
    jest.advanceTimersByTime(turns[Math.min(turned, turns.length - 1)] ?? 0);
    turned += 1;
    chain = setImmediate(turn);
  };
  chain = setImmediate(turn);
});
afterEach(() => {
  clearImmediate(chain);
  jest.useRealTimers();
});

test("waits while the turns are long", async () => {
  turns = [30, 5, 4, 20, 3, 50];
  await waitForIdleLoop(1000);
  expect(turned).toBe(5);
});

test("waits for one turn where little is to be done", async () => {
  turns = [0];
  await waitForIdleLoop(1000);
  expect(turned).toBe(1);
});

test("waits no longer than it may, however much is to be done", async () => {
  turns = [30];
  await waitForIdleLoop(100);
  expect(turned).toBe(4);
});
