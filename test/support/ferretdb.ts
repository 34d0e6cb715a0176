import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { type SetDetail, showProgress } from "../../mixins/runtime/show-progress.ts";
import { findOnPath } from "./debian-binary.ts";

const buildDeadlineMs = 600_000;
const source = join(import.meta.dirname, "ferretdb");
const cache = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "magpie");
const ferret = "github.com/FerretDB/FerretDB";
const validation = "internal/types/document_validation.go";
/** FerretDB 1.24 stores arrays in arrays as MongoDB does, but for this check it takes none. */
const refusal =
  /case \*Array:\s+return newValidationError\([^"]+"[^\n]+nested arrays are not supported[^\n]+\n\s*\)\)/;

/** The path of a FerretDB that is built once beside the dependencies, which takes minutes; null where there is no Go, or an old one. */
export async function buildFerret(): Promise<string | null> {
  const files = ["ferretdb/go.mod", "ferretdb/main.go", "ferretdb.ts"];
  const parts = files.map(name => readFileSync(join(import.meta.dirname, name)));
  const version = createHash("sha256").update(Buffer.concat(parts)).digest("hex").slice(0, 8);
  const path = join(cache, `ferretdb-${version}`);
  if (existsSync(path)) return path;
  const program = findOnPath("go");
  if (!program || !(await isRecent(program))) return null;
  const what = "Building FerretDB, which speaks MongoDB's protocol, with Go (once; some minutes)";
  await showProgress(what, note => buildAs(path, program, note));
  return path;
}

async function buildAs(path: string, program: string, note: SetDetail): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, "building-ferretdb-"));
  try {
    const built = join(draft, "ferretdb");
    note("downloading its source");
    const modfile = await takeNestedArrays(program, draft);
    note("downloading what it needs");
    const args = ["build", "-v", "-trimpath", "-ldflags=-s -w", "-modfile", modfile, "-o", built, "."];
    let compiled = 0;
    // Go tells each package that it downloads or has compiled.
    await go(program, args, line => note(line.startsWith("go: ") ? line : `${++compiled} packages compiled`));
    renameSync(built, path);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** From 1.21 on Go fetches the version that a module asks for. */
async function isRecent(program: string): Promise<boolean> {
  const version = await go(program, ["env", "GOVERSION"]);
  return version.localeCompare("go1.21", "en", { numeric: true }) >= 0;
}

/** Makes a copy of FerretDB without the check; tells the go.mod that names it. */
async function takeNestedArrays(program: string, folder: string): Promise<string> {
  await go(program, ["mod", "download", ferret]);
  const copy = join(folder, "copy");
  await run("cp", ["-R", await go(program, ["list", "-m", "-f", "{{.Dir}}", ferret]), copy]);
  // Go keeps its modules without the right to write.
  await run("chmod", ["-R", "u+w", copy]);
  const file = join(copy, validation);
  const text = readFileSync(file, "utf8");
  if (!refusal.test(text)) throw new Error(`${validation} of FerretDB is not the file that is known`);
  writeFileSync(file, text.replace(refusal, ""));
  for (const name of ["go.mod", "go.sum"]) copyFileSync(join(source, name), join(folder, name));
  const modfile = join(folder, "go.mod");
  await go(program, ["mod", "edit", `-replace=${ferret}=${copy}`, modfile]);
  return modfile;
}

type OnLine = (line: string) => void;

function go(program: string, args: string[], onLine?: OnLine): Promise<string> {
  const env = { CGO_ENABLED: "0", GOWORK: "off", GOFLAGS: "-mod=readonly -buildvcs=false" };
  return run(program, args, env, onLine);
}

/** What it prints; `onLine` takes each line of its messages. */
async function run(
  program: string,
  args: string[],
  env: Record<string, string> = {},
  onLine?: OnLine,
): Promise<string> {
  const options = { cwd: source, env: { ...process.env, ...env }, timeout: buildDeadlineMs };
  const running = promisify(execFile)(program, args, options);
  if (onLine && running.child.stderr) createInterface(running.child.stderr).on("line", onLine);
  return (await running).stdout.trim();
}
