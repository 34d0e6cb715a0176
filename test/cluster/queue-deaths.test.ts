import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Queues } from "../../mixins/queue/queue.ts";
import { blameForCrash } from "../../mixins/runtime/crash-suspects.ts";
import { openQueues, type Place } from "../integration/queue-place.ts";
import { removeFolder } from "../support/folders.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";
import type { Addition, Payload, Told } from "./queue.process.ts";

interface WorkerProcess {
  child: ChildProcess;
  told: Told[];
}

let folder: string;
let redis: TestRedis;
const workers: WorkerProcess[] = [];
const opened: Queues[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "magpie-queue-"));
  redis = await startRedis();
});
afterAll(async () => {
  await Promise.all(workers.map(killed));
  await Promise.all(opened.map(queues => queues.close()));
  await redis.stop();
  await removeFolder(folder);
});

const places = {
  /** Each in a folder of its own: one process at a time uses a folder. */
  sqlite: (name: string): Place => {
    mkdirSync(join(folder, name));
    return { driver: "sqlite", path: join(folder, name, "magpie.db") };
  },
  bullmq: (prefix: string): Place => ({ driver: "bullmq", url: redis.url, prefix }),
};

test.each(["sqlite", "bullmq"] as const)("%s: jobs outlive the processes that run them", async driver => {
  const place = places[driver]("deaths");
  const first = await start(place);
  await added(first, { silent: "waits", innocent: "waits", telling: "tells" });
  await until("all run", () => starts(first).length === 3);
  expect(starts(first).map(({ fence }) => fence)).toEqual([1, 1, 1]);
  await killed(first);

  const second = await start(place);
  await until("all run again", () => starts(second).length === 3);
  expect(starts(second).map(({ fence }) => fence)).toEqual([2, 2, 2]);
  await killed(second);

  const third = await start(place);
  await until("one of the suspects runs", () => starts(third).length === 2);
  const [culprit] = starts(third).flatMap(({ started }) => (started === "telling" ? [] : [started]));
  const innocent = culprit === "silent" ? "innocent" : "silent";
  await killed(third);

  const handled: [string, unknown, number][] = [];
  const stalled: unknown[] = [];
  const queue = open(place).queue<Payload, string>("jobs");
  const onStalled = async ({ id, state }: { id: string; state: string }, { fence }: { fence: number }) => {
    stalled.push([id, state, fence]);
    if (stalled.length === 1) throw new Error("the records cannot be reached");
  };
  queue.work({ concurrency: 10, onStalled }, async ({ id, progress }, { fence }) => {
    handled.push([id, progress, fence]);
    return "ended";
  });
  await until("one has ended", async () => (await queue.get("telling"))?.state === "completed");
  await until("the innocent one too", async () => (await queue.get(innocent))?.state === "completed");
  await until("one has failed", async () => (await queue.get(String(culprit)))?.state === "failed");
  expect(handled).toContainEqual(["telling", { pages: 3 }, 4]);
  expect(handled.map(([id]) => id).sort()).toEqual([innocent, "telling"].sort());
  expect(stalled).toEqual([
    [culprit, "active", 4],
    [culprit, "active", 5],
  ]);
  expect(await queue.get(String(culprit))).toMatchObject({ failure: { code: "stalled" }, result: null });
  expect(await queue.get("telling")).toMatchObject({ result: "ended", starts: 4 });
});

test.each(["sqlite", "bullmq"] as const)(
  "%s: an error that names no job is laid to the suspect that ran alone, once two deaths have made suspects",
  async driver => {
    const place = places[driver]("errors");
    for (const atWork of [2, 2, 1]) {
      const queues = open(place);
      const queue = queues.queue<null>("jobs");
      const started = new Set<string>();
      for (const id of ["one", "other"]) await queue.add({ id, payload: null });
      const worker = queue.work({ concurrency: 10 }, async ({ id }, { signal }) => {
        started.add(id);
        await once(signal, "abort");
        return signal.throwIfAborted() as never;
      });
      await until("they run", () => started.size === atWork);
      await blameForCrash(true);
      await worker.close(0);
      await queues.close();
    }
    const queue = open(place).queue<null>("jobs");
    queue.work({ concurrency: 10 }, async () => null);
    const state = async (id: string) => String((await queue.get(id))?.state);
    const states = async () => [await state("one"), await state("other")].sort();
    await until("both have ended", async () => (await states()).every(each => /completed|failed/.test(each)));
    expect(await states()).toEqual(["completed", "failed"]);
  },
);

test.each(["sqlite", "bullmq"] as const)(
  "%s: a job that errors name at two deaths fails; the one beside it is no suspect",
  async driver => {
    const place = places[driver]("named");
    const suspects: string[] = [];
    for (const _life of [1, 2]) {
      const queues = open(place);
      const queue = queues.queue<null>("jobs");
      const started = new Set<string>();
      for (const id of ["culprit", "innocent"]) await queue.add({ id, payload: null });
      const worker = queue.work({ concurrency: 10 }, async ({ id }, { signal, isSuspect }) => {
        if (isSuspect) suspects.push(id);
        if (id === "culprit") await Promise.all([blameForCrash(true), blameForCrash(false)]);
        started.add(id);
        await once(signal, "abort");
        return signal.throwIfAborted() as never;
      });
      await until("both run", () => started.size === 2);
      await worker.close(0);
      await queues.close();
    }
    const queue = open(place).queue<null>("jobs");
    queue.work({ concurrency: 10 }, async ({ id }, { isSuspect }) => {
      if (isSuspect) suspects.push(id);
      return null;
    });
    await until("the culprit fails", async () => (await queue.get("culprit"))?.state === "failed");
    await until("the other one completes", async () => (await queue.get("innocent"))?.state === "completed");
    expect(await queue.get("culprit")).toMatchObject({ failure: { code: "stalled" } });
    expect(suspects).toEqual([]);
  },
);

test.each(["sqlite", "bullmq"] as const)("%s: what was added is there after a kill -9", async driver => {
  const place = places[driver]("added");
  const adding = await start(place);
  const ids = Array.from({ length: 100 }, (_, n) => `n${n}`);
  await added(adding, Object.fromEntries(ids.map(id => [id, "waits"])));
  await killed(adding);
  const queue = open(place).queue("jobs");
  const { waiting, active } = await queue.counts();
  expect(waiting + active).toBe(100);
  for (const id of ids) expect(await queue.get(id)).toMatchObject({ id, payload: "waits" });
});

test("bullmq: a process that was stopped and goes on finds its job lost, and changes nothing", async () => {
  const place = places.bullmq("stopped");
  const stopped = await start(place);
  await added(stopped, { job: "ends" });
  await until("it runs", () => starts(stopped).length === 1);
  stopped.child.kill("SIGSTOP");

  const gate = Promise.withResolvers<void>();
  const fences: number[] = [];
  const queue = open(place).queue<Payload, string>("jobs");
  queue.work({ concurrency: 1 }, async (_job, { fence }) => {
    fences.push(fence);
    await gate.promise;
    return "of the second run";
  });
  await until("it runs elsewhere", () => fences.length === 1);
  stopped.child.kill("SIGCONT");
  await until("the lost run has ended", () => stopped.told.some(told => "ended" in told));
  gate.resolve();
  await until("it has ended", async () => (await queue.get("job"))?.state === "completed");
  expect(await queue.get("job")).toMatchObject({ result: "of the second run", starts: 2 });
  expect(fences).toEqual([2]);
});

function open(place: Place): Queues {
  const queues = openQueues(place);
  opened.push(queues);
  return queues;
}

async function start(place: Place): Promise<WorkerProcess> {
  const file = join(import.meta.dirname, "./queue.process.ts");
  const child = fork(file, [JSON.stringify(place)], { execArgv: ["--no-warnings"] });
  const worker: WorkerProcess = { child, told: [] };
  workers.push(worker);
  child.on("message", (told: Told) => worker.told.push(told));
  await until("the process works", () => {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    return worker.told.length > 0;
  });
  return worker;
}

async function added(worker: WorkerProcess, jobs: Record<string, Payload>): Promise<void> {
  const addition: Addition = { add: Object.entries(jobs).map(([id, payload]) => ({ id, payload })) };
  worker.child.send(addition);
  await until("they are added", () => worker.told.some(told => "added" in told && told.added.length > 0));
}

function starts({ told }: WorkerProcess): { started: string; fence: number }[] {
  return told.filter(message => "started" in message);
}

async function killed({ child }: WorkerProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}
