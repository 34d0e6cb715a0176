import { randomUUID } from "node:crypto";
import { mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeMongo, openMongo } from "../../mixins/cluster/mongo.ts";
import { openEmbeddedHistory } from "../../mixins/history/embedded.history.ts";
import { mongoHistory } from "../../mixins/history/mongo.history.ts";
import { gridfsBlobs } from "../../mixins/store/blobs/gridfs.blobs.ts";
import { removeFolder } from "../support/folders.ts";
import { startMongo } from "../support/mongo.ts";
import { simulateYear, type Year } from "../support/simulated-year.ts";
import { type Bench, type Outcome, verdict } from "./compare.ts";

const year = { pages: 1000, days: 365, checksADay: 24, looks: 3 };
const mostBytes = 1024;
const mostMs = 20;

/**
 * A year of a thousand pages, checked hourly, in both sizes: what every `?at=` finds, what a version takes, and how long it
 * takes to read one. `npm run bench -- past -- 100` has a hundred pages.
 */
export const past: Bench = async (pages = String(year.pages)) => {
  const sizes = { ...year, pages: Number(pages) };
  return [...(await inSqlite(sizes)), ...(await inMongo(sizes))];
};

async function inSqlite(sizes: typeof year): Promise<Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), "magpie-past-"));
  const path = join(folder, "magpie.db");
  const history = openEmbeddedHistory(path);
  try {
    const found = await simulateYear(history, sizes);
    await history.close();
    const onDisk = statSync(path).size;
    return outcomes("SQLite", found, onDisk);
  } finally {
    await removeFolder(folder);
  }
}

async function inMongo(sizes: typeof year): Promise<Outcome[]> {
  const server = await startMongo();
  if (!server.isThere) return [];
  const place = { mongoUrl: server.url, namespace: `past${randomUUID().slice(0, 8)}` };
  const mongo = await openMongo(place);
  try {
    const history = {
      ...(await mongoHistory(mongo, await gridfsBlobs(mongo))),
      close: async () => undefined,
    };
    const found = await simulateYear(history, sizes);
    const { dataSize = 0 } = await mongo.db.stats();
    await mongo.db.dropDatabase();
    return outcomes("MongoDB", found, Number(dataSize));
  } finally {
    await closeMongo(place);
    await server.stop();
  }
}

function outcomes(
  name: string,
  { versions, checks, bytes, wrong, lookMs, cpuMs }: Year,
  onDisk: number,
): Outcome[] {
  const at = (times: number[], part: number) =>
    times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? 0;
  const each = bytes / versions;
  const of = `past, ${name}: ${versions} versions of ${checks} checks`;
  return [
    verdict(`${of}; of ${lookMs.length} looks at a time, wrong ${wrong.length}`, wrong.length, "<=", 0),
    verdict(
      `${of}; content of a version ${each.toFixed(0)} bytes; with rows, indexes, checks, values and words ${(onDisk / versions).toFixed(0)}`,
      each,
      "<=",
      mostBytes,
    ),
    verdict(
      `${of}; a version of a time and its content: of the processor ${at(cpuMs, 0.5).toFixed(1)} ms at the median, ${at(cpuMs, 0.95).toFixed(1)} at 95 %; until the answer ${at(lookMs, 0.5).toFixed(1)} and ${at(lookMs, 0.95).toFixed(1)}`,
      at(cpuMs, 0.95),
      "<=",
      mostMs,
    ),
  ];
}
