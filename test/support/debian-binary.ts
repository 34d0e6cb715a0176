import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { type SetDetail, showProgress } from "../../mixins/runtime/show-progress.ts";

export interface Binary {
  path: string;
  env: Record<string, string>;
}

/** A program and where Debian has it. */
export interface DebianProgram {
  program: string;
  /** Those that it is made of; the libraries that they need are found by themselves. */
  packages: string[];
  /** Where they have it, beside the usual places. */
  places?: string[];
  /** Arguments of a run that shows whether it works; `--version` unless told, and null for none. */
  check?: string[] | null;
  /** What to install where neither the machine nor its packages have it. */
  advice: string;
}

const run = promisify(execFile);
const commandDeadlineMs = 120_000;
const cache = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "magpie");

/** The program of the machine, else the one of Debian's packages, unpacked once beside the dependencies. */
export async function findBinary(wanted: DebianProgram): Promise<Binary> {
  const installed = findOnPath(wanted.program);
  if (installed) return { path: installed, env: {} };
  const folder = join(cache, wanted.program);
  try {
    const what = `Downloading ${wanted.program}, which this machine has not, from Debian (once)`;
    if (!existsSync(folder)) await showProgress(what, note => unpackInto(folder, wanted, note));
  } catch (cause) {
    const problem = `There is no ${wanted.program} here, nor could one be unpacked.`;
    throw new Error(`${problem} ${wanted.advice}`, { cause });
  }
  return unpacked(folder, wanted);
}

export function findOnPath(program: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map(folder => join(folder, program)).find(path => existsSync(path));
}

/** The folder appears under its name only when the program in it runs; of several that make it at once one stays. */
async function unpackInto(folder: string, wanted: DebianProgram, note: SetDetail): Promise<void> {
  const { program, packages, check = ["--version"] } = wanted;
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, `unpacking-${program}-`));
  try {
    const archives = join(draft, "packages");
    mkdirSync(archives);
    await download(packages, archives, note);
    note("unpacking");
    for (const file of readdirSync(archives).filter(name => name.endsWith(".deb")))
      await run("dpkg", ["-x", join(archives, file), draft], { timeout: commandDeadlineMs });
    rmSync(archives, { recursive: true });
    const { path, env } = unpacked(draft, wanted);
    if (check) await run(path, check, { env, timeout: commandDeadlineMs });
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/** With the machine's lists of packages where it has them, else with lists of our own: neither needs root. */
async function download(packages: string[], folder: string, note: SetDetail): Promise<void> {
  const lists = join(folder, "lists");
  const own = [`Dir::State::Lists=${lists}`, `Dir::Cache=${folder}`, "APT::Sandbox::User="];
  try {
    await downloadWith([], packages, folder);
  } catch {
    mkdirSync(join(lists, "partial"), { recursive: true });
    note("downloading Debian's lists of packages");
    await apt("apt-get", own, ["update"], folder);
    await downloadWith(own, packages, folder);
  }
}

async function downloadWith(options: string[], packages: string[], folder: string): Promise<void> {
  const needed = await apt("apt-cache", options, ["depends", ...packages], folder);
  const libraries = [...needed.matchAll(/Depends: (lib[\w.+-]+)/g)].flatMap(([, name]) => name ?? []);
  const missing: string[] = [];
  for (const name of new Set(libraries)) if (!(await isInstalled(name))) missing.push(name);
  await apt("apt-get", options, ["download", ...packages, ...missing], folder);
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

function unpacked(folder: string, { program, places: own = [] }: DebianProgram): Binary {
  const places = ["usr/bin", "usr/sbin", "bin", ...own].map(place => join(folder, place, program));
  const path = places.find(place => existsSync(place));
  if (!path) throw new Error(`The packages hold no ${program}`);
  return { path, env: libraryPath(join(folder, "usr", "lib")) };
}

function libraryPath(root: string): Record<string, string> {
  if (!existsSync(root)) return {};
  const folders = readdirSync(root, { withFileTypes: true }).filter(entry => entry.isDirectory());
  return { LD_LIBRARY_PATH: folders.map(({ name }) => join(root, name)).join(delimiter) };
}
