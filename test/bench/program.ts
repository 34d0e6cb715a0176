import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startArgs } from "../support/start-args.ts";
import { type Visitor, visit } from "./visitor.ts";

const root = join(import.meta.dirname, "../..");
const adminKey = "bench-admin-key-0123456789-0123456789";
const startMs = 30_000;

/** The program in a process of its own, spoken to through its gateway. */
export interface Program extends Visitor {
  pid: number;
  stop(): Promise<void>;
}

/** Starts it as `npm start` does, on a free port and a fresh folder. `flags` are Node's, `env` adds settings. */
export async function startProgram(flags: string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Program> {
  const dataDir = await mkdtemp(join(tmpdir(), "magpie-bench-"));
  const child = spawn(process.execPath, [...flags, ...startArgs], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env.PATH,
      HOME: dataDir,
      DATA_DIR: dataDir,
      PORT: "0",
      ADMIN_KEY: adminKey,
      EGRESS_ALLOW: "127.0.0.1/32",
      LOG_FORMAT: "json",
      ...(process.env.BROWSER_PATH && { BROWSER_PATH: process.env.BROWSER_PATH }),
      ...env,
    },
  });
  const exit = once(child, "exit");
  const end = async () => {
    child.kill("SIGTERM");
    await exit;
    await rm(dataDir, { recursive: true, force: true });
  };
  const address = await addressIn(child.stdout).catch(async error => {
    await end();
    throw error;
  });
  const visitor = await visit([address], adminKey);
  return {
    ...visitor,
    pid: child.pid ?? 0,
    stop: async () => {
      await end();
      await visitor.leave();
    },
  };
}

async function addressIn(output: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  const signal = AbortSignal.timeout(startMs);
  output.setEncoding("utf8");
  const found = Promise.withResolvers<string>();
  signal.addEventListener("abort", () => found.reject(new Error(`the program did not start: ${text}`)));
  // The output is read on after the address, or the pipe would fill.
  output.on("data", chunk => {
    text = (text + chunk).slice(-10_000);
    const [, address] = /Magpie listens on (\S+),/.exec(text) ?? [];
    if (address !== undefined) found.resolve(address);
  });
  output.on("end", () => found.reject(new Error(`the program ended: ${text}`)));
  return await found.promise;
}
