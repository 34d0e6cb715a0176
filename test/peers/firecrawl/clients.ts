import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { showProgress } from "../../../mixins/runtime/show-progress.ts";

const run = promisify(execFile);
const source = import.meta.dirname;
/** Beside the dependencies, as the other peers. */
const folder = join(source, "..", "..", "..", "node_modules", ".cache", "magpie", "firecrawl");
/** What is installed: the lists of an install that came to its end. */
const mark = join(folder, "installed");
const lists = ["package.json", "package-lock.json", "requirements.txt"];
const programs = ["javascript.mjs", "mcp.mjs", "monitors.mjs", "clients.py", "monitors.py"];
const python = join(folder, "venv", "bin", "python");
const installMs = 1_800_000;
const runMs = 900_000;

/** Installs the clients, once per version of their lists. */
export async function installClients(): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of [...lists, ...programs]) await copyFile(join(source, name), join(folder, name));
  const wanted = (await Promise.all(lists.map(name => readFile(join(source, name), "utf8")))).join();
  if (existsSync(mark) && (await readFile(mark, "utf8")) === wanted) return;
  await rm(mark, { force: true });
  const options = { cwd: folder, timeout: installMs };
  await showProgress("Installing clients of Firecrawl (npm ci, pip install; once)", async () => {
    await run("npm", ["ci", "--ignore-scripts"], options);
    await run("python3", ["-m", "venv", "venv"], options);
    await run(python, ["-m", "pip", "install", "--quiet", "-r", "requirements.txt"], options);
  });
  await writeFile(mark, wanted);
}

/** Runs one of the programs against a service, and gives what it printed. */
export async function runClient<Got>(
  program: string,
  apiUrl: string,
  apiKey: string,
  site: string,
): Promise<Got> {
  const command = program.endsWith(".py") ? python : process.execPath;
  const options = { cwd: folder, timeout: runMs, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await run(command, [join(folder, program), apiUrl, apiKey, site], options);
  return JSON.parse(stdout) as Got;
}
