import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBullmqQueues } from "../../mixins/queue/bullmq-queue.ts";
import type { Queues } from "../../mixins/queue/queue.ts";
import { openSqliteQueues } from "../../mixins/queue/sqlite-queue.ts";
import { openSqliteStore } from "../../mixins/store/sqlite/sqlite-store.ts";
import type { Store } from "../../mixins/store/store.ts";
import type { NoticeRun } from "../../services/webhook-dispatcher/job-notices/context.ts";
import { reconcileNotices } from "../../services/webhook-dispatcher/job-notices/notice-runs.ts";
import {
  noticeCollections,
  noticesCollection,
  type StoredNotice,
} from "../../services/webhook-dispatcher/webhooks.store.ts";
import { removeFolder } from "../support/folders.ts";
import { startRedis } from "../support/redis.ts";
import { until } from "../support/until.ts";

const { signal } = new AbortController();
const onError = () => undefined;
/** What was opened, in order. */
const closing: (() => Promise<void>)[] = [];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "magpie-reconcile-"));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await removeFolder(folder);
});

async function openSqlite(): Promise<Queues> {
  return openSqliteQueues({ path: join(folder, "magpie.db"), onError });
}

async function openBullmq(): Promise<Queues> {
  const redis = await startRedis();
  closing.push(() => redis.stop());
  return openBullmqQueues({ url: redis.url, prefix: "magpie", onError });
}

function noticeOf(_id: string, dueAt: number): StoredNotice {
  const about = { keyId: "k", eventId: `evt_${_id}`, url: "", headers: {}, body: "" };
  return { _id, ...about, type: "scrape.completed", attempts: 0, run: 1, dueAt, deferrals: 0 };
}

test.each([
  ["SQLite", openSqlite],
  ["BullMQ", openBullmq],
])("late notices whose runs are lost or given up are queued again: %s", async (_, open) => {
  const queues = await open();
  closing.push(() => queues.close());
  const opened = await openSqliteStore(join(folder, "webhooks.db"), Object.entries(noticeCollections));
  closing.push(() => opened.close());
  const notices = (opened.store as unknown as Store<StoredNotice>).collection<StoredNotice>(
    noticesCollection,
  );
  const queue = queues.queue<NoticeRun>("notices");
  const stateOf = async (id: string) => (await queue.get(id))?.state;
  const now = Date.now();
  for (const id of ["lost", "failed", "done", "queued"]) await notices.insert(noticeOf(id, 1));
  await notices.insert(noticeOf("early", now));
  for (const id of ["failed.1", "done.1"]) await queue.add({ id, payload: { noticeId: "", run: 0 } });
  const worker = queue.work({ concurrency: 1 }, async ({ id }) => {
    if (id === "failed.1") throw new Error("no more");
    return null;
  });
  await until("both have ended", async () => {
    const { completed, failed } = await queue.counts();
    return completed + failed === 2;
  });
  await worker.close();
  await queue.add({ id: "queued.1", payload: { noticeId: "queued", run: 1 } });

  await reconcileNotices({ queue, notices }, now, signal);
  const kept = await notices.find({ sort: ["_id"] });
  expect(kept.map(({ _id, run }) => `${_id}.${run}`)).toEqual(["early.1", "failed.2", "lost.1", "queued.1"]);
  const states = kept.map(async ({ _id, run }) => await stateOf(`${_id}.${run}`));
  expect(await Promise.all(states)).toEqual([undefined, "waiting", "waiting", "waiting"]);
});
