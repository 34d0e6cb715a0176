import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { showProgress } from "../../mixins/runtime/show-progress.ts";

/** A server of the S3 protocol over a folder, which checks signatures (Apache 2.0). */
const module = "github.com/versity/versitygw";
const version = "v1.8.0";
/** The checksum of its source. Another source is not built: a program of strangers would run here. */
const sum = "h1:au+wI+aybno/STsQiSm35Uu6Q6iK5MWReQxgO6SEMFc=";
const cache = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "magpie");
const path = join(cache, `versitygw-${version}`);
const deadlineMs = 600_000;

const run = promisify(execFile);

/**
 * The path of a versitygw, built by Go once beside the dependencies, in one to two minutes of processor time; null where Go
 * is missing or reaches no modules. Throws where it gets another source than the one that is known.
 */
export async function builtVersitygw(): Promise<string | null> {
  if (existsSync(path)) return path;
  try {
    await showProgress("Building versitygw, a server of S3, with Go (once)", build);
    return path;
  } catch (error) {
    if (error instanceof WrongSourceError) throw error;
    return null;
  }
}

class WrongSourceError extends Error {}

export function assertKnownSource(found: unknown): void {
  if (found === sum) return;
  throw new WrongSourceError(
    `Go gave a source for ${module}@${version} whose checksum is ${found}, not ${sum}. It was not built.`,
  );
}

/** It appears under its name only when it runs; of several builds at once the last one stays. */
async function build(): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, "building-versitygw-"));
  const go = (...args: string[]) =>
    run("go", args, { cwd: draft, timeout: deadlineMs, env: { ...process.env, GOBIN: draft } });
  try {
    const { stdout } = await go("mod", "download", "-json", `${module}@${version}`);
    assertKnownSource((JSON.parse(stdout) as { Sum?: string }).Sum);
    await go("install", "-ldflags=-s -w", `${module}/cmd/versitygw@${version}`);
    await run(join(draft, "versitygw"), ["--version"], { timeout: deadlineMs });
    renameSync(join(draft, "versitygw"), path);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
