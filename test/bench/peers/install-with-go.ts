import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { showProgress } from "../../../mixins/runtime/show-progress.ts";

const cache = join(import.meta.dirname, "../../..", "node_modules/.cache/magpie");
const buildMs = 1_800_000;

/** The program of a Go package of this folder, built once; throws where Go or the modules it needs are not to be had. */
export async function buildWithGo(name: string): Promise<string> {
  const cwd = join(cache, name);
  const program = join(cwd, "bin", name);
  await cp(join(import.meta.dirname, name), cwd, { recursive: true, preserveTimestamps: true });
  await go(`Building ${name}`, ["build", "-mod=mod", "-o", program, "."], { cwd });
  return program;
}

/** The program of a module, such as `example.com/name/v2@v2.0.0`, installed once; throws as above. */
export async function installWithGo(requirement: string): Promise<string> {
  const folder = join(cache, "go", requirement.replaceAll("/", "+"));
  const [path = ""] = requirement.split("@");
  // A program is named after the end of its module's path, which for some is the version.
  const names = path.split("/").slice(-2).reverse();
  const found = () => names.map(name => join(folder, name)).find(existsSync);
  await mkdir(folder, { recursive: true });
  if (found() === undefined)
    await go(`Installing ${requirement}`, ["install", requirement], {
      cwd: folder,
      env: { ...process.env, GOBIN: folder },
    });
  const program = found();
  if (program === undefined) throw new Error(`go install ${requirement} made no ${names.join(" or ")}`);
  return program;
}

async function go(doing: string, args: string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) {
  await showProgress(`${doing} to measure beside (go ${args[0]}; once)`, () =>
    promisify(execFile)("go", args, { ...options, timeout: buildMs }),
  );
}
