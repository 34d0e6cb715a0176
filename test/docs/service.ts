import { spawn } from "node:child_process";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../support/folders.ts";
import { startArgs } from "../support/start-args.ts";
import { until } from "../support/until.ts";
import { root } from "./pages.ts";

/** On a machine that is busy with all the other tests. */
const startMs = 120_000;

/** The program as `npm start` runs it. */
export interface Service {
  url: string;
  /** The folder that it was started in; its data are in `data`. */
  folder: string;
  apiKey: string;
  adminKey: string;
  /** All that it has printed. */
  output(): string;
  stop(): Promise<void>;
}

/** On a free port and, unless `DATA_DIR` is given, a fresh folder; it may reach loopback. */
export async function startService(env: Record<string, string> = {}): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), "magpie-docs-"));
  const dataDir = env.DATA_DIR ?? join(folder, "data");
  const child = spawn(process.execPath, startArgs, {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      PORT: "0",
      DATA_DIR: dataDir,
      EGRESS_ALLOW: "127.0.0.1/32",
      WEBHOOK_ALLOW_HTTP: "true",
      LOG_FORMAT: "json",
      ...(process.env.BROWSER_PATH && { BROWSER_PATH: process.env.BROWSER_PATH }),
      ...env,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", text => {
      output += text;
    });
  const exit = new Promise(resolve => child.once("exit", resolve));
  const stop = async () => {
    child.kill("SIGTERM");
    await exit;
    await removeFolder(folder);
  };
  const listens = /Magpie listens on (\S+),/;
  await until("the service listens", () => listens.test(output) || child.exitCode !== null, startMs);
  const url = listens.exec(output)?.[1];
  if (url === undefined) {
    await stop();
    throw new Error(`it ended before it listened: ${output}`);
  }
  const credentials = JSON.parse(await readFile(join(dataDir, "credentials.json"), "utf8"));
  return {
    url,
    folder,
    apiKey: credentials.bootstrapApiKey,
    adminKey: credentials.adminKey,
    output: () => output,
    stop,
  };
}
