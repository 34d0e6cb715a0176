import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type DiskChange,
  diskError,
  diskFindings,
  onDiskChange,
} from "../../../mixins/runtime/disk-trouble.ts";
import { Database } from "../../../mixins/store/sqlite/database.ts";
import { publicError } from "../../../services/api/response/public-error.ts";
import { removeFolder } from "../../support/folders.ts";
import { until } from "../../support/until.ts";

let folder = "";
let changes: DiskChange[] = [];
let endListening = () => undefined as unknown;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "magpie-disk-"));
  changes = [];
  endListening = onDiskChange(change => changes.push(change));
});

afterEach(async () => {
  await until("the disk is well", () => diskFindings().length === 0);
  endListening();
  await removeFolder(folder);
});

test("a full database refuses with the cause, is told once, and works again by itself", async () => {
  const database = new Database(join(folder, "full.db"));
  database.exec("CREATE TABLE t (value TEXT)");
  database.exec("PRAGMA max_page_count = 8");
  const insert = () => database.prepare("INSERT INTO t VALUES (?)").run("x".repeat(100_000));
  const refused = { status: 503, code: "overloaded", extras: { retry_after: 5 } };
  for (const write of [insert, () => database.transaction(insert)]) {
    const error = thrown(write);
    expect(publicError(error)).toMatchObject(refused);
    expect(String(error)).toMatch("The disk of DATA_DIR is full");
  }
  expect(changes).toMatchObject([{ is: "failed", folder, kind: "full" }]);
  expect(diskFindings()).toMatchObject([{ name: "disk", status: "degraded" }]);
  expect(database.prepare("SELECT count(*) AS n FROM t").get()).toEqual({ n: 0 });
  database.exec("PRAGMA max_page_count = 100000");
  await until("it is well", () => changes.length === 2);
  expect(changes[1]).toMatchObject({ is: "recovered", kind: "full" });
  database.transaction(insert);
  expect(database.prepare("SELECT count(*) AS n FROM t").get()).toEqual({ n: 1 });
  database.close();
});

test("a sync that fails is an error of those who wait for it", async () => {
  const full = () => Promise.reject(Object.assign(new Error("no space"), { code: "ENOSPC" }));
  const database = new Database(join(folder, "sync.db"), full);
  await expect(database.kept()).rejects.toMatchObject({
    type: "overloaded",
    message: expect.stringContaining("is full"),
  });
  database.close();
});

test("a sync that takes long is told before it ends, and names the cause of requests without an answer in time", async () => {
  const sync = Promise.withResolvers<void>();
  const database = new Database(join(folder, "slow.db"), () => sync.promise);
  const kept = database.kept();
  await until("it is told", () => changes.length === 1);
  expect(changes).toMatchObject([{ is: "failed", kind: "slow" }]);
  expect(publicError({ type: "REQUEST_TIMEOUT" }).message).toMatch("The disk of DATA_DIR is slow");
  sync.resolve();
  await kept;
  await until("it is well", () => changes.length === 2);
  // What waited for it is refused a little later.
  expect(publicError({ type: "REQUEST_TIMEOUT" }).message).toMatch("The disk of DATA_DIR is slow");
  database.close();
});

test("a file that finds a read-only folder says so", () => {
  const error = diskError(folder, Object.assign(new Error("no"), { code: "EROFS" }));
  expect(error).toMatchObject({ type: "overloaded", message: expect.stringContaining("read-only") });
});

test("other errors stay as they are", () => {
  const error = Object.assign(new Error("busy"), { errcode: 5 });
  expect(diskError(folder, error)).toBe(error);
  expect(changes).toEqual([]);
});

function thrown(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("It did not throw");
}
