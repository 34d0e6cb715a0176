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

const env = { EGRESS_ALLOW: "127.0.0.1/32", POLL_MIN_INTERVAL: "1s", LOG_LEVEL: "error" };
const collecting = ["--expose-gc", "--import", "./test/bench/collect-on-signal.ts"];
const quietMs = 10_000;

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
    diskBytes: async () => {
      const { dataSize, indexSize } = await client.db().stats();
      return Number(dataSize) + Number(indexSize);
    },
    stop: async () => {
      await client.close();
      await visitor.leave();
      await cluster.stop();
    },
  };
}

/** Anonymous memory once all threads have collected their garbage. */
async function heldBy(pids: readonly number[]): Promise<number> {
  for (const pid of pids) process.kill(pid, "SIGUSR2");
  await delay(quietMs);
  const held = pids.map(pid =>
    Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]),
  );
  return held.reduce((sum, kilobytes) => sum + kilobytes, 0) / 1024;
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
