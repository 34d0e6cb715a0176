import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../support/folders.ts";
import { startArgs } from "../support/start-args.ts";
import { type Visitor, visit } from "./visitor.ts";

const root = join(import.meta.dirname, "../..");
const adminKey = "bench-admin-key-0123456789-0123456789";
const startMs = 300_000;

/** The program in a process of its own, spoken to through its gateway. */
export interface Program extends Visitor {
  pid: number;
  /** Where its gateway listens, as a URL, and the key of its administrator. */
  address: string;
  adminKey: string;
  /** A visitor with a key of its own. */
  another(owner: string): Promise<Visitor>;
  stop(): Promise<void>;
}

/**
 * Starts it as `npm start` does, with its default settings, on a free port and a fresh folder. `flags` are Node's, `env` adds
 * settings; `launcher` is a command that becomes the program.
 */
export async function startProgram(
  flags: string[] = [],
  env: NodeJS.ProcessEnv = {},
  launcher: string[] = [],
): Promise<Program> {
  const dataDir = await mkdtemp(join(tmpdir(), "magpie-bench-"));
  const [command = "", ...args] = [...launcher, process.execPath, ...flags, ...startArgs];
  const child = spawn(command, args, {
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
    await removeFolder(dataDir);
  };
  const address = await addressIn(child.stdout).catch(async error => {
    await end();
    throw error;
  });
  const visitor = await visit([address], adminKey);
  return {
    ...visitor,
    pid: child.pid ?? 0,
    address,
    adminKey,
    another: owner => visit([address], adminKey, owner),
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
