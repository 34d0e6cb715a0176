import { setImmediate as turn } from "node:timers/promises";
import { jest } from "@jest/globals";
import { LaneGroups, StepGroups } from "../../../../services/webhook-dispatcher/journal/step-groups.ts";

let groups: string[][];
let waiting: StepGroups<string>;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick"] });
  groups = [];
  waiting = new StepGroups(async group => {
    groups.push(group);
  });
});
afterEach(() => {
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

const add = (prefix: string, count: number, waitMs: number) => {
  for (let n = 0; n < count; n += 1) waiting.add(`${prefix}${n}`, waitMs);
};
const sizes = () => groups.map(({ length }) => length);

/** Lets time pass, millisecond by millisecond. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1) {
    jest.advanceTimersByTime(1);
    await turn();
    await turn();
  }
}

test("what comes within two milliseconds is one group", async () => {
  add("a", 3, 2);
  await pass(1);
  add("b", 2, 2);
  await pass(1);
  expect(groups).toEqual([["a0", "a1", "a2", "b0", "b1"]]);
});

test("a few patient ones go along with others, the oldest first", async () => {
  add("p", 6, 500);
  add("a", 1, 2);
  await pass(3);
  add("b", 1, 2);
  await pass(3);
  expect(groups).toEqual([
    ["p0", "p1", "p2", "p3", "a0"],
    ["p4", "p5", "b0"],
  ]);
});

test("those that nobody takes along go when their time is up, in small groups with pauses between", async () => {
  add("p", 40, 500);
  await pass(499);
  expect(groups).toEqual([]);
  await pass(2);
  expect(sizes()).toEqual([16]);
  await pass(2);
  add("a", 1, 2);
  await pass(3);
  expect(sizes()).toEqual([16, 5]);
  await pass(25);
  expect(sizes()).toEqual([16, 5, 16, 4]);
});

test("whoever waits for the end waits for nothing else", async () => {
  add("p", 300, 60_000);
  await waiting.idle();
  expect(sizes()).toEqual([256, 44]);
});

test("once it hastens, nothing is patient", async () => {
  add("p", 1, 60_000);
  waiting.stopBatching();
  add("q", 1, 60_000);
  await waiting.idle();
  expect(groups.flat()).toEqual(["p0", "q0"]);
});

interface Step {
  laneId: string;
  n: number;
}

/** Groups that end when they are told to. */
function held() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const groups = new LaneGroups<Step>(async steps => {
    const name = steps.map(({ laneId, n }) => laneId + n).join(" ");
    begun.push(name);
    await new Promise<void>(resolve => ends.set(name, resolve));
  });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { begun, end, groups };
}

const step = (laneId: string, n: number) => ({ laneId, n });

test("lanes are written side by side, and what comes for one meanwhile goes together, in order", async () => {
  const { begun, end, groups } = held();
  groups.add([step("a", 1), step("b", 1), step("a", 2)]);
  expect(begun).toEqual(["a1 a2", "b1"]);
  groups.add([step("a", 3), step("b", 2)]);
  groups.add([step("a", 4)]);
  expect(begun).toHaveLength(2);
  await end("a1 a2");
  expect(begun.slice(2)).toEqual(["a3 a4"]);
  const idle = groups.idle();
  await end("a3 a4");
  await end("b1");
  expect(begun.slice(3)).toEqual(["b2"]);
  await end("b2");
  await idle;
});

test("no more than 16 at a time, the longest waiting first", async () => {
  const { begun, end, groups } = held();
  groups.add(Array.from({ length: 20 }, (_, n) => step("k", n)).map(({ n }) => step(`k${n}-`, 0)));
  expect(begun).toHaveLength(16);
  await end("k5-0");
  expect(begun.slice(16)).toEqual(["k16-0"]);
});
