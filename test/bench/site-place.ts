import { mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { MongoClient } from "mongodb";
import { startCluster } from "../dev/start-cluster.ts";
import { removeFolder } from "../support/folders.ts";
import { startProgram } from "./program.ts";
import { type Visitor, visit } from "./visitor.ts";

/** An installation that tracks a site, of either size. */
export interface SitePlace {
  visitor: Pick<Visitor, "ask">;
  /** Megabytes of memory that its processes hold, garbage collected. */
  memoryMb(): Promise<number>;
  /** Bytes that it keeps. */
  diskBytes(): Promise<number>;
  stop(): Promise<void>;
}

const env = {
  ...{ EGRESS_ALLOW: "127.0.0.1/32", POLL_MIN_INTERVAL: "1s", LOG_LEVEL: "error" },
  // What reads pages is at rest, too, when memory is read.
  SCRAPER_IDLE: "10s",
};
const collecting = ["--expose-gc", "--import", "./test/bench/collect-on-signal.ts"];
/** A round may be under way when memory is read: the least of some readings is what is held at rest. */
const readings = 8;
const quietMs = 5000;

export async function oneProcess(): Promise<SitePlace> {
  const folder = mkdtempSync(join(tmpdir(), "magpie-site-"));
  const program = await startProgram(collecting, { ...env, DATA_DIR: folder });
  return {
    visitor: program,
    memoryMb: () => heldBy([program.pid]),
    diskBytes: async () => bytesIn(folder),
    stop: async () => {
      await program.stop();
      await removeFolder(folder);
    },
  };
}

export async function manyProcesses(): Promise<SitePlace> {
  const preload = join(import.meta.dirname, "collect-on-signal.ts");
  const NODE_OPTIONS = `--expose-gc --no-warnings --import ${preload}`;
  const cluster = await startCluster({ env: { ...env, NODE_OPTIONS } });
  const visitor = await visit([cluster.url], cluster.adminKey, "bench");
  const client = await MongoClient.connect(cluster.servers.mongo.url);
  return {
    visitor,
    memoryMb: () => heldBy(cluster.nodes.map(({ pid }) => pid)),
    diskBytes: () => bytesOfServer(client),
    stop: async () => {
      await client.close();
      await visitor.leave();
      await cluster.stop();
    },
  };
}

/** What the databases of a server hold. */
async function bytesOfServer(client: MongoClient): Promise<number> {
  const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
  const sizes = databases.map(async ({ name }) => {
    const { dataSize, indexSize } = await client.db(name).stats();
    return Number(dataSize) + Number(indexSize);
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** The least anonymous memory of some readings, each once all threads have collected their garbage. */
async function heldBy(pids: readonly number[]): Promise<number> {
  const held: number[] = [];
  while (held.length < readings) {
    for (const pid of pids) process.kill(pid, "SIGUSR2");
    await delay(quietMs);
    held.push(pids.reduce((sum, pid) => sum + anonymousMb(pid), 0));
  }
  return Math.min(...held);
}

function anonymousMb(pid: number): number {
  return Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]) / 1024;
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
