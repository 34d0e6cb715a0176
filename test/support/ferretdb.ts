import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findOnPath } from "./debian-binary.ts";

const buildDeadlineMs = 600_000;
const source = join(import.meta.dirname, "ferretdb");
const cache = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "magpie");

/** The path of a FerretDB that is built once beside the dependencies, which takes minutes; null where there is no Go. */
export async function buildFerret(): Promise<string | null> {
  const files = ["go.mod", "main.go"].map(name => readFileSync(join(source, name)));
  const version = createHash("sha256").update(Buffer.concat(files)).digest("hex").slice(0, 8);
  const path = join(cache, `ferretdb-${version}`);
  if (existsSync(path)) return path;
  const go = findOnPath("go");
  if (!go) return null;
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, "building-ferretdb-"));
  try {
    const built = join(draft, "ferretdb");
    await promisify(execFile)(go, ["build", "-trimpath", "-ldflags=-s -w", "-o", built, "."], {
      cwd: source,
      env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off", GOFLAGS: "-mod=readonly -buildvcs=false" },
      timeout: buildDeadlineMs,
    });
    renameSync(built, path);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return path;
}
