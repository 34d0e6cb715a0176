import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jest } from "@jest/globals";
import { openEmbeddedLog } from "../../mixins/event-log/embedded.log.ts";
import type { EventsToErase, NewEvent, OpenLog } from "../../mixins/event-log/event-log.ts";
import { LogTables } from "../../mixins/event-log/log-tables.ts";
import type { Keeping } from "../../mixins/event-log/sealed/sealed-log.ts";
import type { Blobs } from "../../mixins/store/blobs/blobs.ts";
import { diskBlobs } from "../../mixins/store/blobs/disk.blobs.ts";
import { closeDatabase, openDatabase } from "../../mixins/store/sqlite/database.ts";
import { removeFolder } from "../support/folders.ts";

const hourMs = 3_600_000;
const start = Date.parse("2026-01-01T00:00:00.000Z");
const limits = { events: 10, bytes: 1_000_000, spanMs: 24 * hourMs };

let folder: string;
const opened: OpenLog[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "magpie-sealed-"));
});
afterEach(async () => {
  for (const log of opened.splice(0)) await log.close();
  await removeFolder(folder);
});

const clock = { now: start };
const onDisk = () => diskBlobs(join(folder, "blobs"));
const open = (change: Partial<Keeping> = {}): OpenLog => {
  const keeping = { blobs: onDisk(), retentionMs: 30 * 24 * hourMs, limits, ...change };
  const path = join(folder, "magpie.db");
  const silent = () => undefined;
  const log = openEmbeddedLog({ path, notify: silent, onEntries: silent, keeping, now: () => clock.now });
  opened.push(log);
  return log;
};

const event = (n: number, ...keyIds: string[]): NewEvent => ({
  bodyId: `b${n}`,
  type: "webhook.test",
  timestamp: new Date(clock.now).toISOString(),
  data: { source: null, n, text: `,"data":"not the data"} — ü\n${"x".repeat(20)}` },
  keyIds,
});
/** An event an hour, from the start on. */
const appendHourly = async (log: OpenLog, count: number, ...keyIds: string[]) => {
  for (let n = 1; n <= count; n += 1) {
    clock.now = start + n * hourMs;
    await log.append([event(n, ...keyIds)]);
  }
};
const seqs = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
const read = async (log: OpenLog, keyId = "k", after = 0) =>
  (await log.read(keyId, after, 10_000)).map(({ seq, data }) => [seq, data.n]);
const wholeTo = (last: number) => seqs(1, last).map(n => [n, n]);
const rowsOf = (table: string): number => {
  const path = join(folder, "magpie.db");
  const count = openDatabase(path).prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n;
  closeDatabase(path);
  return Number(count);
};
const blobFiles = () =>
  readdirSync(join(folder, "blobs"), { recursive: true, withFileTypes: true }).filter(file => file.isFile());

test("what is older than 72 hours moves into segments; reads, bounds and positions are the same", async () => {
  const log = open();
  await appendHourly(log, 100, "k", "other");
  clock.now = start + 100 * hourMs;
  const every = [1, 7, 100];
  const look = async () => ({
    events: await log.read("k", 0, 1000),
    pages: await Promise.all(every.map(async limit => pagesOf(log, limit))),
    portions: (await log.readWithin("k", 3, { events: 50, bytes: 700 })).events,
    bounds: await log.bounds("k"),
    positions: await Promise.all(
      [-1, 0, 1, 9.5, 10, 20, 29, 35.2, 99, 200].map(hours =>
        log.positionAt("k", new Date(start + hours * hourMs)),
      ),
    ),
  });
  const before = await look();
  expect(await log.prune(new Date(clock.now))).toBe(0);
  expect([rowsOf("log_segments"), blobFiles().length]).toEqual([4, 4]);
  expect(rowsOf("log_entries")).toBe(160);
  expect(await look()).toEqual(before);
  expect(before.events).toHaveLength(100);
  await log.prune(new Date(clock.now + hourMs));
  expect([rowsOf("log_segments"), await look()]).toEqual([4, before]);
});

async function pagesOf(log: OpenLog, limit: number): Promise<number[]> {
  const found: number[] = [];
  for (let more = true; more; ) {
    const page = await log.readWithin("k", found.at(-1) ?? 0, { events: limit, bytes: 1e9 });
    found.push(...page.events.map(({ seq }) => seq));
    more = page.more;
  }
  return found;
}

test("a key with few events makes few segments: what is not enough waits for a time", async () => {
  const log = open();
  await appendHourly(log, 5, "k");
  const pruneAt = async (hours: number) => {
    await log.prune(new Date(start + hours * hourMs));
    return [rowsOf("log_segments"), rowsOf("log_entries")];
  };
  expect(await pruneAt(72 + 20)).toEqual([0, 5]);
  expect(await pruneAt(72 + 24 + 2)).toEqual([1, 0]);
  expect(await read(log)).toEqual(wholeTo(5));
  expect(await log.bounds("k")).toEqual({ oldest: 1, latest: 5 });
});

test("segments beyond the retention go as a whole, their blobs too, and the count continues", async () => {
  const log = open();
  await appendHourly(log, 25, "k");
  await log.prune(new Date(start + 24 * 5 * hourMs));
  expect(blobFiles()).toHaveLength(3);
  clock.now = start + (30 * 24 + 12) * hourMs;
  expect(await log.prune(new Date(clock.now))).toBe(10);
  expect(await log.bounds("k")).toEqual({ oldest: 11, latest: 25 });
  expect(await read(log)).toEqual(wholeTo(25).slice(10));
  expect(await log.positionAt("k", new Date(start))).toBe(10);
  clock.now = start + 40 * 24 * hourMs;
  expect(await log.prune(new Date(clock.now))).toBe(15);
  expect([await log.bounds("k"), blobFiles(), rowsOf("log_segments")]).toEqual([
    { oldest: 26, latest: 25 },
    [],
    0,
  ]);
  await log.append([event(26, "k")]);
  expect(await read(log)).toEqual([[26, 26]]);
});

test("a shorter retention than before prunes what was sealed under the longer one", async () => {
  await appendHourly(open(), 20, "k");
  await opened[0]?.prune(new Date(start + 120 * hourMs));
  const log = open({ retentionMs: 72 * hourMs });
  expect(await read(log)).toEqual(wholeTo(20));
  expect(await log.prune(new Date(start + 120 * hourMs))).toBe(20);
  expect(blobFiles()).toEqual([]);
});

test("a dropped log leaves nothing of its segments, others keep theirs", async () => {
  const log = open();
  await appendHourly(log, 25, "k", "other");
  await log.prune(new Date(start + 120 * hourMs));
  await log.drop("k");
  expect([await read(log), await log.bounds("k")]).toEqual([[], { oldest: 0, latest: 0 }]);
  expect(await read(log, "other")).toEqual(wholeTo(25));
  expect([rowsOf("log_segments"), blobFiles().length]).toEqual([3, 3]);
});

test("a log that is dropped while it is sealed leaves nothing", async () => {
  const disk = onDisk();
  const putting = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const put: Blobs["put"] = async (...args) => {
    putting.resolve();
    await held.promise;
    return disk.put(...args);
  };
  const log = open({ blobs: { ...disk, put } });
  await appendHourly(log, 25, "k");
  const pruning = log.prune(new Date(start + 120 * hourMs));
  await putting.promise;
  await log.drop("k");
  held.resolve();
  await pruning;
  expect([rowsOf("log_segments"), blobFiles().length, rowsOf("log_entries")]).toEqual([0, 0, 0]);
});

test("sealing ends with the signal of the step that does it, and is completed by the next", async () => {
  const ending = new AbortController();
  const disk = onDisk();
  const put: Blobs["put"] = (...args) => {
    ending.abort();
    return disk.put(...args);
  };
  const log = open({ blobs: { ...disk, put } });
  await appendHourly(log, 25, "k", "other");
  await log.prune(new Date(start + 120 * hourMs), ending.signal);
  expect([rowsOf("log_segments"), rowsOf("log_entries")]).toEqual([1, 40]);
  await log.prune(new Date(start + 120 * hourMs));
  expect([rowsOf("log_entries"), await read(log), await read(log, "other")]).toEqual([
    0,
    wholeTo(25),
    wholeTo(25),
  ]);
});

test("two that seal at the same time: no gap, none twice, no blob without a row", async () => {
  const logs = [open(), open(), open()];
  await appendHourly(open(), 95, "k", "other");
  const now = new Date(start + 240 * hourMs);
  await Promise.all(logs.map(log => log.prune(now)));
  for (const log of logs) expect(await read(log)).toEqual(wholeTo(95));
  await logs[0]?.prune(now);
  expect([await read(open()), await read(open(), "other")]).toEqual([wholeTo(95), wholeTo(95)]);
  expect([blobFiles().length, rowsOf("log_entries")]).toEqual([rowsOf("log_segments"), 0]);
});

describe("sealing that ends between two of its steps", () => {
  /** The steps of a segment: the blob before and after it is there, and those that end with a transaction. */
  const failingAt = (step: number): Partial<Keeping> => {
    let steps = 0;
    const disk = onDisk();
    const failing =
      <Of extends unknown[], Result>(work: (...args: Of) => Promise<Result>) =>
      async (...args: Of): Promise<Result> => {
        steps += 1;
        if (steps === step) throw new Error("the store is away");
        const result = await work(...args);
        steps += 1;
        if (steps === step) throw new Error("the store is away");
        return result;
      };
    return { blobs: { ...disk, put: failing(disk.put), remove: failing(disk.remove) } };
  };

  test.each([1, 2, 3, 4])(
    "at step %d of the blob store: no gap, none twice, no blob without a row",
    async step => {
      const log = open(failingAt(step));
      await appendHourly(log, 25, "k");
      const now = new Date(start + 120 * hourMs);
      await expect(log.prune(now)).rejects.toThrow("the store is away");
      expect(await read(log)).toEqual(wholeTo(25));
      await log.prune(now);
      expect(await read(log)).toEqual(wholeTo(25));
      expect([rowsOf("log_segments"), blobFiles().length, rowsOf("log_entries")]).toEqual([3, 3, 0]);
    },
  );

  test("after the segment is readable, before its entries are cut: read once, and cut the next time", async () => {
    const log = open();
    await appendHourly(log, 25, "k");
    const now = new Date(start + 120 * hourMs);
    const cut = jest.spyOn(LogTables.prototype, "cutSlice").mockImplementationOnce(() => {
      throw new Error("disk full");
    });
    await expect(log.prune(now)).rejects.toThrow("disk full");
    cut.mockRestore();
    expect([rowsOf("log_segments"), rowsOf("log_entries")]).toEqual([1, 25]);
    expect([await read(log), await read(log, "k", 4)]).toEqual([wholeTo(25), wholeTo(25).slice(4)]);
    await log.prune(now);
    expect([rowsOf("log_segments"), rowsOf("log_entries"), await read(log)]).toEqual([3, 0, wholeTo(25)]);
  });

  test("a key whose segment cannot be written does not keep the others from theirs", async () => {
    const disk = onDisk();
    const put: Blobs["put"] = (bytes, meta) =>
      meta.owner === "a" ? Promise.reject(new Error("no space")) : disk.put(bytes, meta);
    const log = open({ blobs: { ...disk, put } });
    await appendHourly(log, 12, "a", "b");
    await expect(log.prune(new Date(start + 120 * hourMs))).rejects.toThrow("no space");
    expect([await read(log, "a"), await read(log, "b")]).toEqual([wholeTo(12), wholeTo(12)]);
    expect(blobFiles()).toHaveLength(2);
  });

  const sealer = `
import { openEmbeddedLog } from "./mixins/event-log/embedded.log.ts";
    import { diskBlobs } from "./mixins/store/blobs/disk.blobs.ts";
    const [path, root, start] = process.argv.slice(1);
    const keeping = { blobs: diskBlobs(root), retentionMs: 1e11, limits: { events: 10, bytes: 1e6, spanMs: 1000 } };
    let now = Number(start);
    const log = openEmbeddedLog({ path, notify() {}, onEntries() {}, keeping, now: () => now });
    for (let n = (await log.bounds("k")).latest + 1; ; n += 1) {
      now = Number(start) + n * 1000;
      const timestamp = new Date(now).toISOString();
      await log.append([{ bodyId: "b" + n, type: "webhook.test", timestamp, data: { source: null, n }, keyIds: ["k"] }]);
      if (n % 5 === 0) await log.prune(new Date(now + 72 * 3_600_000));
      await new Promise(done => process.stdout.write(n + "\\n", done));
    }`;

  test("kill -9 again and again while it is sealed: no gap, none twice, no blob without a row", async () => {
    mkdirSync(join(folder, "blobs"));
    const path = join(folder, "magpie.db");
    let latest = 0;
    for (const more of [23, 51, 8, 77, 40]) {
      const args = [
        "--no-warnings",
        "--input-type=module",
        "-e",
        sealer,
        path,
        join(folder, "blobs"),
        String(start),
      ];
      const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
      let written = 0;
      child.stdout.on("data", chunk => {
        written += String(chunk).split("\n").length - 1;
        if (written >= more) child.kill("SIGKILL");
      });
      await once(child, "close");
      clock.now = start + 1e9;
      const log = open();
      const events = await read(log);
      expect(events.length).toBeGreaterThanOrEqual(latest + more);
      latest = events.length;
      expect(events).toEqual(wholeTo(latest));
      await log.prune(new Date(clock.now + 144 * hourMs));
      expect(await read(log)).toEqual(wholeTo(latest));
      expect([blobFiles().length, rowsOf("log_entries")]).toEqual([rowsOf("log_segments"), 0]);
      for (const each of opened.splice(0)) await each.close();
    }
  }, 120_000);
});

/** Every third event is of a source that is erased. */
const wanted: EventsToErase = { sourceIds: ["gone"], text: "no such text", isOne: () => false };
const isErased = (n: number) => n % 3 === 0;
const gone = { id: "gone", source: "RSS", externalId: "x", username: "u", name: "n" } as const;
const appendThirds = async (log: OpenLog, count: number, ...keyIds: string[]) => {
  for (let n = 1; n <= count; n += 1) {
    clock.now = start + n * hourMs;
    const data = { source: isErased(n) ? gone : null, n };
    await log.append([{ ...event(n, ...keyIds), data }]);
  }
};
const erase = (log: OpenLog, dry = false) => log.erase(wanted, { cursor: "", dry, forMs: 1e9 });
const erasedTo = (last: number) => seqs(1, last).map(n => [n, isErased(n) ? undefined : n]);

describe("erasing sealed events", () => {
  test.each([1, 2, 3, 4, 5, 6])("that ends at step %d of the blob store is done by the next", async step => {
    let steps = 0;
    let fallsAt = Number.POSITIVE_INFINITY;
    const disk = onDisk();
    const failing =
      <Of extends unknown[], Result>(work: (...args: Of) => Promise<Result>) =>
      async (...args: Of): Promise<Result> => {
        if (++steps === fallsAt) throw new Error("the store is away");
        const result = await work(...args);
        if (++steps === fallsAt) throw new Error("the store is away");
        return result;
      };
    const log = open({ blobs: { ...disk, put: failing(disk.put), remove: failing(disk.remove) } });
    await appendThirds(log, 25, "k");
    await log.prune(new Date(start + 120 * hourMs));
    [steps, fallsAt] = [0, step];
    await expect(erase(log)).rejects.toThrow("the store is away");
    expect((await read(log)).map(([seq]) => seq)).toEqual(seqs(1, 25));
    await erase(log);
    expect(await read(log)).toEqual(erasedTo(25));
    expect(await erase(log, true)).toEqual({ found: 0, next: null });
    expect([rowsOf("log_segments"), blobFiles().length]).toEqual([3, 3]);
  });

  test("a reader that has found a segment reads the one that replaces it", async () => {
    const disk = onDisk();
    let opening: (() => Promise<unknown>) | undefined;
    const log = open({
      blobs: {
        ...disk,
        open: async (...args) => {
          const first = opening;
          opening = undefined;
          await first?.();
          return disk.open(...args);
        },
      },
    });
    await appendThirds(log, 25, "k");
    await log.prune(new Date(start + 120 * hourMs));
    opening = () => erase(open());
    expect(await read(log)).toEqual(erasedTo(25));
  });

  test("what is sealed at the same time is erased as well, and a dropped log stays dropped", async () => {
    const disk = onDisk();
    const putting = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const put: Blobs["put"] = async (...args) => {
      putting.resolve();
      await held.promise;
      return disk.put(...args);
    };
    const slow = open({ blobs: { ...disk, put } });
    await appendThirds(slow, 25, "k", "other");
    const sealing = slow.prune(new Date(start + 120 * hourMs));
    await putting.promise;
    const log = open();
    await erase(log);
    held.resolve();
    await sealing;
    await log.prune(new Date(start + 120 * hourMs));
    expect([await read(log), await read(log, "other")]).toEqual([erasedTo(25), erasedTo(25)]);
    const [first] = [
      open({ blobs: { ...disk, put: (...args) => log.drop("k").then(() => disk.put(...args)) } }),
    ];
    await first?.erase(
      { ...wanted, sourceIds: [], text: "{", isOne: () => true },
      { cursor: "", dry: false, forMs: 1e9 },
    );
    expect([await read(log), await log.bounds("k")]).toEqual([[], { oldest: 0, latest: 0 }]);
    expect([rowsOf("log_segments"), blobFiles().length]).toEqual([3, 3]);
  });

  const eraser = `
    import { openEmbeddedLog } from "./mixins/event-log/embedded.log.ts";
    import { diskBlobs } from "./mixins/store/blobs/disk.blobs.ts";
    const [path, root, start] = process.argv.slice(1);
    const keeping = { blobs: diskBlobs(root), retentionMs: 1e11, limits: { events: 10, bytes: 1e6, spanMs: 1000 } };
    let now = Number(start);
    const log = openEmbeddedLog({ path, notify() {}, onEntries() {}, keeping, now: () => now });
    const wanted = { sourceIds: ["gone"], text: "no such text", isOne: () => false };
    for (let n = (await log.bounds("k")).latest + 1; ; n += 1) {
      now = Number(start) + n * 1000;
      const timestamp = new Date(now).toISOString();
      const source = n % 3 === 0 ? { id: "gone" } : null;
      await log.append([{ bodyId: "b" + n, type: "webhook.test", timestamp, data: { source, n }, keyIds: ["k"] }]);
      if (n % 15 === 0) await log.prune(new Date(now + 72 * 3_600_000));
      if (n % 15 === 0) await log.erase(wanted, { cursor: "", dry: false, forMs: 1e9 });
      await new Promise(done => process.stdout.write(n + "\\n", done));
    }`;

  test("kill -9 again and again while it is done: no gap, nothing left, no blob without a row", async () => {
    mkdirSync(join(folder, "blobs"));
    const path = join(folder, "magpie.db");
    for (const more of [44, 59, 14, 74, 29]) {
      const code = ["--no-warnings", "--input-type=module", "-e", eraser];
      const child = spawn(process.execPath, [...code, path, join(folder, "blobs"), String(start)], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let written = 0;
      child.stdout.on("data", chunk => {
        written += String(chunk).split("\n").length - 1;
        // The next event begins a round of sealing and erasing, and some of its steps are done.
        if (written >= more) setTimeout(() => child.kill("SIGKILL"), more % 7);
      });
      await once(child, "close");
      clock.now = start + 1e9;
      const log = open();
      const events = await read(log);
      expect(events.map(([seq]) => seq)).toEqual(seqs(1, events.length));
      await log.prune(new Date(clock.now + 144 * hourMs));
      await erase(log);
      expect(await read(log)).toEqual(erasedTo(events.length));
      expect([blobFiles().length, rowsOf("log_entries")]).toEqual([rowsOf("log_segments"), 0]);
      for (const each of opened.splice(0)) await each.close();
    }
  }, 120_000);
});

test("a segment that the blob store has lost is an error that names it, not a silent gap", async () => {
  const log = open();
  await appendHourly(log, 12, "k");
  await log.prune(new Date(start + 120 * hourMs));
  await onDisk().dropGroup("log/k");
  await expect(read(open())).rejects.toThrow(/events 1 to 10 of the key k .* lost/);
});
