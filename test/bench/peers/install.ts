import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const installMs = 300_000;

/** Installs what the peers need into their own folder, unless it is there. They are no part of the product. */
export async function installPeers(): Promise<void> {
  const cwd = import.meta.dirname;
  if (existsSync(join(cwd, "node_modules/@crawlee"))) return;
  await promisify(execFile)("npm", ["install", "--ignore-scripts"], { cwd, timeout: installMs });
}
