import { jest } from "@jest/globals";
import { WakeQueue } from "../../../services/webhook-dispatcher/engine/wake-queue.ts";

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
