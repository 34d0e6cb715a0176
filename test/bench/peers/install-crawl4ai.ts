import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { showProgress } from "../../../mixins/runtime/show-progress.ts";

const requirement = "crawl4ai==0.9.5";
const root = join(import.meta.dirname, "../../..");
/** What it writes goes below this folder, too. */
export const crawl4aiFolder = join(root, "node_modules/.cache/magpie/crawl4ai");
/** What is installed: the requirement of an install that came to its end. */
const mark = join(crawl4aiFolder, "installed");
const installMs = 1_800_000;

/** The Python that has Crawl4AI, installed once without a browser; throws where Python or its packages are not to be had. */
export async function installCrawl4ai(): Promise<string> {
  const bin = join(crawl4aiFolder, "venv/bin");
  if (!existsSync(mark) || (await readFile(mark, "utf8")) !== requirement)
    await showProgress("Installing Crawl4AI to measure beside (pip install; once)", () => install(bin));
  return join(bin, "python");
}

async function install(bin: string): Promise<void> {
  const run = promisify(execFile);
  await rm(mark, { force: true });
  await mkdir(crawl4aiFolder, { recursive: true });
  await run("python3", ["-m", "venv", "--clear", join(bin, "..")], { timeout: installMs });
  await run(join(bin, "pip"), ["install", "--quiet", "--no-input", requirement], { timeout: installMs });
  await writeFile(mark, requirement);
}
