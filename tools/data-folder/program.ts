import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { siteAddress } from "./site.ts";

const root = join(import.meta.dirname, "../..");

/** The service on a data folder, as `npm start` runs it. */
export interface Program {
  url: string;
  /** JSON of an answer; throws where it is none of success. */
  ask<Body = Answer>(method: string, path: string, body?: unknown, key?: string): Promise<Body>;
  /** Ends by SIGTERM, and waits. */
  stop(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of any endpoint.
export type Answer = Record<string, any>;

/** Its clock is ahead of the machine's by `aheadMs`, which may be negative. */
export async function startProgram(dataDir: string, aheadMs = 0): Promise<Program> {
  const child = spawn(process.execPath, ["bin/magpie.js", "serve"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...{ PATH: process.env.PATH, HOME: dataDir, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
      ...{ PORT: "0", DATA_DIR: dataDir, LOG_LEVEL: "error", LOG_FORMAT: "json", BROWSER_PATH: "/nowhere" },
      ...{ EGRESS_ALLOW: siteAddress, SANDBOX_POST_EVERY: "off", POLL_MIN_INTERVAL: "10s" },
      WEBHOOK_ALLOW_HTTP: "true",
      ...(aheadMs !== 0 && {
        CLOCK_AHEAD_MS: String(aheadMs),
        NODE_OPTIONS: `--import ${new URL("clock.js", import.meta.url)}`,
      }),
    },
  });
  const exit = once(child, "exit");
  const stop = async () => {
    child.kill("SIGTERM");
    await exit;
  };
  try {
    const url = await addressOf(child.stdout);
    const credentials = JSON.parse(readFileSync(join(dataDir, "credentials.json"), "utf8"));
    const ask: Program["ask"] = async (method, path, body, key = credentials.bootstrapApiKey) => {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(path.startsWith("/internal/") ? { "x-admin-key": credentials.adminKey } : { "x-api-key": key }),
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : { text };
    };
    return { url, ask, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function addressOf(stdout: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input: stdout });
  for await (const line of lines) {
    const address = /listens on (\S+),/.exec(line)?.[1];
    if (address === undefined) continue;
    // What it prints later is read and dropped, so that it never waits for a reader.
    stdout.resume();
    return address;
  }
  throw new Error("the program ended before it listened");
}
