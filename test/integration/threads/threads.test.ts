import { once } from "node:events";
import { openThreads, type Threads } from "../../../mixins/threads/threads.ts";
import type { ThreadTasks } from "../../fakes/threads.worker.ts";

let threads: Threads<ThreadTasks>;
beforeEach(() => {
  threads = openThreads<ThreadTasks>({
    program: new URL("../../fakes/threads.worker.ts", import.meta.url),
    maxThreads: 1,
    maxWaiting: 1,
    memoryMb: 64,
    sentences: { tooLarge: "Too large.", busy: "Too busy." },
  });
});
afterEach(() => threads.close());

const patient = new AbortController().signal;
const running = () => new Int32Array(new SharedArrayBuffer(4));

test("answers what the task answers, bytes and nothing among it", async () => {
  expect(await threads.run("echo", { bytes: new Uint8Array([1, 2]), none: undefined }, patient)).toEqual({
    bytes: new Uint8Array([1, 2]),
    none: undefined,
  });
});

test("an expected error keeps its code, sentence and fields; any other ends the task as it is", async () => {
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
  const endless = threads.run("spin", flag, stop.signal);
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
  const endless = threads.run("spin", flag, stop.signal).catch(String);
  await Atomics.waitAsync(flag, 0, 0).value;
  const waiting = threads.run("echo", 5, patient);
  stop.abort(new Error("enough"));
  expect([await endless, await waiting]).toEqual(["Error: enough", 5]);
});

test("beyond those that may wait a task is told so at once", async () => {
  const stop = new AbortController();
  const flag = running();
  const first = threads.run("spin", flag, stop.signal).catch(String);
  await Atomics.waitAsync(flag, 0, 0).value;
  const second = threads.run("echo", 2, stop.signal).catch(String);
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
