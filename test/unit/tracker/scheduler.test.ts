import { setImmediate as yieldToLoop } from "node:timers/promises";
import { jest } from "@jest/globals";
import { Scheduler } from "../../../services/tracker/scheduler.ts";
import { until } from "../../support/until.ts";

/** Jobs by the time at which they are due; each runs until it is let go. */
class Desk {
  readonly due = new Map<string, number>();
  readonly running = new Map<string, { finish(): void; fail(error: Error): void }>();
  readonly begun: string[] = [];
  readonly errors: string[] = [];
  looks = 0;
  most = 0;
  brokenLooks = 0;
  /** What is due cannot be taken. */
  isBarred = false;
  /** What a job does before it waits to be let go. */
  onRun: (job: string) => Promise<void> = async () => undefined;
  readonly scheduler: Scheduler<string>;

  constructor(concurrency: number) {
    this.scheduler = new Scheduler(
      {
        take: async max => this.#take(max),
        nextAt: async () => [...this.due.values()].sort((a, b) => a - b)[0] ?? null,
        run: job => this.#run(job),
        onError: error => this.errors.push(String(error)),
        now: Date.now,
      },
      concurrency,
    );
  }

  add(...names: string[]): void {
    for (const name of names) this.due.set(name, 0);
    this.scheduler.wake();
  }

  #take(max: number): string[] {
    this.looks += 1;
    if (this.brokenLooks-- > 0) throw new Error("no look");
    if (this.isBarred) return [];
    const taken = [...this.due].filter(([, at]) => at <= Date.now()).slice(0, max);
    for (const [name] of taken) this.due.delete(name);
    return taken.map(([name]) => name);
  }

  #run(job: string): Promise<void> {
    this.begun.push(job);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.running.set(job, { finish: resolve, fail: reject });
    this.most = Math.max(this.most, this.running.size);
    const gone = () => this.running.delete(job);
    promise.then(gone, gone);
    void this.onRun(job);
    return promise;
  }
}

let desk: Desk;
afterEach(async () => {
  jest.useRealTimers();
  for (const job of desk.running.values()) job.finish();
  await desk.scheduler.stop(1000);
});

test("never more at a time than allowed, and each once", async () => {
  desk = new Desk(3);
  const names = Array.from({ length: 20 }, (_, n) => `job ${n}`);
  desk.add(...names);
  while (desk.begun.length < 20) {
    await until("some run", () => desk.running.size > 0);
    for (const job of desk.running.values()) job.finish();
  }
  expect([desk.most, desk.begun]).toEqual([3, names]);
});

test("what a job brings is dealt with before the next begins, while those that are due can wait", async () => {
  jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask", "setTimeout", "Date"] });
  desk = new Desk(64);
  const log: string[] = [];
  desk.onRun = async job => {
    log.push(job);
    for (let turn = 1; turn <= 2; turn += 1) {
      await yieldToLoop();
      jest.advanceTimersByTime(45);
      log.push(`${job}, turn ${turn}`);
    }
  };
  desk.add("a", "b", "c", "d", "e");
  await until("all have begun", () => desk.begun.length === 5);
  expect(log.slice(0, 6)).toEqual(["a", "a, turn 1", "a, turn 2", "b", "b, turn 1", "b, turn 2"]);
  // They have waited for 200 ms together by the end of the fifth turn.
  expect(log.slice(6, 10)).toEqual(["c", "c, turn 1", "d", "e"]);
});

test("sleeps until the next is due, without looking meanwhile", async () => {
  desk = new Desk(3);
  desk.due.set("later", Date.now() + 200);
  desk.scheduler.wake();
  await until("it runs", () => desk.running.has("later"));
  // A timer may fire a millisecond before the clock says so: then it looks once more.
  expect(desk.looks).toBeLessThanOrEqual(3);
});

test("a wake finds what has become due earlier", async () => {
  desk = new Desk(3);
  desk.due.set("far", Date.now() + 1e9);
  desk.scheduler.wake();
  await until("it has looked", () => desk.looks === 1);
  desk.add("now");
  await until("it runs", () => desk.running.has("now"));
  expect(desk.begun).toEqual(["now"]);
});

test("a job that fails is told of and holds up none", async () => {
  desk = new Desk(1);
  desk.add("bad", "good");
  await until("the first runs", () => desk.running.has("bad"));
  desk.running.get("bad")?.fail(new Error("broken"));
  await until("the second runs", () => desk.running.has("good"));
  expect(desk.errors).toEqual(["Error: broken"]);
});

test("a look that fails is tried again", async () => {
  desk = new Desk(1);
  desk.brokenLooks = 1;
  desk.add("job");
  await until("it runs", () => desk.running.has("job"));
  expect(desk.errors).toEqual(["Error: no look"]);
});

test("what is due and cannot be taken is looked for after a pause, or when woken", async () => {
  jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask"] });
  const pass = async (ms: number) => {
    jest.advanceTimersByTime(ms);
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  };
  desk = new Desk(3);
  desk.isBarred = true;
  desk.add("job");
  await pass(0);
  for (let n = 0; n < 9; n += 1) await pass(100);
  expect(desk.looks).toBe(1);
  await pass(100);
  expect(desk.looks).toBe(2);
  desk.isBarred = false;
  desk.scheduler.wake();
  await pass(0);
  expect(desk.begun).toEqual(["job"]);
});

test("a stop waits for what runs, and begins nothing more", async () => {
  desk = new Desk(1);
  desk.add("first", "second");
  await until("the first runs", () => desk.running.has("first"));
  let isStopped = false;
  const stopped = desk.scheduler.stop(10_000).then(() => {
    isStopped = true;
  });
  await new Promise(setImmediate);
  expect(isStopped).toBe(false);
  desk.running.get("first")?.finish();
  await stopped;
  desk.add("third");
  await new Promise(setImmediate);
  expect(desk.begun).toEqual(["first"]);
});

test("a stop does not wait for ever", async () => {
  desk = new Desk(1);
  desk.add("stuck");
  await until("it runs", () => desk.running.has("stuck"));
  await desk.scheduler.stop(1);
  expect(desk.running.size).toBe(1);
});
