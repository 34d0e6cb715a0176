import { DatabaseSync } from "node:sqlite";
import { jest } from "@jest/globals";
import { closeDatabase, openDatabase } from "../../mixins/store/sqlite/database.ts";
import { findAttempts } from "../../services/webhook-dispatcher/journal/find-attempts.ts";
import { LaneThread } from "../../services/webhook-dispatcher/threads/lane-thread.ts";
import type { ThreadLimits } from "../../services/webhook-dispatcher/threads/threaded-lanes.ts";
import { openWorld, type World } from "../bench/deliveries.world.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

let receiver: Receiver;
let world: World;

beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await world.stop();
  await receiver.close();
  jest.restoreAllMocks();
});

const open = async (limits: Partial<ThreadLimits>) => {
  world = await openWorld({ WEBHOOK_BACKOFF: "1s,5s,20s,60s" }, {}, limits);
};
const urlOf = (keyId: string) => `${receiver.url}/${keyId}`;
const register = (keyIds: string[]) => world.register(keyIds.map(keyId => [keyId, urlOf(keyId)]));
const arrivedAt = (keyId: string) => receiver.received.filter(({ path }) => path === `/${keyId}`);
const arrived = (keyId: string, count: number) =>
  until(`${count} at ${keyId}`, () => new Set(arrivedAt(keyId).map(({ id }) => id)).size >= count);
const inThreads = () => until("threads deliver", () => world.hasThread());
const here = () => until("no thread delivers", () => !world.hasThread());

/** Each event came once, but those whose answer was late on a busy machine, and those of each source in their order. */
async function expectEachOnce(keyId: string, count: number): Promise<void> {
  const ids = new Set<string>();
  const got = arrivedAt(keyId).filter(({ id }) => !ids.has(id) && ids.add(id));
  const failed = await findAttempts(world.context.deliveries, {
    query: { keyId, failedAs: "failed" },
    limit: 1_000,
  });
  expect(got).toHaveLength(count);
  expect(arrivedAt(keyId).length - count).toBeLessThanOrEqual(failed.attempts.length);
  const bySource = Map.groupBy(got, ({ event }) => (event.data as { source: { id: string } }).source.id);
  for (const each of bySource.values()) {
    const seqs = each.map(({ event }) => event.seq);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  }
}

const keyIds = ["a", "b", "c", "d", "e"];

test("lanes pass to threads and back while they deliver: each event comes once, in order", async () => {
  await open({ many: 50, manyWithinMs: 60_000, idleMs: 1_500, threads: 2 });
  receiver.behave({ status: 200, afterMs: 3 });
  await register(keyIds);
  let sent = 0;
  for (let turn = 0; turn < 2; turn += 1) {
    const passed = inThreads();
    let isDone = false;
    passed.then(() => {
      isDone = true;
    });
    for (; !isDone; sent += 40) {
      await world.append(keyIds, 40, `turn-${turn}-${sent}`);
      await arrived("a", sent);
    }
    await here();
  }
  for (const keyId of keyIds) await arrived(keyId, sent);
  for (const keyId of keyIds) await expectEachOnce(keyId, sent);
});

test("when a thread fails, its lanes are worked here, and what was under way is sent again with the same id", async () => {
  const posts = jest.spyOn(LaneThread.prototype, "post");
  await open({ many: 0, threads: 1, restMs: 60_000 });
  await inThreads();
  const [thread] = posts.mock.contexts as LaneThread[];
  receiver.behave("hang");
  await register(["a"]);
  await world.append(["a"], 1, "lost");
  await until("it is under way", () => receiver.unanswered() > 0);
  const before = arrivedAt("a").length;
  receiver.behave(200);
  thread?.post({ is: "gain" } as never);
  await here();
  await until("it has come again", () => arrivedAt("a").length > before);
  await world.append(["a"], 2, "more");
  await until("all have come", () => new Set(arrivedAt("a").map(({ id }) => id)).size === 3);
  const [first, again] = arrivedAt("a").slice(before - 1);
  expect(again?.id).toBe(first?.id);
});

test("a thread that hangs is ended, and its lanes are worked here", async () => {
  const killed = jest.spyOn(LaneThread.prototype, "kill");
  await open({ many: 0, threads: 1, restMs: 60_000, beatMs: 200 });
  await inThreads();
  const answer = Promise.withResolvers<void>();
  await register(["a"]);
  const other = new DatabaseSync(`${world.dataDir}/webhooks.db`);
  // It waits for this within a call of SQLite, where it takes no message.
  other.exec("BEGIN IMMEDIATE");
  await world.append(["a"], 1, "lost");
  await arrived("a", 1);
  receiver.behave({ status: 200, after: answer.promise });
  await until("it is ended", () => killed.mock.calls.length > 0);
  other.exec("ROLLBACK");
  other.close();
  await here();
  answer.resolve();
  await until("its outcome is stored", async () => {
    return (await world.context.lanes.findById("a"))?.position === 1;
  });
  const [first, again] = arrivedAt("a");
  expect(again?.id).toBe(first?.id);
});

test("a stop lets what is under way in a thread end, and its outcome is recorded", async () => {
  await open({ many: 0, threads: 1 });
  await inThreads();
  const answer = Promise.withResolvers<void>();
  receiver.behave({ status: 200, after: answer.promise });
  await register(["a"]);
  await world.append(["a"], 1, "last");
  await arrived("a", 1);
  const stopped = world.context.close();
  answer.resolve();
  await stopped;
  expect(await world.context.lanes.findById("a")).toMatchObject({ position: 1, retries: [] });
  expect(await world.context.deliveries.count()).toBe(1);
});

test("health says when a thread cannot store outcomes, and that it can again", async () => {
  await open({ many: 0, threads: 1 });
  await inThreads();
  await register(["a"]);
  const path = `${world.dataDir}/webhooks.db`;
  const database = openDatabase(path);
  database.exec("BEGIN IMMEDIATE");
  await world.append(["a"], 1, "unwritten");
  await arrived("a", 1);
  await until("it is known", async () => (await world.context.dispatcher.writeError()) !== undefined, 60_000);
  database.exec("ROLLBACK");
  closeDatabase(path);
  await until("it is over", async () => (await world.context.dispatcher.writeError()) === undefined, 60_000);
  await until("the outcome is stored", async () => {
    return (await world.context.lanes.findById("a"))?.position === 1;
  });
  expect(arrivedAt("a")).toHaveLength(1);
});
