import { type ExecFileOptions, execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { basename, delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { showProgress } from "../../mixins/runtime/show-progress.ts";
import { sdkDocument } from "../docs/sdk-document.ts";

/*
 * A copy of `sdk` in which the tools of both SDKs are installed: what they need is no dependency of the product, and TypeScript
 * is an older one there.
 */

const root = join(import.meta.dirname, "..", "..");
/** Not below `node_modules`: Node runs no TypeScript there. */
export const workshop = join(root, "sdk", ".workshop");
export const typescript = join(workshop, "typescript");
export const python = join(workshop, "python");
const installed = new Set([
  "node_modules",
  "dist",
  ".venv",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
  "__pycache__",
]);
const timeoutMs = 600_000;

/** What the generators write, below `sdk`. */
export const generated = [
  "openapi.json",
  "typescript/src/schema.ts",
  ...["_optional", "inputs", "models"].map(name => `python/src/magpie_client/${name}.py`),
  "python/src/magpie_client/_async/operations.py",
  ...[
    ...[
      "administration",
      "client",
      "events",
      "job",
      "keys",
      "lists",
      "monitor",
      "operations",
      "source",
      "sources",
    ],
    ...["transport", "ways", "webhooks"],
  ].map(name => `python/src/magpie_client/_sync/${name}.py`),
];

/** Copies the SDKs as they are here, or one of them; the tools stay installed. */
export async function copySdks(languages = ["typescript", "python"]): Promise<void> {
  for (const language of languages) {
    const [from, to] = [join(root, "sdk", language), join(workshop, language)];
    for (const part of ["src", "test", "tests", "usage"])
      await rm(join(to, part), { recursive: true, force: true });
    await cp(from, to, { recursive: true, filter: path => !installed.has(basename(path)) });
  }
}

/** Installs what the TypeScript SDK names in its lock file, once per version of it. */
export async function installTypescript(): Promise<void> {
  const lock = join(typescript, "package-lock.json");
  await once(lock, "Installing the tools of the TypeScript SDK (npm ci; once)", async () => {
    await run("npm", ["ci", "--ignore-scripts"], typescript);
  });
}

/** Installs what the Python SDK names for its development, once per version of that list, and the SDK itself. */
export async function installPython(): Promise<void> {
  const list = join(python, "requirements-dev.txt");
  await once(list, "Installing the tools of the Python SDK (pip; once)", async () => {
    await run("python3", ["-m", "venv", "--clear", ".venv"], python);
    await inVenv("pip", "install", "-q", "-r", "requirements-dev.txt", "-e", ".");
  });
}

/** Runs a program of the Python SDK's environment. */
export function inVenv(program: string, ...args: string[]): Promise<string> {
  return run(join(python, ".venv", "bin", program), args, python);
}

/** Writes in the workshop what follows from the document of the service as it is now. */
export async function generate(): Promise<void> {
  await writeFile(join(workshop, "openapi.json"), sdkDocument());
  await run("npm", ["run", "generate"], typescript);
  await inVenv("python", "generate.py");
}

/** A file of an SDK, here and as the workshop has it. */
export function bothOf(path: string): [here: string, there: string] {
  return [join(root, "sdk", path), join(workshop, path)].map(file => readFileSync(file, "utf8")) as [
    string,
    string,
  ];
}

/** Takes over what was generated in the workshop. */
export async function takeGenerated(): Promise<void> {
  for (const path of generated) await cp(join(workshop, path), join(root, "sdk", path));
}

/** The output of a program that succeeds; an error with all that it has printed otherwise. */
export async function run(
  command: string,
  args: string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<string> {
  // The product's own Node first, and no option of the test runner.
  const { NODE_OPTIONS: _, PATH = "", ...rest } = process.env;
  const path = [dirname(process.execPath), PATH].join(delimiter);
  const options: ExecFileOptions = {
    cwd,
    timeout: timeoutMs,
    maxBuffer: 1e8,
    env: { ...rest, PATH: path, ...env },
  };
  try {
    const { stdout } = await promisify(execFile)(command, args, { ...options, encoding: "utf8" });
    return stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(" ")} failed\n${stdout}${stderr}`, { cause: error });
  }
}

async function once(list: string, title: string, install: () => Promise<void>): Promise<void> {
  const mark = join(dirname(list), ".installed");
  const wanted = await readFile(list, "utf8");
  if (existsSync(mark) && (await readFile(mark, "utf8")) === wanted) return;
  await rm(mark, { force: true });
  await showProgress(title, install);
  await writeFile(mark, wanted);
}
