import {
  ReadBudget,
  type ReadCount,
  type ReadCounter,
} from "../../../services/connectors/platforms/x/read-budget.ts";
import { codeOf } from "../../../services/contracts/errors.ts";

const august = Date.UTC(2026, 7, 31, 23, 0);
const hour = 3_600_000;
let now: number;
beforeEach(() => {
  now = august;
});

/** A count that several processes share. */
const counting = (count: ReadCount | null = null) => {
  const kept = count ? [count] : [];
  const read = async () => kept.at(-1) ?? null;
  const change: ReadCounter["change"] = async change => void kept.push(change(await read()));
  return { kept, counter: { read, change } };
};
const open = (monthlyReads?: number, stored: ReadCount | null = null) => {
  const { kept, counter } = counting(stored);
  const settings = { counter, ...(monthlyReads !== undefined && { monthlyReads }) };
  return { budget: new ReadBudget(settings, () => now), kept };
};
const ids = (count: number, from = 0) => Array.from({ length: count }, (_, at) => String(from + at));
const failureOf = (promise: Promise<unknown>) => promise.then(String, error => error);

test("without a limit nothing is counted", async () => {
  const { budget, kept } = open();
  await budget.settle(await budget.take(1000), ids(1000));
  expect([await budget.take(100), kept]).toEqual([100, []]);
});

test("grants what is left, and then nothing until the month ends", async () => {
  const { budget, kept } = open(10);
  await budget.settle(await budget.take(8), ids(8));
  expect(await budget.take(100)).toBe(2);
  await budget.settle(2, ids(2, 8));
  const error = await failureOf(budget.take(1));
  expect([codeOf(error), error]).toMatchObject(["connector_unavailable", { data: { retry_after: 3600 } }]);
  expect(kept.at(-1)).toEqual({ month: "2026-08", reads: 10 });
});

test("refuses what cannot be had in so few", async () => {
  const { budget } = open(4);
  expect(codeOf(await failureOf(budget.take(100, 5)))).toBe("connector_unavailable");
  expect(await budget.take(1)).toBe(1);
});

test("two who read at the same time do not pass the limit together", async () => {
  const { budget } = open(10);
  expect(await budget.take(7)).toBe(7);
  expect(await budget.take(7)).toBe(3);
  expect(codeOf(await failureOf(budget.check()))).toBe("connector_unavailable");
  await budget.settle(7, ids(1));
  expect(await budget.take(100)).toBe(6);
});

test("what was taken and not read is given back", async () => {
  const { budget, kept } = open(10);
  await budget.settle(await budget.take(10), []);
  expect(kept.at(-1)).toEqual({ month: "2026-08", reads: 0 });
  expect(await budget.take(10)).toBe(10);
});

test("a post counts once a day, by UTC", async () => {
  const { budget, kept } = open(100, { month: "2026-09", reads: 5 });
  now = august + 2 * hour;
  await budget.settle(await budget.take(3), ["1", "2", "2"]);
  await budget.settle(await budget.take(3), ["2", "3"]);
  now += 24 * hour;
  await budget.settle(await budget.take(3), ["3"]);
  expect(kept.map(({ reads }) => reads)).toEqual([5, 8, 7, 10, 8, 11, 9]);
});

test("continues after a restart, and starts again with the month", async () => {
  const { budget, kept } = open(10, { month: "2026-08", reads: 10 });
  expect(codeOf(await failureOf(budget.take(1)))).toBe("connector_unavailable");
  now += 2 * hour;
  await budget.settle(await budget.take(100), ids(4));
  expect(kept.at(-1)).toEqual({ month: "2026-09", reads: 4 });
});

test("a count that cannot be read is asked for again", async () => {
  let isDown = true;
  const { counter } = counting({ month: "2026-08", reads: 9 });
  const change: ReadCounter["change"] = async change => {
    if (isDown) throw new Error("no store");
    await counter.change(change);
  };
  const budget = new ReadBudget({ monthlyReads: 10, counter: { ...counter, change } }, () => now);
  expect(await failureOf(budget.take(5))).toMatchObject({ message: "no store" });
  isDown = false;
  expect(await budget.take(5)).toBe(1);
});

test("several processes do not pass the limit together, nor after one of them has died", async () => {
  const { counter } = counting();
  const [first, second] = [1, 2].map(() => new ReadBudget({ monthlyReads: 10, counter }, () => now));
  expect(await first?.take(6)).toBe(6);
  expect(await second?.take(6)).toBe(4);
  await second?.settle(4, ids(3));
  const third = new ReadBudget({ monthlyReads: 10, counter }, () => now);
  expect(await third.take(100)).toBe(1);
  expect(codeOf(await failureOf(third.check()))).toBe("connector_unavailable");
});
