import { once } from "node:events";
import { openThreads, type Threads, type ThreadsOptions } from "../../mixins/runtime/threads.ts";
import type { ThreadTasks } from "../fakes/threads.worker.ts";
import { until } from "../support/until.ts";

const opened: Threads<ThreadTasks>[] = [];
let threads: Threads<ThreadTasks>;
beforeEach(() => {
  threads = open();
});
afterEach(() => Promise.all(opened.splice(0).map(each => each.close())));

function open(options: Partial<ThreadsOptions> = {}): Threads<ThreadTasks> {
  const made = openThreads<ThreadTasks>({
    program: new URL("../fakes/threads.worker.ts", import.meta.url),
    maxThreads: 1,
    maxWaiting: 1,
    memoryMb: 64,
    messages: { tooLarge: "Too large.", busy: "Too busy." },
    ...options,
  });
  opened.push(made);
  return made;
}

const { signal } = new AbortController();
const patient = { group: "a", signal };
const running = () => new Int32Array(new SharedArrayBuffer(4));

test("answers what the task answers, bytes and nothing among it", async () => {
  expect(await threads.run("echo", { bytes: new Uint8Array([1, 2]), none: undefined }, patient)).toEqual({
    bytes: new Uint8Array([1, 2]),
    none: undefined,
  });
});

test("an expected error keeps its code, message and fields; any other ends the task as it is", async () => {
  await expect(threads.run("refuse", "No.", patient)).rejects.toMatchObject({
    type: "unsupported_media_type",
    code: 415,
    message: "No.",
    data: { content_type: "x/y" },
  });
  await expect(threads.run("break", null, patient)).rejects.toThrow("broken");
});

test("a thread that computes for ever is ended with the reason of the signal, and another takes its place", async () => {
  const stop = new AbortController();
  const flag = running();
  const endless = threads.run("spin", flag, { ...patient, signal: stop.signal });
  // The thread is at it, so that it is it that is ended and not a task that waits.
  await Atomics.waitAsync(flag, 0, 0).value;
  const aborted = once(stop.signal, "abort");
  stop.abort(new Error("enough"));
  await aborted;
  await expect(endless).rejects.toThrow("enough");
  expect(await threads.run("echo", 1, patient)).toBe(1);
});

test("a task that waited for a thread that was ended is run by the next one", async () => {
  const stop = new AbortController();
  const flag = running();
  const endless = threads.run("spin", flag, { ...patient, signal: stop.signal }).catch(String);
  await Atomics.waitAsync(flag, 0, 0).value;
  const waiting = threads.run("echo", 5, patient);
  stop.abort(new Error("enough"));
  expect([await endless, await waiting]).toEqual(["Error: enough", 5]);
});

test("a task beyond those that may wait is rejected at once", async () => {
  const stop = new AbortController();
  const flag = running();
  const first = threads.run("spin", flag, { ...patient, signal: stop.signal }).catch(String);
  await Atomics.waitAsync(flag, 0, 0).value;
  const second = threads.run("echo", 2, { ...patient, signal: stop.signal }).catch(String);
  await expect(threads.run("echo", 3, patient)).rejects.toMatchObject({
    type: "overloaded",
    message: "Too busy.",
  });
  stop.abort(new Error("enough"));
  expect(await Promise.all([first, second])).toEqual(["Error: enough", "Error: enough"]);
  expect(await threads.run("echo", 4, patient)).toBe(4);
});

test("a task that needs too much memory is a failure of its own, and not of the process", async () => {
  await expect(threads.run("grow", null, patient)).rejects.toMatchObject({
    type: "upstream_error",
    message: "Too large.",
  });
  expect(await threads.run("echo", 4, patient)).toBe(4);
});

/** Begins to compute for ever, for a group. */
async function spin(on: Threads<ThreadTasks>, group: string) {
  const stop = new AbortController();
  const flag = running();
  const ended = on.run("spin", flag, { group, signal: stop.signal }).catch(String);
  await Atomics.waitAsync(flag, 0, 0).value;
  return async () => {
    stop.abort(new Error("enough"));
    await ended;
  };
}

test("a group that computes for ever holds its share of the threads; another group has its turn", async () => {
  const shared = open({ maxThreads: 2, maxPerGroup: 1 });
  const stop = await spin(shared, "a");
  const waiting = shared.run("echo", 1, patient);
  expect(await shared.run("echo", 2, { group: "b", signal })).toBe(2);
  await expect(shared.run("echo", 3, patient)).rejects.toMatchObject({ type: "overloaded" });
  expect(await shared.run("echo", 4, { group: "b", signal })).toBe(4);
  await stop();
  expect(await waiting).toBe(1);
});

test("a group whose thread is ended waits itself for the next one; another group keeps its own", async () => {
  const shared = open({ maxThreads: 3, maxPerGroup: 2 });
  const who = () => shared.run("who", null, { group: "b", signal });
  await (await spin(shared, "a"))();
  const stop = await spin(shared, "a");
  const first = await who();
  await stop();
  for (let n = 0; n < 3; n += 1) {
    await (await spin(shared, "a"))();
    expect(await who()).toBe(first);
  }
});

test("a task has so much time of its own, waiting not counted", async () => {
  const stop = await spin(threads, "b");
  const endless = threads.run("spin", running(), { ...patient, maxMs: 100 });
  setTimeout(stop, 300);
  await expect(endless).rejects.toMatchObject({ name: "TimeoutError" });
  expect(await threads.run("echo", 1, patient)).toBe(1);
});

test("a thread is ready before the first task, so is one in the place of an ended one, and a spare one", async () => {
  const warm = open({
    maxThreads: 2,
    spareMs: Number.POSITIVE_INFINITY,
    warmUp: async () => ({ task: "warm", input: null }),
  });
  await until("a thread is ready", () => warm.ready() === 1);
  const stop = await spin(warm, "a");
  await until("a spare thread is ready", () => warm.ready() === 1);
  await stop();
  await until("both are ready", () => warm.ready() === 2);
  expect(await warm.run("isWarm", null, patient)).toBe(true);
});

test("the last thread ends when there has been no task for a while, and the next task starts one", async () => {
  const brief = open({ spareMs: 50, warmUp: async () => ({ task: "warm", input: null }) });
  expect(brief.ready()).toBe(0);
  expect(await brief.run("echo", 1, patient)).toBe(1);
  expect(brief.ready()).toBe(1);
  await until("no thread is left", () => brief.ready() === 0);
  expect(await brief.run("echo", 2, patient)).toBe(2);
});

test("two threads stay for the time of the last one, others end before", async () => {
  const several = open({ maxThreads: 3, spareMs: 600_000, restMs: 50 });
  const stops = await Promise.all(["a", "b", "c"].map(group => spin(several, group)));
  expect(several.open()).toBe(3);
  await Promise.all(stops.map(stop => stop()));
  await until("two threads are open", () => several.open() === 2);
  await several.run("echo", 1, patient);
  expect(several.open()).toBe(2);
});

test("what waits when the threads are closed is refused, and starts none", async () => {
  const stop = await spin(threads, "a");
  const waiting = expect(threads.run("echo", 1, patient)).rejects.toMatchObject({ type: "overloaded" });
  await threads.close();
  await waiting;
  await stop();
  expect(threads.ready()).toBe(0);
});

test("a thread without work gives back the memory that its last task has left", async () => {
  const roomy = open({ memoryMb: 512 });
  const told = running();
  expect(await roomy.run("litter", told, patient)).toBeGreaterThan(100);
  await until("the heap is small", () => told[0] !== 0 && Number(told[0]) < 50);
});
