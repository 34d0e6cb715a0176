import { jest } from "@jest/globals";
import { type PeriodicOptions, periodic } from "../../../mixins/async/periodic.ts";

let runs: PromiseWithResolvers<void>[];
let errors: string[];

const open = (options: Partial<PeriodicOptions> = {}) =>
  periodic(
    () => {
      const run = Promise.withResolvers<void>();
      runs.push(run);
      return run.promise;
    },
    { everyMs: 1000, onError: error => errors.push(String(error)), ...options },
  );

beforeEach(() => {
  jest.useFakeTimers();
  [runs, errors] = [[], []];
});
afterEach(() => {
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

test("the first run begins after a period, or at once", async () => {
  const later = open();
  expect(runs).toHaveLength(0);
  await jest.advanceTimersByTimeAsync(1000);
  expect(runs).toHaveLength(1);
  const atOnce = open({ startsAtOnce: true });
  expect(runs).toHaveLength(2);
  for (const { resolve } of runs) resolve();
  await Promise.all([later.stop(), atOnce.stop()]);
});

test("runs do not overlap: a period that finds one under way is left out", async () => {
  const opened = open();
  await jest.advanceTimersByTimeAsync(3500);
  expect(runs).toHaveLength(1);
  runs[0]?.resolve();
  await jest.advanceTimersByTimeAsync(1000);
  expect(runs).toHaveLength(2);
  runs[1]?.resolve();
  await opened.stop();
});

test("a run that is asked for begins at once, or joins the one under way", async () => {
  const opened = open();
  const [first, second] = [opened.run(), opened.run()];
  expect(runs).toHaveLength(1);
  runs[0]?.resolve();
  await Promise.all([first, second]);
  await opened.stop();
});

test("a stop waits for the run under way, and begins no other", async () => {
  const opened = open({ startsAtOnce: true });
  let isStopped = false;
  const stopped = opened.stop().then(() => {
    isStopped = true;
  });
  await jest.advanceTimersByTimeAsync(5000);
  expect([isStopped, runs.length]).toEqual([false, 1]);
  runs[0]?.resolve();
  await stopped;
  await opened.run();
  expect(runs).toHaveLength(1);
});

const failing = async (options: Partial<PeriodicOptions>) => {
  let failures = 0;
  const opened = periodic(
    () => {
      failures += 1;
      if (failures !== 3) throw new Error(`failure ${failures}`);
    },
    { everyMs: 1000, onError: error => errors.push((error as Error).message), ...options },
  );
  await jest.advanceTimersByTimeAsync(5000);
  await opened.stop();
  return errors;
};

test("a failure is reported, and the next run begins all the same", async () => {
  expect(await failing({})).toEqual(["failure 1", "failure 2", "failure 4", "failure 5"]);
});

test("of failures in a row only the first is reported where it is asked for", async () => {
  expect(await failing({ reportsOnce: true })).toEqual(["failure 1", "failure 4"]);
});
