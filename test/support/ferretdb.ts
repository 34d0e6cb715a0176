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
const selection = "internal/backends/sqlite/collection.go";
/** What is changed in FerretDB 1.24: a piece that must be in a file, and what takes its place. */
const changes: [file: string, piece: RegExp, other: string][] = [
  // It stores arrays in arrays as MongoDB does, but for this check it takes none.
  [
    "internal/types/document_validation.go",
    /case \*Array:\s+return newValidationError\([^"]+"[^\n]+nested arrays are not supported[^\n]+\n\s*\)\)/,
    "",
  ],
  // It looks for an identity in the index only where nothing else is asked for, and else decodes all documents.
  [
    selection,
    /if params\.Filter\.Len\(\) == 1 \{\s+v, _ := params\.Filter\.Get\("_id"\)\s+switch v\.\(type\) \{/,
    `if params.Filter.Len() > 0 {
      v, _ := params.Filter.Get("_id")
      switch v := v.(type) {
      case *types.Document:
        in, _ := v.Get("$in")
        if list, ok := in.(*types.Array); ok && list.Len() > 0 {
          whereClause = " WHERE " + metadata.IDColumn + " IN (?" + strings.Repeat(", ?", list.Len()-1) + ")"
          for n := range list.Len() {
            args = append(args, string(must.NotFail(sjson.MarshalSingleValue(must.NotFail(list.Get(n))))))
          }
        }`,
  ],
  // SQLite leaves out what differs in a field that must be a string, by an index for identities; other fields may be arrays.
  [
    selection,
    /q \+= whereClause\n/,
    `for _, field := range params.Filter.Keys() {
      text, isText := must.NotFail(params.Filter.Get(field)).(string)
      if !isText || field == "_id" || strings.ContainsAny(field, "$.'") {
        continue
      }
      if whereClause == "" {
        whereClause = " WHERE "
      } else {
        whereClause += " AND "
      }
      column := metadata.DefaultColumn + "->'$." + field + "'"
      if strings.HasSuffix(field, "Id") {
        whereClause += column + " = ?"
      } else {
        whereClause += "(" + column + " = ? OR " + column + " LIKE '[%')"
      }
      args = append(args, string(must.NotFail(sjson.MarshalSingleValue(text))))
    }
    q += whereClause
`,
  ],
];

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
    const modfile = await changedCopy(program, draft);
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

/** Makes a copy of FerretDB with the changes; returns the go.mod that names it. */
async function changedCopy(program: string, folder: string): Promise<string> {
  await go(program, ["mod", "download", ferret]);
  const copy = join(folder, "copy");
  await run("cp", ["-R", await go(program, ["list", "-m", "-f", "{{.Dir}}", ferret]), copy]);
  // Go keeps its modules without the right to write.
  await run("chmod", ["-R", "u+w", copy]);
  for (const [name, piece, other] of changes) {
    const text = readFileSync(join(copy, name), "utf8");
    if (!piece.test(text)) throw new Error(`${name} of FerretDB is not the file that is known`);
    writeFileSync(
      join(copy, name),
      text.replace(piece, () => other),
    );
  }
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
