import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { showProgress } from "../../../mixins/runtime/show-progress.ts";

const cache = join(import.meta.dirname, "../../..", "node_modules/.cache/magpie");
const installMs = 1_800_000;

/**
 * The folder of the programs of a Python package, installed once with what else `requirement` names after a space; throws
 * where Python or its packages are not to be had.
 */
export async function installWithPip(name: string, requirement: string): Promise<string> {
  const folder = join(cache, name);
  const bin = join(folder, "venv/bin");
  /** What is installed: the requirement of an install that came to its end. */
  const mark = join(folder, "installed");
  if (!existsSync(mark) || (await readFile(mark, "utf8")) !== requirement)
    await showProgress(`Installing ${name} to measure beside (pip install; once)`, async () => {
      const run = promisify(execFile);
      await rm(mark, { force: true });
      await mkdir(folder, { recursive: true });
      await run("python3", ["-m", "venv", "--clear", join(folder, "venv")], { timeout: installMs });
      await run(join(bin, "pip"), ["install", "--quiet", "--no-input", ...requirement.split(" ")], {
        timeout: installMs,
      });
      await writeFile(mark, requirement);
    });
  return bin;
}
