import { jest } from "@jest/globals";
import { WakeSignal } from "../../../mixins/async/wake-signal.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

test("a notification ends the wait", async () => {
  const signal = new WakeSignal();
  const waited = signal.wait(1000);
  signal.notify();
  await waited;
});

test("the time ends the wait", async () => {
  const waited = new WakeSignal().wait(1000);
  await jest.advanceTimersByTimeAsync(1000);
  await waited;
});

test("what is notified while nobody waits ends the next wait, and that one only", async () => {
  const signal = new WakeSignal();
  signal.notify();
  signal.notify();
  await signal.wait(1000);
  let isOver = false;
  const second = signal.wait(1000).then(() => {
    isOver = true;
  });
  await jest.advanceTimersByTimeAsync(999);
  expect(isOver).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  await second;
});
