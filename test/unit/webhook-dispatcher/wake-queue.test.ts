import { jest } from "@jest/globals";
import { WakeQueue } from "../../../services/webhook-dispatcher/lanes/wake-queue.ts";
import { collectGarbage } from "../../support/collect-garbage.ts";

beforeEach(() => {
  jest.useFakeTimers({ now: 1_000 });
});
afterEach(() => {
  jest.useRealTimers();
});

test("wakes each key at its time, in order, with one timer", () => {
  const woken: [string, number][] = [];
  const queue = new WakeQueue(keyId => woken.push([keyId, Date.now()]));
  const times = Array.from({ length: 200 }, (_, n) => 1_001 + 4 * ((n * 7919) % 200));
  for (const [n, at] of times.entries()) queue.set(`key-${n}`, at);
  expect(jest.getTimerCount()).toBe(1);
  jest.advanceTimersByTime(1_000);
  expect(woken).toHaveLength(200);
  expect(woken.every(([keyId, at]) => at === times[Number(keyId.slice(4))])).toBe(true);
  expect(jest.getTimerCount()).toBe(0);
});

test("many that are due at once are woken one after the other, with gaps between them", () => {
  const woken: number[] = [];
  const queue = new WakeQueue(() => woken.push(Date.now()));
  for (let n = 0; n < 5; n += 1) queue.set(`key-${n}`, 1_100);
  jest.advanceTimersByTime(1_000);
  expect(woken).toEqual([1_100, 1_103, 1_106, 1_109, 1_112]);
  expect(jest.getTimerCount()).toBe(0);
});

test("a later time replaces the former, and undefined takes it back", () => {
  const woken: [string, number][] = [];
  const queue = new WakeQueue(keyId => woken.push([keyId, Date.now()]));
  queue.set("a", 1_100);
  queue.set("a", 1_300);
  queue.set("b", 1_200);
  queue.set("b", undefined);
  queue.set("c", 1_400);
  queue.set("c", 1_050);
  jest.advanceTimersByTime(1_000);
  expect(woken).toEqual([
    ["c", 1_050],
    ["a", 1_300],
  ]);
});

test("what is set while it wakes is heeded, and nothing wakes once it is closed", () => {
  const woken: number[] = [];
  const queue = new WakeQueue(() => {
    woken.push(Date.now());
    queue.set("a", Date.now() + 10);
  });
  queue.set("a", 1_010);
  jest.advanceTimersByTime(35);
  expect(woken).toEqual([1_010, 1_020, 1_030]);
  queue.close();
  expect(jest.getTimerCount()).toBe(0);
});

test("whatever is set, replaced and taken back, each key is woken at the time that it was given last", () => {
  const woken: [string, number][] = [];
  const queue = new WakeQueue(keyId => woken.push([keyId, Date.now()]));
  const last = new Map<string, number | undefined>();
  for (let n = 0; n < 5_000; n += 1) {
    const keyId = `key-${(n * 31) % 97}`;
    const at = n % 3 === 0 ? undefined : 1_001 + 4 * ((n * 7919) % 10_007);
    queue.set(keyId, at);
    last.set(keyId, at);
  }
  jest.advanceTimersByTime(60_000);
  const expected = [...last].filter(([, at]) => at !== undefined);
  expect(new Map(woken)).toEqual(new Map(expected));
  expect(woken).toHaveLength(expected.length);
});

function bytesInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

test("a key that is set and taken back many times needs no more room than once", () => {
  const queue = new WakeQueue(() => undefined);
  const before = bytesInUse();
  for (let n = 0; n < 500_000; n += 1) {
    queue.set("a", 60_000);
    queue.set("a", undefined);
  }
  expect(bytesInUse() - before).toBeLessThan(10_000_000);
  queue.close();
});

test("a clock that is set back or forward holds up nothing that is set afterwards", () => {
  const woken: string[] = [];
  const queue = new WakeQueue(keyId => woken.push(keyId));
  jest.setSystemTime(10 * 3_600_000);
  queue.set("a", Date.now() + 10);
  jest.advanceTimersByTime(10);
  jest.setSystemTime(9 * 3_600_000);
  queue.set("b", Date.now() + 10);
  jest.advanceTimersByTime(20);
  expect(woken).toEqual(["a", "b"]);
  queue.set("late", Date.now() + 600_000);
  jest.setSystemTime(11 * 3_600_000);
  queue.set("c", Date.now() + 10);
  jest.advanceTimersByTime(20);
  expect(woken).toEqual(["a", "b", "late", "c"]);
});

test("what is further off than a timer goes is awaited with one timer at a time", () => {
  const woken: number[] = [];
  const queue = new WakeQueue(() => woken.push(Date.now()));
  const setTimer = jest.spyOn(globalThis, "setTimeout");
  const at = 1_000 + 30 * 86_400_000;
  queue.set("a", at);
  jest.advanceTimersByTime(1_000);
  expect(setTimer).toHaveBeenCalledTimes(1);
  jest.advanceTimersByTime(30 * 86_400_000);
  expect(woken).toEqual([at]);
});
