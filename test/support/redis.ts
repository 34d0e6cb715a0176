import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findRedis, type RedisBinary } from "./redis-binary.ts";

export interface TestRedis {
  url: string;
  port: number;
  /** Of the server that runs; undefined after `kill` and `stop`. */
  pid: number | undefined;
  /** Ends the server and forgets its data. */
  stop(): Promise<void>;
  /** Ends the server by SIGKILL; what it wrote stays. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data, after a kill if it runs. */
  restart(): Promise<void>;
}

const startDeadlineMs = 20_000;
const portsTried = 5;

/** A Redis server of its own on a free port of 127.0.0.1, which has on disk whatever it acknowledged. */
export async function startRedis(): Promise<TestRedis> {
  const binary = await findRedis();
  const folder = mkdtempSync(join(tmpdir(), "magpie-redis-"));
  const forget = () => rmSync(folder, { recursive: true, force: true });
  let { port, server } = await startOnFreePort(binary, folder).catch(error => {
    forget();
    throw error;
  });
  const redis: TestRedis = {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid: server.pid,
    kill: async () => {
      redis.pid = undefined;
      await killed(server);
    },
    restart: async () => {
      await redis.kill();
      server = await start(binary, folder, port);
      redis.pid = server.pid;
    },
    stop: async () => {
      await redis.kill();
      forget();
    },
  };
  return redis;
}

/** Another process may take a port between its choice and its use. */
async function startOnFreePort(binary: RedisBinary, folder: string) {
  for (let tried = 1; ; tried += 1) {
    const port = await freePort();
    try {
      return { port, server: await start(binary, folder, port) };
    } catch (error) {
      if (tried === portsTried) throw error;
    }
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no port was free");
  return address.port;
}

/** Resolves when this very server answers: one that cannot have the port ends, and so rejects. */
async function start({ path, env }: RedisBinary, folder: string, port: number): Promise<ChildProcess> {
  const options = ["--bind", "127.0.0.1", "--port", String(port), "--dir", folder, "--save", ""];
  const durable = ["--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction"];
  const server = spawn(path, [...options, ...durable], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const endWithUs = () => server.kill("SIGKILL");
  process.once("exit", endWithUs);
  server.once("exit", () => process.off("exit", endWithUs));
  await ready(server);
  return server;
}

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = "";
    const fail = (reason: string) => {
      server.kill("SIGKILL");
      reject(new Error(`redis-server ${reason}\n${output}`));
    };
    const deadline = setTimeout(() => fail("did not answer in time"), startDeadlineMs);
    server.once("error", error => fail(error.message)).once("exit", code => fail(`ended with ${code}`));
    server.once("exit", () => clearTimeout(deadline));
    server.stdout?.on("data", chunk => {
      output = `${output}${chunk}`.slice(-4096);
      if (!output.includes("Ready to accept connections")) return;
      clearTimeout(deadline);
      resolve();
    });
  });
}

async function killed(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, "exit");
  server.kill("SIGKILL");
  await gone;
}
