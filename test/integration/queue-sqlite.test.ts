import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceBroker } from "moleculer";
import { queueMixin, type WithQueues } from "../../mixins/queue/queue.mixin.ts";
import type { Queue, Queues } from "../../mixins/queue/queue.ts";
import { openSqliteQueues } from "../../mixins/queue/sqlite-queue.ts";
import { closeDatabase, type Database, openDatabase } from "../../mixins/store/sqlite/database.ts";
import { removeFolder } from "../support/folders.ts";
import { until } from "../support/until.ts";

const hourMs = 3_600_000;
let folder: string;
let path: string;
let now: number;
let errors: unknown[];
let queues: Queues;
let queue: Queue<string, string>;
let database: Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "magpie-queue-"));
  path = join(folder, "magpie.db");
  now = Date.parse("2026-01-01T00:00:00.000Z");
  errors = [];
  database = openDatabase(path);
  queues = openSqliteQueues({ path, now: () => now, onError: error => errors.push(error) });
  queue = queues.queue<string, string>("jobs");
});
afterEach(async () => {
  await queues.close();
  closeDatabase(path);
  await removeFolder(folder);
});

const reaches = (id: string, state: string) =>
  until(`${id} is ${state}`, async () => (await queue.get(id))?.state === state);

test("what ended is known for 24 h, and goes when something else ends", async () => {
  const worker = queue.work({ concurrency: 1 }, async ({ payload }) => {
    if (payload === "fails") throw new Error("no luck");
    return payload;
  });
  await queue.add({ id: "completed", payload: "ends" });
  await queue.add({ id: "failed", payload: "fails" });
  await reaches("failed", "failed");
  now += 24 * hourMs;
  await queue.add({ id: "next", payload: "ends" });
  await reaches("next", "completed");
  expect(await queue.counts()).toMatchObject({ completed: 2, failed: 1 });
  now += 1;
  await queue.add({ id: "last", payload: "ends" });
  await reaches("last", "completed");
  expect(await queue.counts()).toMatchObject({ completed: 2, failed: 0 });
  await worker.close();
});

test("a clock that is set back delays nothing that was due", async () => {
  const started: string[] = [];
  await queue.add({ id: "due", payload: "" });
  now -= hourMs;
  await queue.add({ id: "added-later", payload: "" });
  queue.work({ concurrency: 1 }, async ({ id }) => {
    started.push(id);
    return id;
  });
  await until("both ran", () => started.length === 2);
  expect(started).toEqual(["due", "added-later"]);
});

test("what cannot be written goes alone; the steps beside it stand", async () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const other = queues.queue<unknown>("jobs");
  const additions = ["a", "b", "c"].map(id => other.add({ id, payload: id === "b" ? circular : id }));
  const settled = await Promise.allSettled(additions);
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect([await queue.get("b"), (await queue.get("c"))?.payload]).toEqual([null, "c"]);
});

test("an end that cannot be written is written later, without another run", async () => {
  let runs = 0;
  database.exec(`CREATE TRIGGER full BEFORE UPDATE ON queue_jobs WHEN NEW.state = 'completed'
    BEGIN SELECT RAISE(FAIL, 'the disk is full'); END`);
  await queue.add({ id: "a", payload: "" });
  queue.work({ concurrency: 1 }, async () => {
    runs += 1;
    return "kept";
  });
  await until("it could not be written", () => errors.length > 0);
  expect(await queue.get("a")).toMatchObject({ state: "active" });
  database.exec("DROP TRIGGER full");
  await reaches("a", "completed");
  expect([(await queue.get("a"))?.result, runs]).toEqual(["kept", 1]);
});

test("jobs that could not be taken are taken later", async () => {
  database.exec(`CREATE TRIGGER full BEFORE UPDATE ON queue_jobs WHEN NEW.state = 'active'
    BEGIN SELECT RAISE(FAIL, 'the disk is full'); END`);
  await queue.add({ id: "a", payload: "" });
  queue.work({ concurrency: 1 }, async () => "done");
  await until("it could not be taken", () => errors.length > 0);
  database.exec("DROP TRIGGER full");
  await reaches("a", "completed");
  expect((await queue.get("a"))?.starts).toBe(1);
});

test("a delayed job whose worker closes is started by another one of the process", async () => {
  const leaving = queue.work({ concurrency: 1 }, async () => "of the one that left");
  await queue.add({ id: "a", payload: "", delayMs: 50 });
  queue.work({ concurrency: 1 }, async () => "of the one that stayed");
  await leaving.close();
  now += 50;
  await reaches("a", "completed");
  expect((await queue.get("a"))?.result).toBe("of the one that stayed");
});

test("no query of it reads a whole table or sorts", () => {
  const plan = (sql: string) =>
    database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(row => String(row.detail))
      .filter(detail => /SCAN queue_jobs(?! USING COVERING)|TEMP B-TREE/.test(detail));
  const queries = [
    "SELECT * FROM queue_jobs WHERE queue = 'q' AND id = 'a'",
    "SELECT n FROM queue_jobs WHERE queue = 'q' AND state = 'waiting' ORDER BY priority, n LIMIT 5",
    "UPDATE queue_jobs SET state = 'waiting' WHERE queue = 'q' AND state = 'delayed' AND at <= 9",
    "SELECT at FROM queue_jobs WHERE queue = 'q' AND state = 'delayed' ORDER BY at LIMIT 1",
    "SELECT n FROM queue_jobs WHERE queue = 'q' AND state = 'completed' AND at < 9 ORDER BY at LIMIT 5",
    "SELECT * FROM queue_jobs WHERE queue = 'q' AND state = 'active'",
    "SELECT state, count(*) FROM queue_jobs WHERE queue = 'q' GROUP BY state",
  ];
  for (const sql of queries) expect([sql, plan(sql)]).toEqual([sql, []]);
});

test("services of one process share their queues, which close with them and are there after a restart", async () => {
  const dataDir = join(folder, "house");
  const start = async () => {
    const broker = new ServiceBroker({ logger: false });
    const services = ["one", "two"].map(name =>
      broker.createService({ name, mixins: [queueMixin({ dataDir })] }),
    );
    await broker.start();
    const [one, two] = services.map(service =>
      (service as unknown as WithQueues).queues.queue<string, string>("jobs"),
    );
    if (!one || !two) throw new Error("a service is missing");
    return { broker, one, two };
  };
  const { broker, one, two } = await start();
  one.work({ concurrency: 1 }, async ({ payload }, { signal }) => {
    if (payload === "waits") await new Promise(resolve => signal.addEventListener("abort", resolve));
    signal.throwIfAborted();
    return "done";
  });
  await two.add({ id: "a", payload: "ends" });
  await until("it has ended", async () => (await two.get("a"))?.state === "completed");
  await two.add({ id: "b", payload: "waits" });
  await until("it runs", async () => (await two.get("b"))?.state === "active");
  await broker.stop();
  const again = await start();
  expect(await again.two.get("a")).toMatchObject({ result: "done" });
  expect(await again.two.get("b")).toMatchObject({ state: "waiting", starts: 1 });
  await again.broker.stop();
});
