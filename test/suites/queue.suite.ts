import {
  FinalFailure,
  type Job,
  type JobTools,
  Later,
  type Queue,
  type Queues,
} from "../../mixins/queue/queue.ts";
import { fail } from "../../services/contracts/errors.ts";
import { until } from "../support/until.ts";

/** A place of its own for each test. */
export interface QueueDriver {
  /** As another node of the same installation would: all that were opened share the jobs. */
  open(): Queues;
  close(): Promise<void>;
}

type Handler<Result = unknown> = (job: Job<string, Result>, tools: JobTools) => Promise<Result>;

/** What every driver of the queue does alike. */
export function queueSuite(name: string, make: () => Promise<QueueDriver>): void {
  describe(`queue: ${name}`, () => {
    let driver: QueueDriver;
    let queue: Queue<string, unknown>;
    beforeEach(async () => {
      driver = await make();
      queue = driver.open().queue<string, unknown>("jobs");
    });
    afterEach(() => driver.close());

    const add = (id: string, change: object = {}) =>
      queue.add({ id, payload: `payload of ${id}`, ...change });
    const work = (handler: Handler, concurrency = 1) => queue.work({ concurrency }, handler);
    const stateOf = async (id: string) => (await queue.get(id))?.state;
    const reaches = (id: string, state: string) =>
      until(`${id} is ${state}`, async () => (await stateOf(id)) === state);
    /** Works; tells the order of the starts when the last one has come. */
    const orderOf = async (count: number, handler: Handler = async () => null) => {
      const order: string[] = [];
      work(async (job, tools) => {
        order.push(job.id);
        return await handler(job, tools);
      });
      await until(`${count} starts`, () => order.length >= count);
      return order;
    };

    describe("adding", () => {
      test("a job comes back as it was added, and with its result when it has one", async () => {
        expect(await queue.get("a")).toBeNull();
        expect(await add("a", { payload: "Ünïcode: {}" })).toBe(true);
        const added = { id: "a", payload: "Ünïcode: {}", state: "waiting", starts: 0 };
        expect(await queue.get("a")).toEqual({ ...added, progress: null, result: null, failure: null });
        const seen: Job<string, unknown>[] = [];
        work(async job => {
          seen.push(job);
          return { pages: [1, 2] };
        });
        await reaches("a", "completed");
        expect(seen).toEqual([
          { ...added, state: "active", starts: 1, progress: null, result: null, failure: null },
        ]);
        expect(await queue.get("a")).toMatchObject({ starts: 1, result: { pages: [1, 2] }, failure: null });
      });

      test("a worker that idles takes a job that is added later", async () => {
        work(async () => undefined);
        for (const id of ["a", "b"]) {
          await add(id);
          await reaches(id, "completed");
        }
        expect((await queue.get("b"))?.result).toBeNull();
      });

      test("an id that is known is not added again, in whatever state", async () => {
        const gate = Promise.withResolvers<void>();
        await add("broken");
        await add("done");
        await add("open");
        await add("later", { delayMs: 60_000 });
        work(async ({ id }) => {
          if (id === "broken") throw new Error("broken");
          if (id === "open") await gate.promise;
        });
        await reaches("open", "active");
        await add("next");
        for (const id of ["broken", "done", "open", "later", "next"])
          expect(await add(id, { payload: "other" })).toBe(false);
        expect((await queue.get("open"))?.payload).toBe("payload of open");
        gate.resolve();
      });

      test("of many concurrent additions of one id exactly one adds it", async () => {
        const other = driver.open().queue<string>("jobs");
        const additions = Array.from({ length: 20 }, (_, n) =>
          (n % 2 ? queue : other).add({ id: "a", payload: `payload ${n}` }),
        );
        const isNew = await Promise.all(additions);
        expect(isNew.filter(Boolean)).toHaveLength(1);
        expect((await queue.get("a"))?.payload).toBe(`payload ${isNew.indexOf(true)}`);
        expect((await queue.counts()).waiting).toBe(1);
      });

      test("queues of different names do not meet", async () => {
        const other = driver.open().queue<string>("other-jobs");
        await add("a");
        expect(await other.get("a")).toBeNull();
        expect(await other.add({ id: "a", payload: "" })).toBe(true);
        expect(await queue.cancel("a")).toBe("cancelled");
        expect((await other.get("a"))?.state).toBe("waiting");
      });

      test.each([
        ["an id with a colon", { id: "a:b" }],
        ["a numeral as id", { id: "17" }],
        ["no id", { id: "" }],
        ["a priority above all", { id: "a", priority: 2 ** 20 + 1 }],
        ["a fraction of a priority", { id: "a", priority: 0.5 }],
        ["no attempts", { id: "a", attempts: 0 }],
        ["a negative delay", { id: "a", delayMs: -1 }],
      ])("%s is refused", async (_, job) => {
        await expect(queue.add({ payload: "", ...job })).rejects.toThrow(TypeError);
        expect(() => driver.open().queue("no:colons")).toThrow(TypeError);
      });
    });

    describe("order", () => {
      test("jobs of one priority start as they came, smaller priorities first", async () => {
        const priorities = [3, 0, 2 ** 20, 1, 3, 0, 1];
        for (const [n, priority] of priorities.entries()) await add(`n${n}`, { priority });
        expect(await orderOf(7)).toEqual(["n1", "n5", "n3", "n6", "n0", "n4", "n2"]);
      });

      test("a delayed job waits, and lets others go first", async () => {
        await add("tomorrow", { delayMs: 86_400_000 });
        await add("now");
        expect(await stateOf("tomorrow")).toBe("waiting");
        expect([await queue.waiting(), (await queue.counts()).waiting]).toEqual([1, 2]);
        await add("later", { delayMs: 400 });
        await add("latest", { delayMs: 800, priority: 1 });
        expect(await orderOf(3)).toEqual(["now", "later", "latest"]);
      });

      test("what is due waits for a worker, of whatever priority; what is delayed does not yet", async () => {
        await add("now");
        await add("soon", { delayMs: 50 });
        await add("low", { priority: 5 });
        await add("later", { delayMs: 60_000 });
        await until("it is due", async () => (await queue.waiting()) === 3);
      });

      test("at most as many as told are at work, and as many as told", async () => {
        const gates: (() => void)[] = [];
        for (let n = 0; n < 9; n += 1) await add(`n${n}`);
        let most = 0;
        let atWork = 0;
        work(async () => {
          atWork += 1;
          most = Math.max(most, atWork);
          await new Promise<void>(resolve => gates.push(resolve));
          atWork -= 1;
        }, 3);
        for (const batch of [3, 6, 9]) {
          await until(`${batch} starts`, () => gates.length === batch);
          expect(await queue.counts()).toMatchObject({ active: 3, waiting: 9 - batch });
          expect(await queue.waiting()).toBe(9 - batch);
          for (const open of gates.slice(batch - 3)) open();
        }
        await until("all have ended", async () => (await queue.counts()).completed === 9);
        expect(most).toBe(3);
        expect(await queue.counts()).toEqual({ waiting: 0, active: 0, completed: 9, failed: 0 });
      });

      test("several workers of several nodes do each job once", async () => {
        const starts: string[] = [];
        const handler = async ({ id }: Job<string, unknown>) => void starts.push(id);
        for (let node = 0; node < 3; node += 1)
          driver.open().queue<string, unknown>("jobs").work({ concurrency: 2 }, handler);
        await Promise.all(Array.from({ length: 60 }, (_, n) => add(`n${n}`)));
        await until("all have ended", async () => (await queue.counts()).completed === 60);
        expect(new Set(starts).size).toBe(60);
        expect(starts).toHaveLength(60);
      });
    });

    describe("failing", () => {
      test("a failed job runs again as often as it may, after its backoff, which others need not wait for", async () => {
        await add("flaky", { attempts: 3, backoffMs: [300, 0] });
        await add("other");
        const order = await orderOf(4, async ({ id, starts }) => {
          if (id === "flaky" && starts < 3) throw new Error("not yet");
          return starts;
        });
        expect(order).toEqual(["flaky", "other", "flaky", "flaky"]);
        await reaches("flaky", "completed");
        expect(await queue.get("flaky")).toMatchObject({ result: 3, failure: null, starts: 3 });
      });

      test("a job that cannot run yet lets others go first, and loses no attempt", async () => {
        await add("a", { attempts: 1 });
        await add("b", { priority: 1 });
        const order = await orderOf(4, async ({ id, starts }) => {
          if (id === "a" && starts < 3) throw new Later(200);
          return null;
        });
        expect(order).toEqual(["a", "b", "a", "a"]);
        await reaches("a", "completed");
      });

      test("a job that may run without end does not fail", async () => {
        await add("a", { attempts: 2 ** 20, backoffMs: [0] });
        work(async ({ starts }) => {
          if (starts <= 50) throw new Error("not yet");
        });
        await reaches("a", "completed");
        expect(await queue.get("a")).toMatchObject({ starts: 51 });
      });

      test.each([
        ["a plain error", () => new Error("no luck"), { code: "internal_error", message: "no luck" }, 2],
        [
          "an error with a code",
          () => fail("overloaded", "Later."),
          { code: "overloaded", message: "Later." },
          2,
        ],
        [
          "a final failure",
          () => new FinalFailure("gone", "No more."),
          { code: "gone", message: "No more." },
          1,
        ],
      ])("%s in the last run is the failure of the job", async (_, error, failure, starts) => {
        await add("a", { attempts: 2 });
        work(async () => {
          throw error();
        });
        await reaches("a", "failed");
        expect(await queue.get("a")).toMatchObject({ failure, result: null, starts });
      });

      test("a result that is no JSON is a failure", async () => {
        await add("a");
        const circular: { self?: unknown } = {};
        circular.self = circular;
        work(async () => circular);
        await reaches("a", "failed");
        expect((await queue.get("a"))?.failure?.code).toBe("internal_error");
      });
    });

    describe("cancelling", () => {
      test("a waiting job fails at once and never runs", async () => {
        await add("plain");
        await add("ranked", { priority: 7 });
        await add("later", { delayMs: 200 });
        await add("last", { delayMs: 400, priority: 7 });
        for (const id of ["plain", "ranked", "later"]) {
          expect(await queue.cancel(id)).toBe("cancelled");
          const job = await queue.get(id);
          expect(job).toMatchObject({ state: "failed", failure: { code: "cancelled" }, starts: 0 });
          expect(await queue.cancel(id)).toBe("finished");
        }
        expect(await queue.counts()).toMatchObject({ waiting: 1, failed: 3 });
        expect(await orderOf(1)).toEqual(["last"]);
        expect(await queue.cancel("unknown")).toBe("unknown");
      });

      test("a job at work on another node is asked to stop, and is then cancelled, whatever it throws", async () => {
        const reasons: unknown[] = [];
        await add("a", { attempts: 5 });
        work(async (_job, { signal }) => {
          await new Promise(resolve => signal.addEventListener("abort", resolve));
          reasons.push(signal.reason.code);
          throw new FinalFailure("other", "Something else.");
        });
        await reaches("a", "active");
        expect(await driver.open().queue("jobs").cancel("a")).toBe("stopping");
        await reaches("a", "failed");
        expect(await queue.get("a")).toMatchObject({ failure: { code: "cancelled" }, starts: 1 });
        expect(reasons).toEqual(["cancelled"]);
        expect(await queue.cancel("a")).toBe("finished");
      });

      test("a job at work may complete first", async () => {
        await add("a");
        work(async (_job, { signal }) => {
          await new Promise(resolve => signal.addEventListener("abort", resolve));
          return "done";
        });
        await reaches("a", "active");
        expect(await queue.cancel("a")).toBe("stopping");
        await reaches("a", "completed");
        expect((await queue.get("a"))?.result).toBe("done");
      });

      test("a failure that comes between is none: the job was cancelled", async () => {
        const gate = Promise.withResolvers<void>();
        await add("a", { attempts: 2 });
        work(async () => {
          await gate.promise;
          throw new Error("by itself");
        });
        await reaches("a", "active");
        expect(await queue.cancel("a")).toBe("stopping");
        gate.resolve();
        await reaches("a", "failed");
        expect(await queue.get("a")).toMatchObject({ failure: { code: "cancelled" }, starts: 1 });
      });
    });

    describe("removing", () => {
      test("what is not at work is forgotten, and can be added anew", async () => {
        const gate = Promise.withResolvers<void>();
        await add("done");
        await add("open");
        await add("next");
        await add("later", { delayMs: 60_000 });
        await add("ranked", { priority: 3 });
        work(async ({ id }) => (id === "open" ? await gate.promise : undefined));
        await reaches("open", "active");
        expect(await queue.remove("open")).toBe(false);
        for (const id of ["done", "next", "later", "ranked", "unknown"]) {
          expect(await queue.remove(id)).toBe(true);
          expect(await queue.get(id)).toBeNull();
        }
        expect(await queue.counts()).toEqual({ waiting: 0, active: 1, completed: 0, failed: 0 });
        expect(await add("done", { payload: "anew" })).toBe(true);
        gate.resolve();
        await reaches("done", "completed");
        expect(await queue.get("done")).toMatchObject({ payload: "anew", starts: 1 });
      });
    });

    describe("progress", () => {
      test("is what the handler last told, also falsy, also when the job has ended", async () => {
        const told: unknown[] = [];
        await add("a");
        await add("zero");
        work(async ({ id }, { progress }) => {
          for (const value of id === "a" ? [{ pages: 1 }, { pages: 2 }] : [0]) {
            await progress(value);
            told.push((await queue.get(id))?.progress);
          }
        });
        await reaches("zero", "completed");
        expect(told).toEqual([{ pages: 1 }, { pages: 2 }, 0]);
        expect((await queue.get("a"))?.progress).toEqual({ pages: 2 });
      });
    });

    describe("closing", () => {
      test("lets what is at work end, and takes no more", async () => {
        const gate = Promise.withResolvers<void>();
        await add("a");
        await add("b");
        const worker = work(async () => {
          await gate.promise;
          return "ended by itself";
        });
        await reaches("a", "active");
        const closed = worker.close(20_000);
        gate.resolve();
        await closed;
        expect(await queue.get("a")).toMatchObject({ state: "completed", result: "ended by itself" });
        expect(await queue.get("b")).toMatchObject({ state: "waiting", starts: 0 });
        await add("c");
        expect((await queue.counts()).waiting).toBe(2);
      });

      test("what does not end is aborted, and runs again elsewhere with a higher fence and all its attempts", async () => {
        const fences: number[] = [];
        await add("a", { payload: "kept", priority: 5 });
        const worker = work(async (_job, { signal, fence }) => {
          fences.push(fence);
          await new Promise(resolve => signal.addEventListener("abort", resolve));
          throw signal.reason;
        });
        await reaches("a", "active");
        await worker.close(0);
        expect(await queue.get("a")).toMatchObject({ state: "waiting", failure: null, starts: 1 });
        driver
          .open()
          .queue<string, string>("jobs")
          .work({ concurrency: 1 }, async (job, { fence }) => {
            fences.push(fence);
            return job.payload;
          });
        await reaches("a", "completed");
        expect(await queue.get("a")).toMatchObject({ result: "kept", starts: 2 });
        expect(fences[0]).toBeLessThan(Number(fences[1]));
      });

      test("a run that lost its job can neither end it nor tell its progress", async () => {
        const gate = Promise.withResolvers<void>();
        const stale: Promise<unknown>[] = [];
        const told = Promise.withResolvers<unknown>();
        await add("a");
        const first = work(async (_job, { progress }) => {
          const late = gate.promise.then(async () => {
            told.resolve(await progress("stale").catch(error => error.code));
            return "stale";
          });
          stale.push(late);
          return await late;
        });
        await reaches("a", "active");
        await first.close(0);
        const second = Promise.withResolvers<string>();
        work(async () => await second.promise);
        await reaches("a", "active");
        gate.resolve();
        expect(await told.promise).toBe("lost");
        await Promise.all(stale);
        expect(await queue.get("a")).toMatchObject({ state: "active", progress: null });
        second.resolve("of the second run");
        await reaches("a", "completed");
        expect(await queue.get("a")).toMatchObject({ result: "of the second run", starts: 2 });
      });

      test("the queues close their workers with them", async () => {
        const reasons: string[] = [];
        const node = driver.open();
        node.queue<string, unknown>("jobs").work({ concurrency: 1 }, async (_job, { signal }) => {
          await new Promise(resolve => signal.addEventListener("abort", resolve));
          reasons.push(signal.reason.code);
        });
        await add("a");
        await reaches("a", "active");
        await node.close();
        expect(reasons).toEqual(["closing"]);
        expect(await stateOf("a")).toBe("completed");
      });
    });
  });
}
