import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

export interface RedisBinary {
  path: string;
  env: Record<string, string>;
}

const run = promisify(execFile);
const commandDeadlineMs = 120_000;
const cache = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "magpie");

/** A redis-server: that of the machine, else the one of Debian's packages, unpacked once beside the dependencies. */
export async function findRedis(): Promise<RedisBinary> {
  const installed = (process.env.PATH ?? "")
    .split(delimiter)
    .map(folder => join(folder, "redis-server"))
    .find(path => existsSync(path));
  if (installed) return { path: installed, env: {} };
  const folder = join(cache, "redis");
  try {
    if (!existsSync(folder)) await unpackInto(folder);
  } catch (cause) {
    const advice =
      "Install Redis 6.2 or later (Debian: apt-get install redis-server), then run the tests again.";
    throw new Error(`There is no redis-server here, nor could one be unpacked. ${advice}`, { cause });
  }
  return { path: join(folder, "usr", "bin", "redis-server"), env: libraryPath(folder) };
}

/** The folder appears under its name only when the server in it runs; of several that make it at once one stays. */
async function unpackInto(folder: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, "unpacking-redis-"));
  try {
    const packages = join(draft, "packages");
    mkdirSync(packages);
    await download(packages);
    for (const file of readdirSync(packages).filter(name => name.endsWith(".deb")))
      await run("dpkg", ["-x", join(packages, file), draft], { timeout: commandDeadlineMs });
    rmSync(packages, { recursive: true });
    const server = join(draft, "usr", "bin", "redis-server");
    await run(server, ["--version"], { env: libraryPath(draft), timeout: commandDeadlineMs });
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/** With the machine's lists of packages where it has them, else with lists of our own: neither needs root. */
async function download(folder: string): Promise<void> {
  const lists = join(folder, "lists");
  const own = [`Dir::State::Lists=${lists}`, `Dir::Cache=${folder}`, "APT::Sandbox::User="];
  try {
    await downloadWith([], folder);
  } catch {
    mkdirSync(join(lists, "partial"), { recursive: true });
    await apt("apt-get", own, ["update"], folder);
    await downloadWith(own, folder);
  }
}

async function downloadWith(options: string[], folder: string): Promise<void> {
  const needed = await apt("apt-cache", options, ["depends", "redis-tools"], folder);
  const libraries = [...needed.matchAll(/Depends: (lib[\w.+-]+)/g)].flatMap(([, name]) => name ?? []);
  const missing: string[] = [];
  for (const name of libraries) if (!(await isInstalled(name))) missing.push(name);
  await apt("apt-get", options, ["download", "redis-server", "redis-tools", ...missing], folder);
}

async function apt(program: string, options: string[], command: string[], cwd: string): Promise<string> {
  const args = [...options.flatMap(option => ["-o", option]), ...command];
  return (await run(program, args, { cwd, timeout: commandDeadlineMs })).stdout;
}

async function isInstalled(name: string): Promise<boolean> {
  try {
    const { stdout } = await run("dpkg-query", ["-W", "-f", "$" + "{Status}", name], {
      timeout: commandDeadlineMs,
    });
    return stdout.endsWith(" installed");
  } catch {
    return false;
  }
}

function libraryPath(folder: string): Record<string, string> {
  const root = join(folder, "usr", "lib");
  const folders = readdirSync(root, { withFileTypes: true }).filter(entry => entry.isDirectory());
  return { LD_LIBRARY_PATH: folders.map(({ name }) => join(root, name)).join(delimiter) };
}
