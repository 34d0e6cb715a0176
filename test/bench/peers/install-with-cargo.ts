import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { showProgress } from "../../../mixins/runtime/show-progress.ts";

const cache = join(import.meta.dirname, "../../..", "node_modules/.cache/magpie");
const buildMs = 1_800_000;

/** The program of a Rust package of this folder, built once; throws where Rust or the packages it needs are not to be had. */
export async function buildWithCargo(name: string): Promise<string> {
  const cwd = join(cache, name);
  await cp(join(import.meta.dirname, name), cwd, { recursive: true, preserveTimestamps: true });
  await showProgress(`Building ${name} to measure beside (cargo build; once)`, () =>
    promisify(execFile)("cargo", ["build", "--release", "--quiet"], { cwd, timeout: buildMs }),
  );
  return join(cwd, "target/release", name);
}
