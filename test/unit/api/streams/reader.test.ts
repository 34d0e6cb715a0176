import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { WrittenEvent } from "../../../../mixins/event-log/event-log.ts";
import { type Outlet, Reader, type Taken } from "../../../../services/api/streams/reader.ts";
import { fail } from "../../../../services/contracts/errors.ts";
import { MemoryLog, someEvents } from "../../../fakes/memory-log.ts";
import { seeded } from "../../../faults/random.ts";
import { until } from "../../../support/until.ts";

class Taker implements Outlet {
  readonly seqs: number[] = [];
  capacity = Number.POSITIVE_INFINITY;
  oldest: number | undefined;
  error: unknown;

  take(events: readonly WrittenEvent[]): Taken {
    let count = 0;
    for (const { seq } of events) {
      this.seqs.push(seq);
      this.capacity -= 1;
      count += 1;
      if (this.capacity <= 0) break;
    }
    return { count, isFull: this.capacity <= 0 };
  }

  expired(oldest: number): void {
    this.oldest = oldest;
  }

  failed(error: unknown): void {
    this.error = error;
  }
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

function setUp(position = 0) {
  const [log, taker] = [new MemoryLog(), new Taker()];
  const reader = new Reader(log, "a", position, taker);
  log.onAppended(() => reader.hint());
  return { log, taker, reader };
}

test.each([
  [0, numbers(1, 200)],
  [137, numbers(138, 200)],
  [200, []],
])("from position %i on it reads what follows, once and in order", async (position, expected) => {
  const { log, taker, reader } = setUp(position);
  await log.append(someEvents("a", 1, 200));
  await until("all is read", () => reader.position === 200);
  expect(taker.seqs).toEqual(expected);
});

test("large events come in small portions, and all of them", async () => {
  const { log, taker, reader } = setUp();
  await log.append(someEvents("a", 1, 30, "x".repeat(100_000)));
  await until("all is read", () => reader.position === 30);
  expect(taker.seqs).toEqual(numbers(1, 30));
  expect(log.reads).toBeGreaterThanOrEqual(15);
});

test("nothing is lost or repeated when events come in while it catches up, reads and waits", async () => {
  const { log, taker, reader } = setUp();
  const random = seeded(7);
  const total = 5000;
  log.duringRead = async () => {
    for (let turns = Math.floor(random() * 3); turns > 0; turns -= 1) await yieldToLoop();
  };
  await log.append(someEvents("a", 1, 1000));
  for (let next = 1001; next <= total; ) {
    const count = Math.min(1 + Math.floor(random() * 9), total - next + 1);
    await log.append(someEvents("a", next, count));
    next += count;
    if (random() < 0.2) taker.capacity = Math.floor(random() * 5);
    if (random() < 0.5) await yieldToLoop();
    if (random() < 0.3) {
      taker.capacity = Number.POSITIVE_INFINITY;
      reader.resume();
    }
  }
  taker.capacity = Number.POSITIVE_INFINITY;
  reader.resume();
  await until("all is read", () => reader.position === total);
  expect(taker.seqs).toEqual(numbers(1, total));
});

test("a hint that comes during a read makes another one follow", async () => {
  const { log, taker, reader } = setUp();
  const held = Promise.withResolvers<void>();
  log.duringRead = () => held.promise;
  reader.hint();
  expect(log.reads).toBe(1);
  await log.append(someEvents("a", 1, 1));
  held.resolve();
  await until("it is read", () => reader.position === 1);
  expect(taker.seqs).toEqual([1]);
});

test("while its outlet wants nothing it reads nothing", async () => {
  const { log, taker, reader } = setUp();
  taker.capacity = 3;
  await log.append(someEvents("a", 1, 10));
  await until("the outlet is full", () => taker.seqs.length === 3);
  const { reads } = log;
  await log.append(someEvents("a", 11, 10));
  reader.hint();
  await yieldToLoop();
  expect(log.reads).toBe(reads);
  taker.capacity = Number.POSITIVE_INFINITY;
  reader.resume();
  await until("all is read", () => reader.position === 20);
  expect(taker.seqs).toEqual(numbers(1, 20));
});

test("events that expired before they were read are told, not skipped", async () => {
  const { log, taker, reader } = setUp();
  taker.capacity = 3;
  await log.append(someEvents("a", 1, 10));
  await until("the outlet is full", () => taker.seqs.length === 3);
  log.expireBefore("a", 7);
  taker.capacity = 10;
  reader.resume();
  await until("it is told", () => taker.oldest !== undefined);
  expect([taker.oldest, taker.seqs]).toEqual([7, [1, 2, 3]]);
});

test("a log that cannot be read ends it", async () => {
  const { log, taker, reader } = setUp();
  const cause = new Error("no disk");
  log.duringRead = () => Promise.reject(cause);
  reader.hint();
  await until("it is told", () => taker.error === cause);
  reader.hint();
  expect(log.reads).toBe(1);
});

test("a log whose server is away for a while is read on when that is back", async () => {
  const { log, taker, reader } = setUp();
  log.duringRead = () => Promise.reject(fail("overloaded", "Away."));
  await log.append(someEvents("a", 1, 3));
  await until("it was asked twice", () => log.reads === 2);
  expect([taker.error, taker.seqs]).toEqual([undefined, []]);
  log.duringRead = async () => undefined;
  await until("all is read", () => reader.position === 3);
  expect(taker.seqs).toEqual([1, 2, 3]);
  reader.close();
});

test("closed during a read it hands nothing over", async () => {
  const { log, taker, reader } = setUp();
  const held = Promise.withResolvers<void>();
  await log.append(someEvents("b", 1, 1));
  log.duringRead = () => held.promise;
  await log.append(someEvents("a", 1, 1));
  reader.close();
  held.resolve();
  await yieldToLoop();
  expect(taker.seqs).toEqual([]);
});
