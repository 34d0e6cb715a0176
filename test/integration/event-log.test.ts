import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { jest } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { DurableGate } from "../../mixins/event-log/durable-gate.ts";
import { gateOf, openEmbeddedLog } from "../../mixins/event-log/embedded.log.ts";
import { logMixin, type WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import type { NewEvent } from "../../mixins/event-log/event-log.ts";
import { eventId } from "../../mixins/event-log/stored-event.ts";
import { diskBlobs } from "../../mixins/store/blobs/disk.blobs.ts";
import { closeDatabase, openDatabase, shareDatabase } from "../../mixins/store/sqlite/database.ts";
import { logSuite, sealingAtOnce, sealsFour } from "../suites/event-log.suite.ts";
import { removeFolder } from "../support/folders.ts";
import { until } from "../support/until.ts";

const folders: string[] = [];
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), "magpie-log-"));
  folders.push(path);
  return path;
};
afterAll(async () => {
  for (const path of folders) await removeFolder(path);
});

const event = (bodyId: string, ...keyIds: string[]): NewEvent => ({
  bodyId,
  type: "webhook.test",
  timestamp: "2026-01-01T00:00:00.000Z",
  data: { source: null },
  keyIds,
});

logSuite("sqlite", async () => {
  let now = Date.parse("2026-01-01T00:00:00.000Z");
  const path = join(folder(), "magpie.db");
  const log = openEmbeddedLog({
    path,
    notify: appended => log.receive(appended),
    onEntries: () => undefined,
    now: () => now,
  });
  return {
    log,
    now: () => now,
    advance: ms => {
      now += ms;
    },
    close: () => log.close(),
  };
});

logSuite("sqlite, sealed after each append", async () => {
  let now = Date.parse("2026-01-01T00:00:00.000Z");
  const data = folder();
  const blobs = diskBlobs(join(data, "blobs"));
  const log = openEmbeddedLog({
    path: join(data, "magpie.db"),
    notify: appended => log.receive(appended),
    onEntries: () => undefined,
    keeping: { blobs, retentionMs: 72 * 3_600_000, hotMs: -1, limits: sealsFour },
    now: () => now,
  });
  return {
    log: sealingAtOnce(log, () => now),
    now: () => now,
    advance: ms => {
      now += ms;
    },
    close: () => log.close(),
  };
});

test("ids are a function of key, body and time", () => {
  const id = eventId("k", "b", "2026-01-01T00:00:00.000Z");
  expect(id).toBe("evt_01KDVDNA00X2QCY483R1BXCF5T");
  expect(eventId("k", "c", "2026-01-01T00:00:00.000Z").slice(4, 14)).toBe(id.slice(4, 14));
  expect(eventId("kb", "", "2026-01-01T00:00:00.000Z")).not.toBe(
    eventId("k", "b", "2026-01-01T00:00:00.000Z"),
  );
});

describe("the embedded log", () => {
  test("nothing is left of what was pruned or dropped", async () => {
    const path = join(folder(), "magpie.db");
    const database = openDatabase(path);
    const log = openEmbeddedLog({ path, notify: () => undefined, onEntries: () => undefined });
    await log.append([event("a", "k1", "k2"), event("b", "k2")]);
    const count = (table: string) => Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
    await log.drop("k2");
    expect(["log_bodies", "log_entries", "log_keys"].map(count)).toEqual([1, 1, 1]);
    await log.prune(new Date(Date.now() + 80 * 3_600_000));
    expect(["log_bodies", "log_entries", "log_keys"].map(count)).toEqual([0, 0, 1]);
    log.close();
    closeDatabase(path);
  });

  test("a log that is closed while it is pruned leaves the rest for later", async () => {
    const path = join(folder(), "magpie.db");
    const options = { path, notify: () => undefined, onEntries: () => undefined };
    const first = openEmbeddedLog(options);
    await first.append(Array.from({ length: 1200 }, (_, n) => event(`b${n}`, "k1")));
    const later = new Date(Date.now() + 80 * 3_600_000);
    const pruned = first.prune(later);
    first.close();
    const again = openEmbeddedLog(options);
    expect([await pruned, await again.prune(later)]).toEqual([500, 700]);
    expect(await again.bounds("k1")).toEqual({ oldest: 1201, latest: 1200 });
    again.close();
  });

  test("readers see an event once it is on the disk, and not before", async () => {
    const path = join(folder(), "magpie.db");
    const database = openDatabase(path);
    const [writer, reader] = [1, 2].map(() =>
      openEmbeddedLog({ path, notify: () => undefined, onEntries: () => undefined }),
    );
    if (!writer || !reader) throw new Error("two were opened");
    const append = (id: string) => writer.append([event(id, "k1"), event(`${id}'`, "k1", id)]);
    const seen = async () => {
      const { events } = await reader.readWithin("k1", 0, { events: 9, bytes: 9999 });
      const { oldest, latest } = await reader.bounds("k1");
      const position = await reader.positionAt("k1", new Date(Date.now() + 9999));
      return [events.length, (await reader.read("k1", 0, 9)).length, oldest, latest, position];
    };
    await append("a");
    await writer.prune(new Date(Date.now() + 80 * 3_600_000));
    const syncs = [1, 2, 3].map(() => Promise.withResolvers<void>());
    const kept = jest.spyOn(database, "kept");
    const appendTo = (disk: number, id: string) => {
      kept.mockReturnValue(syncs[disk]?.promise ?? Promise.reject(new Error("no such sync")));
      return append(id);
    };
    const first = [appendTo(0, "b"), appendTo(0, "c")];
    const second = appendTo(1, "d");
    expect(await seen()).toEqual([0, 0, 3, 2, 2]);
    expect(await reader.bounds("b")).toEqual({ oldest: 0, latest: 0 });
    syncs[0]?.resolve();
    await Promise.all(first);
    expect(await seen()).toEqual([4, 4, 3, 6, 6]);
    syncs[1]?.reject(new Error("no space"));
    await expect(second).rejects.toThrow("no space");
    expect(await seen()).toEqual([4, 4, 3, 6, 6]);
    const third = appendTo(2, "e");
    syncs[2]?.resolve();
    await third;
    expect(await seen()).toEqual([8, 8, 3, 10, 10]);
    kept.mockRestore();
    await Promise.all([writer.close(), reader.close()]);
    closeDatabase(path);
  });

  test("a thread sees an event once it is on the disk, and not before", async () => {
    const path = join(folder(), "magpie.db");
    const database = openDatabase(path);
    const log = openEmbeddedLog({ path, notify: () => undefined, onEntries: () => undefined });
    await log.append([event("a", "k1", "k2")]);
    const endSharing = shareDatabase(path);
    const worker = new Worker(new URL("./log-reader.worker.ts", import.meta.url), {
      workerData: { path, gate: gateOf(path) },
    });
    const answers: unknown[] = [];
    worker.on("message", answer => answers.push(answer));
    const disk = Promise.withResolvers<void>();
    const kept = jest.spyOn(database, "kept").mockReturnValue(disk.promise);
    const appended = log.append([event("b", "k2", "k3")]);
    const read = async (...keyIds: string[]) => {
      answers.length = 0;
      for (const keyId of keyIds) worker.postMessage(keyId);
      await until("it has read them", () => answers.length === keyIds.length);
      return answers;
    };
    expect(await read("k3", "k2", "k1")).toEqual([
      ["k3", 0, 0],
      ["k2", 1, 1],
      ["k1", 1, 1],
    ]);
    kept.mockRestore();
    disk.resolve();
    await appended;
    expect(await read("k3", "k2")).toEqual([
      ["k3", 1, 1],
      ["k2", 2, 2],
    ]);
    await worker.terminate();
    endSharing();
    await log.close();
    closeDatabase(path);
  });

  test("a clock that is set back hides nothing from a thread that is on the disk", async () => {
    const path = join(folder(), "magpie.db");
    const database = openDatabase(path);
    let now = Date.now();
    const log = openEmbeddedLog({
      path,
      notify: () => undefined,
      onEntries: () => undefined,
      now: () => now,
    });
    await log.append([event("a", "k1")]);
    now -= 3_600_000;
    const disk = Promise.withResolvers<void>();
    const kept = jest.spyOn(database, "kept").mockReturnValue(disk.promise);
    const appended = log.append([event("b", "k2")]);
    const silent = () => undefined;
    const reader = openEmbeddedLog({ path, notify: silent, onEntries: silent, gate: gateOf(path) });
    const seen = async () => [(await reader.read("k1", 0, 9)).length, (await reader.read("k2", 0, 9)).length];
    expect(await seen()).toEqual([1, 0]);
    kept.mockRestore();
    disk.resolve();
    await appended;
    expect(await seen()).toEqual([1, 1]);
    await reader.close();
    await log.close();
    closeDatabase(path);
  });

  test("an append that is repeated after its disk has failed is seen", async () => {
    const path = join(folder(), "magpie.db");
    const database = openDatabase(path);
    const log = openEmbeddedLog({ path, notify: () => undefined, onEntries: () => undefined });
    const kept = jest.spyOn(database, "kept").mockReturnValueOnce(Promise.reject(new Error("no space")));
    kept.mockReturnValueOnce(Promise.reject(new Error("no space")));
    await expect(log.append([event("a", "k1")])).rejects.toThrow("no space");
    expect(await log.read("k1", 0, 9)).toEqual([]);
    expect(await log.append([event("a", "k1")])).toEqual([]);
    expect(await log.read("k1", 0, 9)).toHaveLength(1);
    kept.mockRestore();
    await log.close();
    closeDatabase(path);
  });

  test("no number of an append is given twice, whatever the process before left behind", async () => {
    const path = join(folder(), "magpie.db");
    const open = () => openEmbeddedLog({ path, notify: () => undefined, onEntries: () => undefined });
    const first = open();
    await first.append([event("a", "k1")]);
    await first.close();
    const database = openDatabase(path);
    // As an earlier release has made it.
    database.exec("ALTER TABLE log_entries DROP COLUMN append");
    const second = open();
    expect(await second.bounds("k1")).toEqual({ oldest: 1, latest: 1 });
    await second.append([event("b", "k1")]);
    const numbers = () => database.prepare("SELECT append FROM log_entries ORDER BY seq").all();
    const [, before] = numbers().map(({ append }) => Number(append));
    await second.close();
    closeDatabase(path);
    const third = open();
    expect(await third.read("k1", 0, 9)).toHaveLength(2);
    expect(new DurableGate(gateOf(path)).to).toBeGreaterThan(before ?? Number.NaN);
    await third.close();
  });

  test("no query of it reads a whole table", () => {
    const path = join(folder(), "magpie.db");
    const database = openDatabase(path);
    const log = openEmbeddedLog({ path, notify: () => undefined, onEntries: () => undefined });
    const plan = (sql: string) =>
      database
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(row => String(row.detail))
        .filter(detail => /SCAN log_|TEMP B-TREE/.test(detail));
    expect(plan("SELECT key_id, seq FROM log_entries WHERE at < 9 ORDER BY at, key_id, seq LIMIT 5")).toEqual(
      [],
    );
    expect(
      plan(
        "SELECT 1 FROM log_entries JOIN log_bodies ON n = body WHERE key_id = 'k' AND seq > 3 AND append <= 4 ORDER BY seq",
      ),
    ).toEqual([]);
    expect(
      plan("SELECT seq FROM log_entries WHERE key_id = 'k' AND append <= 4 ORDER BY seq DESC LIMIT 1"),
    ).toEqual([]);
    expect(
      plan(
        "SELECT value FROM json_each('[]') WHERE value NOT IN (SELECT key_id FROM log_entries WHERE body = 1)",
      ),
    ).toEqual([]);
    expect(
      plan(
        "DELETE FROM log_bodies WHERE n IN (SELECT value FROM json_each('[]')) AND NOT EXISTS (SELECT 1 FROM log_entries WHERE body = n)",
      ),
    ).toEqual([]);
    log.close();
    closeDatabase(path);
  });
});

test("services of one process share the log and are notified of each other's appends; it is there after a restart", async () => {
  const dataDir = folder();
  const start = async () => {
    const broker = new ServiceBroker({ logger: false });
    const services = ["one", "two"].map(name =>
      broker.createService({ name, mixins: [logMixin({ dataDir })] }),
    );
    await broker.start();
    return { broker, logs: services.map(service => (service as unknown as WithLog).log) };
  };
  const { broker, logs } = await start();
  const notified: string[][] = [];
  for (const log of logs) log.onAppended(keyIds => notified.push(keyIds));
  await logs[0]?.append([event("a", "k1")]);
  await until("both are notified", () => notified.length === 2);
  expect(await logs[1]?.read("k1", 0, 10)).toMatchObject([{ seq: 1 }]);
  await broker.stop();
  const again = await start();
  expect(await again.logs[0]?.read("k1", 0, 10)).toMatchObject([{ seq: 1, type: "webhook.test" }]);
  await again.broker.stop();
});

describe("kill -9", () => {
  const writer = `
    import { gateOf, openEmbeddedLog } from "./mixins/event-log/embedded.log.ts";
    const log = openEmbeddedLog({ path: process.argv[1], notify: () => undefined, onEntries: () => undefined });
    for (let n = 0; ; n++) {
      const keyIds = ["k1", "k2", "k3"].slice(n % 3);
      await log.append([{ bodyId: "b" + n, type: "webhook.test", timestamp: new Date().toISOString(), data: { source: null, n }, keyIds }]);
      await new Promise(done => process.stdout.write(n + "\\n", done));
    }`;
  const write = (path: string): ChildProcess =>
    spawn(process.execPath, ["--input-type=module", "-e", writer, path], {
      stdio: ["ignore", "pipe", "inherit"],
    });

  test.each([30, 100, 300])("after %d acknowledged appends: none lost, none doubled, no gap", async count => {
    const path = join(folder(), "magpie.db");
    const child = write(path);
    let acknowledged = 0;
    child.stdout?.on("data", chunk => {
      acknowledged += String(chunk).split("\n").length - 1;
      if (acknowledged >= count) child.kill("SIGKILL");
    });
    await once(child, "close");
    expect(acknowledged).toBeGreaterThanOrEqual(count);
    const log = openEmbeddedLog({ path, notify: () => undefined, onEntries: () => undefined });
    for (const [at, keyId] of ["k1", "k2", "k3"].entries()) {
      const events = await log.read(keyId, 0, 100_000);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, n) => n + 1));
      const numbers = events.map(({ data }) => Number(data.n));
      const expected = Array.from({ length: acknowledged }, (_, n) => n).filter(n => n % 3 <= at);
      // One append may have been stored whose acknowledgement the kill cut off.
      expect([expected.length, expected.length + 1]).toContain(numbers.length);
      expect(numbers.slice(0, expected.length)).toEqual(expected);
    }
    log.close();
  });
});
