import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { showProgress } from "../../mixins/runtime/show-progress.ts";

/** A program of strangers that tests run, as a Go module of a known source. */
export interface GoProgram {
  name: string;
  /** What it is, for people who wait for its build. */
  what: string;
  module: string;
  version: string;
  /** The checksum of its source. Another source is not built. */
  sum: string;
  /** The folder of its `main` within the module. */
  command: string;
  /** Arguments of a run that shows whether it works. */
  check: string[];
}

/** A server of the S3 protocol over a folder, which checks signatures (Apache 2.0). */
export const versitygw: GoProgram = {
  name: "versitygw",
  what: "a server of S3",
  module: "github.com/versity/versitygw",
  version: "v1.8.0",
  sum: "h1:au+wI+aybno/STsQiSm35Uu6Q6iK5MWReQxgO6SEMFc=",
  command: "cmd/versitygw",
  check: ["--version"],
};

/** Renders charts (Apache 2.0). */
export const helm: GoProgram = {
  name: "helm",
  what: "which renders the chart",
  module: "helm.sh/helm/v3",
  version: "v3.22.0",
  sum: "h1:n1if5iQgHYsujPAcO5oonH/KiSNUmqmUF0iGVjSF3AU=",
  command: "cmd/helm",
  check: ["version"],
};

/** Reads workflows of GitHub (MIT). */
export const actionlint: GoProgram = {
  name: "actionlint",
  what: "which reads workflows",
  module: "github.com/rhysd/actionlint",
  version: "v1.7.12",
  sum: "h1:vQ4GeJN86C0QH+gTUQcs8McmK62OLT3kmakPMtEWYnY=",
  command: "cmd/actionlint",
  check: ["-version"],
};

const cache = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "magpie");
const deadlineMs = 1_200_000;

const run = promisify(execFile);

/**
 * The path of the program, built by Go once beside the dependencies, in one to five minutes of processor time; null where Go
 * is missing or reaches no modules. Throws where it gets another source than the one that is known.
 */
export async function builtByGo(program: GoProgram): Promise<string | null> {
  const path = join(cache, `${program.name}-${program.version}`);
  if (existsSync(path)) return path;
  try {
    await showProgress(`Building ${program.name}, ${program.what}, with Go (once)`, () =>
      build(program, path),
    );
    return path;
  } catch (error) {
    if (error instanceof WrongSourceError) throw error;
    return null;
  }
}

class WrongSourceError extends Error {}

export function assertKnownSource({ module, version, sum }: GoProgram, found: unknown): void {
  if (found === sum) return;
  throw new WrongSourceError(
    `Go gave a source for ${module}@${version} whose checksum is ${found}, not ${sum}. It was not built.`,
  );
}

/** The folder of a module's files, with its checksum verified; null where Go is missing or reaches no modules. */
export async function goModule(module: string, version: string, sum: string): Promise<string | null> {
  try {
    const { stdout } = await run("go", ["mod", "download", "-json", `${module}@${version}`], {
      timeout: deadlineMs,
    });
    const { Sum, Dir } = JSON.parse(stdout) as { Sum?: string; Dir: string };
    return Sum === sum ? Dir : null;
  } catch {
    return null;
  }
}

/** It appears under its name only when it runs; of several builds at once the last one stays. */
async function build(program: GoProgram, path: string): Promise<void> {
  const { name, module, version, command, check } = program;
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, `building-${name}-`));
  const go = (...args: string[]) =>
    run("go", args, { cwd: draft, timeout: deadlineMs, env: { ...process.env, GOBIN: draft } });
  try {
    const { stdout } = await go("mod", "download", "-json", `${module}@${version}`);
    assertKnownSource(program, (JSON.parse(stdout) as { Sum?: string }).Sum);
    await go("install", "-ldflags=-s -w", `${module}/${command}@${version}`);
    await run(join(draft, name), check, { timeout: deadlineMs });
    renameSync(join(draft, name), path);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
