/** Writes to the database file of the first argument, in this thread and in another; says what is written, a name a line. */
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { SqliteCollection } from "../../mixins/store/sqlite/collection.ts";
import { openDatabase, shareDatabase } from "../../mixins/store/sqlite/database.ts";

const path = isMainThread ? (process.argv[2] ?? "") : (workerData as string);
const name = isMainThread ? "main" : "thread";
const notes = new SqliteCollection(openDatabase(path), "notes", []);
if (isMainThread) {
  shareDatabase(path);
  const worker = new Worker(new URL(import.meta.url), { workerData: path });
  worker.on("message", line => process.stdout.write(line));
}
for (let n = 0; ; n += 1) {
  notes.insert({ _id: `${name}-${n}` });
  const line = `${name}-${n}\n`;
  if (isMainThread) await new Promise(done => process.stdout.write(line, done));
  else parentPort?.postMessage(line);
  await new Promise(resolve => setImmediate(resolve));
}
