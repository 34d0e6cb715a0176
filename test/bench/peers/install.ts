import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { showProgress } from "../../../mixins/runtime/show-progress.ts";

const installMs = 300_000;

/** Installs what the peers need into their own folder, unless it is there. They are no part of the product. */
export async function installPeers(): Promise<void> {
  const cwd = import.meta.dirname;
  if (existsSync(join(cwd, "node_modules/@crawlee"))) return;
  await showProgress("Installing the crawlers to measure beside (npm install; once)", () =>
    promisify(execFile)("npm", ["install", "--ignore-scripts"], { cwd, timeout: installMs }),
  );
}
