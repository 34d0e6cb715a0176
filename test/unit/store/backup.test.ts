import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { LogTables } from "../../../mixins/event-log/log-tables.ts";
import { type BackupFile, filesIn, tarOf } from "../../../mixins/store/backup/archive.ts";
import { refuseSecond, skipPositions, snapshotOf } from "../../../mixins/store/backup/snapshot.ts";
import { closeDatabase, openDatabase } from "../../../mixins/store/sqlite/database.ts";
import { removeFolder } from "../../support/folders.ts";

const long = `blobs/groups/${"a".repeat(32)}/g${"b".repeat(65)}`;
const contents = new Map([
  ["empty", ""],
  ["exact", "x".repeat(512)],
  [long, "y".repeat(70_001)],
]);

async function* files(): AsyncGenerator<BackupFile> {
  for (const [name, text] of contents)
    yield { name, size: text.length, content: Readable.from([Buffer.from(text)]) };
}

const archive = () => buffer(Readable.from(tarOf(files()), { objectMode: false }));

async function read(bytes: Buffer, part: number): Promise<Map<string, string>> {
  const parts = Array.from({ length: Math.ceil(bytes.length / part) }, (_, at) =>
    bytes.subarray(at * part, (at + 1) * part),
  );
  const found = new Map<string, string>();
  for await (const { name, content } of filesIn(Readable.from(parts)))
    found.set(name, (await buffer(content)).toString());
  return found;
}

test.each([1, 100, 511, 4096, 1e6])("an archive is read in parts of %i bytes as it was written", async part =>
  expect(await read(await archive(), part)).toEqual(contents),
);

test("an archive that ends in the middle is refused, and so is what is none", async () => {
  const whole = await archive();
  for (const length of [0, 300, 1_000, 60_000, whole.length - 1_024])
    await expect(read(whole.subarray(0, length), 4096)).rejects.toThrow(/ends in the middle/);
  await expect(read(Buffer.alloc(1024, "a"), 512)).rejects.toThrow(/no backup of Magpie/);
});

test("a file that has another size than it said fails the archive", async () => {
  async function* wrong() {
    yield { name: "a", size: 3, content: Readable.from([Buffer.from("four")]) };
  }
  await expect(buffer(Readable.from(tarOf(wrong()), { objectMode: false }))).rejects.toThrow(/has changed/);
});

test("a restored log goes on behind what it may have given, and finds times across the gap", async () => {
  const folder = mkdtempSync(join(tmpdir(), "magpie-gap-"));
  const path = join(folder, "magpie.db");
  const event = (id: string) => ({
    ...{ bodyId: id, type: "webhook.test" as const, timestamp: "", keyIds: ["k"] },
    data: { source: null } as never,
  });
  new LogTables(openDatabase(path)).append([event("a"), event("b")], 1_000);
  closeDatabase(path);
  skipPositions(folder, 5_000, 6_000);
  const database = openDatabase(path);
  const tables = new LogTables(database);
  tables.append([event("c")], 2_000);
  tables.append([event("d")], 3_000);
  await database.kept();
  const first = 2 + 1_000_000_000 + 100 * 1_000 + 1;
  expect(tables.bounds("k")).toEqual({ oldest: 1, latest: first + 1 });
  expect(tables.positionAt("k", 2_500)).toBe(first);
  expect(tables.positionAt("k", 3_500)).toBe(first + 1);
  expect(tables.positionAt("k", 500)).toBe(0);
  closeDatabase(path);
  await removeFolder(folder);
});

test("a snapshot of a folder that is named relatively and in use has its databases and blobs, and leaves nothing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "magpie-snapshot-"));
  const path = join(folder, "magpie.db");
  openDatabase(path).exec("CREATE TABLE t (a INTEGER) STRICT; INSERT INTO t VALUES (1);");
  for (const blob of ["blobs/495000/key_1", "blobs/groups/abc/gabc_1"]) {
    mkdirSync(join(folder, blob, ".."), { recursive: true });
    writeFileSync(join(folder, blob), "picture");
  }
  const found = new Map<string, number>();
  for await (const { name, content } of snapshotOf(`./${relative(process.cwd(), folder)}`)) {
    expect(() => refuseSecond(folder)).toThrow(/under way/);
    found.set(name, (await buffer(content)).length);
  }
  refuseSecond(folder);
  expect([...found.keys()].sort()).toEqual(["blobs/495000/key_1", "blobs/groups/abc/gabc_1", "magpie.db"]);
  expect(found.get("blobs/495000/key_1")).toBe(7);
  expect(existsSync(join(folder, "backup.tmp"))).toBe(false);
  closeDatabase(path);
  await removeFolder(folder);
});
