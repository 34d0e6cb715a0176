import { TimeSlices } from "../../../mixins/async/time-slices.ts";

/** TimeSlices of the event loop while some work with a slow clock has so many steps. */
async function turnsDuring(steps: number, msOfStep: number): Promise<number> {
  let [time, slices, isDone] = [0, 0, false];
  const count = () => {
    slices += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const work = new TimeSlices(new AbortController().signal, () => time);
  for (let n = 0; n < steps; n += 1) {
    await work.next();
    time += msOfStep;
  }
  isDone = true;
  return slices;
}

test("other work has its turn every five milliseconds, however long a step is", async () => {
  expect(await turnsDuring(1000, 0)).toBe(0);
  expect(await turnsDuring(1000, 1)).toBeGreaterThan(190);
  expect(await turnsDuring(100, 50)).toBeGreaterThan(90);
});

test("once the signal has fired, the rest is left", async () => {
  const controller = new AbortController();
  const work = new TimeSlices(controller.signal);
  expect(await work.next()).toBe(true);
  controller.abort();
  expect(await work.next()).toBe(false);
});
