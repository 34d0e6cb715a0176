import { shardOf } from "../../../services/domain/delivery/lane.ts";
import type { ThreadEvents } from "../../../services/webhook-dispatcher/threads/lane-thread.ts";
import type { ToThread } from "../../../services/webhook-dispatcher/threads/messages.ts";
import {
  ThreadedLanes,
  type ThreadLimits,
} from "../../../services/webhook-dispatcher/threads/threaded-lanes.ts";
import { until } from "../../support/until.ts";
import { lease } from "./one-lane.ts";

interface FakeThread {
  /** Answers what it is asked; by default, never. */
  answer(name: string): Promise<unknown>;
  killedBy: unknown;
  events: ThreadEvents;
  posted: ToThread[];
  isStopped: boolean;
}

const [k, m] = ["k", "m"];

function fixture(given: Partial<ThreadLimits> = {}, mostThreads = Number.POSITIVE_INFINITY) {
  const threads: FakeThread[] = [];
  const calls: string[] = [];
  const errors: unknown[] = [];
  const gained = new Set<number>();
  const dispatcher = {
    gain: (shard: number, _: unknown, withheld: string[] = []) => {
      gained.add(shard);
      if (withheld.length > 0) calls.push(`withhold ${withheld}`);
    },
    pass: (shards: number[]) => {
      for (const shard of shards) gained.delete(shard);
      return { keyIds: [k], leaving: new Map([[k, leaving.promise]]) };
    },
    get shards() {
      return [...gained];
    },
    works: (keyId: string) => gained.has(shardOf(keyId)),
    wake: (keyIds: string[]) => void calls.push(`wake ${keyIds}`),
    admit: (laneIds: string[]) => void calls.push(`admit ${laneIds}`),
    stop: async () => void calls.push("stop"),
  };
  const leaving = Promise.withResolvers<void>();
  const long = { manyWithinMs: 60_000, idleMs: 60_000, restMs: 60_000, beatMs: 60_000, askMs: 60_000 };
  const limits = { threads: 1, many: 3, ...long, ...given };
  const lanes = new ThreadedLanes(
    {
      dispatcher,
      waiting: { dispatcher: { busy: [] } },
      checkShard: () => undefined,
      writeError: async () => undefined,
    } as never,
    {
      limits,
      open: events => {
        if (threads.length >= mostThreads) throw new Error("no more threads");
        const thread: FakeThread = {
          events,
          posted: [],
          isStopped: false,
          killedBy: undefined,
          answer: () => new Promise(() => undefined),
        };
        threads.push(thread);
        return {
          post: (message: ToThread) => void thread.posted.push(message),
          ask: (name: string) => thread.answer(name),
          kill: (error: unknown) => {
            thread.killedBy = error;
          },
          stop: async () => {
            thread.isStopped = true;
          },
        } as never;
      },
      share: () => {
        calls.push("share");
        return () => void calls.push("unshare");
      },
      onError: error => errors.push(error),
    },
  );
  for (const keyId of [k, m]) lanes.gain(shardOf(keyId), lease);
  const load = () => {
    for (let n = 0; n < 3; n += 1) lanes.noteRequest();
  };
  return { lanes, threads, calls, errors, load, leaving };
}

test("few requests start no thread, many do, and its shards pass once it is ready", async () => {
  const { lanes, threads, calls, load, leaving } = fixture();
  lanes.noteRequest();
  expect(threads).toHaveLength(0);
  load();
  load();
  expect([threads.length, lanes.threads]).toEqual([1, 0]);
  lanes.wake([k]);
  threads[0]?.events.ready();
  expect([lanes.threads, lanes.shards.sort(), lanes.works(k)]).toEqual([
    1,
    [shardOf(k), shardOf(m)].sort(),
    true,
  ]);
  lanes.wake([k, m]);
  leaving.resolve();
  await leaving.promise;
  const shards = [shardOf(k), shardOf(m)];
  expect(threads[0]?.posted).toEqual([
    { is: "gain", shards, keyIds: [k], withheld: [k] },
    { is: "wake", keyIds: [k, m] },
    { is: "admit", laneIds: [k] },
  ]);
  expect(calls).toEqual(["share", "wake k"]);
});

test("each of several threads has its part of the shards", () => {
  const { lanes, threads, load } = fixture({ threads: 2 });
  load();
  for (const each of threads) each.events.ready();
  const parts = threads.map(({ posted }) => posted.flatMap(each => (each.is === "gain" ? each.shards : [])));
  expect(parts.flat().sort()).toEqual([shardOf(k), shardOf(m)].sort());
  for (const [place, part] of parts.entries()) for (const shard of part) expect(shard % 2).toBe(place);
  lanes.reread([m]);
  expect(threads[shardOf(m) % 2]?.posted.at(-1)).toEqual({ is: "reread", keyIds: [m] });
});

test("a thread whose shards came back ends once its last lane has left", () => {
  const { lanes, threads, calls, load } = fixture();
  load();
  threads[0]?.events.ready();
  const shards = [shardOf(k), shardOf(m)];
  threads[0]?.events.passed({ shards, keyIds: [m], withheld: [k] });
  expect([threads[0]?.isStopped, lanes.threads]).toEqual([false, 0]);
  threads[0]?.events.admit([k]);
  expect(threads[0]?.isStopped).toBe(true);
  threads[0]?.events.ended(undefined);
  expect(calls).toEqual([
    "share",
    `withhold ${k}`,
    `withhold ${k}`,
    "wake m",
    "admit k",
    "admit ",
    "unshare",
  ]);
});

test("a thread that fails gives its lanes back, and for a while there is none", () => {
  const { lanes, threads, calls, errors, load } = fixture();
  load();
  threads[0]?.events.ready();
  threads[0]?.events.passed({ shards: [shardOf(k)], keyIds: [], withheld: [k] });
  threads[0]?.events.ended(new Error("out of memory"));
  expect([errors.length, lanes.threads, lanes.works(m)]).toEqual([1, 0, true]);
  expect(calls).toContain("admit k");
  // What was busy when it went to the thread.
  expect(calls).toContain("wake k");
  load();
  expect(threads).toHaveLength(1);
});

test("a thread that cannot start leaves the lanes here", () => {
  const { lanes, threads, errors, calls, load } = fixture({ restMs: 0 });
  load();
  threads[0]?.events.ended(new Error("no memory"));
  expect([errors.length, lanes.works(k), calls.at(-1)]).toEqual([1, true, "unshare"]);
  load();
  expect(threads).toHaveLength(2);
});

test("a request goes out although no thread can be opened, and the next is tried after a rest", () => {
  const { lanes, threads, errors, calls, load } = fixture({}, 0);
  load();
  load();
  expect([errors.length, threads.length, lanes.works(k)]).toEqual([1, 0, true]);
  expect(calls).toEqual(["share", "unshare"]);
});

test("where only some threads can be opened, those end", () => {
  const { lanes, threads, errors, calls, load } = fixture({ threads: 2 }, 1);
  load();
  load();
  expect([errors.length, threads[0]?.posted]).toEqual([1, [{ is: "pass" }]]);
  threads[0]?.events.ready();
  threads[0]?.events.passed({ shards: [], keyIds: [], withheld: [] });
  threads[0]?.events.ended(undefined);
  expect([lanes.works(k), threads[0]?.isStopped, calls]).toEqual([
    true,
    true,
    ["share", "wake ", "admit ", "unshare"],
  ]);
});

test("a stop ends the threads, and starts none", async () => {
  const { lanes, threads, load } = fixture({ many: 0 });
  expect(threads).toHaveLength(1);
  await lanes.stop();
  expect(threads[0]?.isStopped).toBe(true);
  threads[0]?.events.ended(undefined);
  load();
  expect(threads).toHaveLength(1);
});

test("a thread that answers no more is ended, and its lanes come back once it has ended", async () => {
  const { lanes, threads, errors, load } = fixture({ beatMs: 2 });
  load();
  const [thread] = threads;
  thread?.events.ready();
  await until("it is ended", () => thread?.killedBy !== undefined);
  // It may still write.
  expect([lanes.threads, errors]).toEqual([1, []]);
  thread?.events.ended(thread.killedBy);
  expect([lanes.threads, lanes.works(k), errors]).toEqual([0, true, [thread?.killedBy]]);
});

test("a thread that answers goes on", async () => {
  const { threads, load } = fixture({ beatMs: 2 });
  load();
  const [thread] = threads;
  let asked = 0;
  if (thread)
    thread.answer = async name => {
      expect(name).toBe("beat");
      asked += 1;
    };
  thread?.events.ready();
  await until("it was asked often", () => asked > 9);
  expect(thread?.killedBy).toBeUndefined();
});

test("requests do not wait for a thread that does not answer, whose outcomes may not be stored", async () => {
  const { lanes, threads, load } = fixture({ askMs: 5 });
  load();
  const [thread] = threads;
  thread?.events.ready();
  expect(await lanes.waiting()).toEqual({ lag: 0, waiting: 0 });
  expect(await lanes.writeError()).toMatch(/has not told/);
  const answers: Record<string, unknown> = { waiting: { lag: 2, waiting: 3 } };
  if (thread) thread.answer = async name => answers[name];
  expect(await lanes.waiting()).toEqual({ lag: 2, waiting: 3 });
  expect(await lanes.writeError()).toBeUndefined();
});
