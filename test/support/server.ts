import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import type { Binary } from "./debian-binary.ts";
import { removeFolder } from "./folders.ts";

/** A server for a run: its own with a folder of its own, or one that is given, which it can neither kill nor stop. */
export interface Server {
  url: string;
  /** Of its own that runs; undefined after `kill` and `stop`. */
  pid: number | undefined;
  /** Ends the server and forgets its data. */
  stop(): Promise<void>;
  /** Ends the server by SIGKILL; what it wrote stays. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data, after a kill if it runs. */
  restart(): Promise<void>;
}

export interface TestServer extends Server {
  port: number;
}

export interface StartOptions {
  /** In a process group of its own, which ^C in the terminal does not reach. */
  detached?: boolean;
  /** With the priority of this process: its CPU time and its pace are compared with those of others. */
  isOrdinary?: boolean;
}

export interface ServerProgram extends StartOptions {
  name: string;
  binary: Binary;
  scheme: string;
  /** Its arguments: to listen on 127.0.0.1 alone, and to have on disk whatever it acknowledged. */
  args(port: number, folder: string): string[];
  /** Another user than that of this process. */
  runAs?: { uid: number; gid: number };
  /** What it prints once it answers. */
  ready: string;
}

const startDeadlineMs = 90_000;
const portsTried = 5;
const beforeTests = -10;

/** Starts the server on a free port of 127.0.0.1. It does not keep this process alive, and ends with it. */
export async function startServer(program: ServerProgram): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), `magpie-${program.name}-`));
  const forget = () => removeFolder(folder);
  let { port, child } = await startOnFreePort(program, folder).catch(async error => {
    await forget();
    throw error;
  });
  const server: TestServer = {
    url: `${program.scheme}://127.0.0.1:${port}`,
    port,
    pid: child.pid,
    kill: async () => {
      server.pid = undefined;
      await killed(child);
    },
    restart: async () => {
      await server.kill();
      child = await start(program, folder, port);
      server.pid = child.pid;
    },
    stop: async () => {
      await server.kill();
      await forget();
    },
  };
  return server;
}

/** One that runs already, of others. Its `stop` leaves it alone. */
export function givenServer(url: string): Server {
  const refuse = async () => {
    throw new Error("A server that is given is not this run's to kill");
  };
  return { url, pid: undefined, kill: refuse, restart: refuse, stop: async () => undefined };
}

/** Another process may take a port between its choice and its use. */
async function startOnFreePort(program: ServerProgram, folder: string) {
  for (let tried = 1; ; tried += 1) {
    const port = await freePort();
    try {
      return { port, child: await start(program, folder, port) };
    } catch (error) {
      if (tried === portsTried) throw error;
    }
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no port was free");
  return address.port;
}

/** Resolves when this very server answers: one that cannot have the port ends, and so rejects. */
async function start(program: ServerProgram, folder: string, port: number): Promise<ChildProcess> {
  const { path, env } = program.binary;
  const child = spawn(path, program.args(port, folder), {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: program.detached ?? false,
    ...(program.runAs ?? {}),
  });
  const endWithUs = () => child.kill("SIGKILL");
  process.once("exit", endWithUs);
  child.once("exit", () => process.off("exit", endWithUs));
  if (!program.isOrdinary) goBeforeTests(child);
  await ready(child, program);
  child.unref();
  for (const stream of [child.stdout, child.stderr]) (stream as Socket).unref();
  return child;
}

/** Where that is allowed: on a busy machine a server that many wait for would fall behind first. */
function goBeforeTests({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, beforeTests);
  } catch {
    // It runs like all others.
  }
}

function ready(child: ChildProcess, program: ServerProgram): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = "";
    const fail = (reason: string) => {
      child.kill("SIGKILL");
      reject(new Error(`${program.name} ${reason}\n${output}`));
    };
    const deadline = setTimeout(() => fail("did not answer in time"), startDeadlineMs);
    child.once("error", error => fail(error.message)).once("exit", code => fail(`ended with ${code}`));
    child.once("exit", () => clearTimeout(deadline));
    const read = (chunk: Buffer) => {
      const said = `${output}${chunk}`;
      output = said.slice(-4096);
      if (!said.includes(program.ready)) return;
      clearTimeout(deadline);
      resolve();
    };
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", read);
  });
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}
