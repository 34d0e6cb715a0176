import { mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { showProgress } from "../../mixins/runtime/show-progress.ts";
import { removeFolder } from "../support/folders.ts";
import { startMongo } from "../support/mongo.ts";
import { startHelper } from "./child.ts";
import type { Bench, Outcome } from "./compare.ts";
import type { Cost } from "./growth.ts";
import type { SitePagesQuestion } from "./site-pages.process.ts";

/** One site with a million pages, or as many as are given, in SQLite and in MongoDB. */
export const sitePages: Bench = async (given = "1000000") => {
  const pages = Number(given);
  if (!/^[1-9]\d*000$/.test(given))
    throw new Error(`not a number of pages: ${given}; wanted is one of thousands`);
  const sqlite = await showProgress(`${given} pages in SQLite`, () => inSqlite(pages));
  const mongo = await showProgress(`${given} pages in MongoDB`, () => inMongo(pages));
  return [...lines(`${given} pages, SQLite`, sqlite), ...lines(`${given} pages, MongoDB`, mongo)];
};

async function inSqlite(pages: number): Promise<Cost[]> {
  const folder = mkdtempSync(join(tmpdir(), "magpie-site-pages-"));
  try {
    const costs = await killed({ folder, pages, part: "fill" });
    const bytes = statSync(join(folder, "magpie.db")).size;
    const opened = await killed({ folder, pages, part: "open" });
    return [...costs, { name: "bytes on disk of a page", value: bytes / pages, unit: "B" }, ...opened];
  } finally {
    await removeFolder(folder);
  }
}

async function inMongo(pages: number): Promise<Cost[]> {
  const mongod = await startMongo();
  try {
    const mongoUrl = mongod.url;
    const costs = await killed({ mongoUrl, pages, part: "fill" });
    const client = await MongoClient.connect(mongoUrl);
    const { totalSize } = await client.db("bench").command({ dbStats: 1 });
    await client.close();
    await mongod.kill();
    const since = performance.now();
    await mongod.restart();
    const restart: Cost = {
      name: "start of MongoDB after a kill",
      value: performance.now() - since,
      unit: "ms",
    };
    const opened = await killed({ mongoUrl, pages, part: "open" });
    return [
      ...costs,
      { name: "bytes on disk of a page", value: totalSize / pages, unit: "B" },
      restart,
      ...opened,
    ];
  } finally {
    await mongod.stop();
  }
}

/** The process is killed when it has answered, with all that it has open. */
async function killed(question: SitePagesQuestion): Promise<Cost[]> {
  const helper = await startHelper<SitePagesQuestion, Cost[], string>("site-pages.process.ts");
  const costs = await helper.ask(question);
  process.kill(helper.pid, "SIGKILL");
  return costs;
}

function lines(title: string, costs: Cost[]): Outcome[] {
  return costs.map(({ name, value, unit }) => ({
    line: `${title}: ${name.padEnd(66)} ${value.toPrecision(4).padStart(9)} ${unit}`,
  }));
}
