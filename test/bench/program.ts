import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";

const root = join(import.meta.dirname, "../..");
const adminKey = "bench-admin-key-0123456789-0123456789";
const startMs = 30_000;

/** The program in a process of its own, spoken to through its gateway. */
export interface Program {
  pid: number;
  /** Scrapes a page as markdown; answers the engine that read it. Anything but 200 is an error. */
  scrape(url: string): Promise<{ engine: string; markdown: string }>;
  /** Asks for anything else as the same key; the body of the answer. */
  ask(method: "GET" | "POST", path: string, body?: object): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts it as `npm start` does, on a free port and a fresh folder. `flags` are Node's, `env` adds settings. */
export async function startProgram(flags: string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Program> {
  const dataDir = await mkdtemp(join(tmpdir(), "magpie-bench-"));
  const runner = "node_modules/moleculer/bin/moleculer-runner.mjs";
  const child = spawn(
    process.execPath,
    [...flags, runner, "-c", "moleculer.config.ts", "-m", "**/*.service.ts", "services"],
    {
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
    },
  );
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
  const agent = new Agent({ headersTimeout: 60_000 });
  const ask = async (method: "GET" | "POST", path: string, headers: object, body?: object) => {
    const answer = await request(address + path, {
      method,
      dispatcher: agent,
      headers: { ...headers, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${path}: HTTP ${answer.statusCode} ${text.slice(0, 500)}`);
    return JSON.parse(text);
  };
  const limits = { requestsPerMinute: 1_000_000, concurrentScrapes: 100 };
  const admin = { "x-admin-key": adminKey };
  const created = await ask("POST", "/internal/keys", admin, { owner: "bench", name: "bench", limits });
  const key = { "x-api-key": created.data.key };
  return {
    pid: child.pid ?? 0,
    scrape: async url => {
      const { data } = await ask("POST", "/web/scrape", key, { url });
      return { engine: data.metadata.engine, markdown: data.markdown };
    },
    ask: (method, path, body) => ask(method, path, key, body),
    stop: async () => {
      await end();
      await agent.destroy();
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
