import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { showProgress } from "../../mixins/runtime/show-progress.ts";

/** Beside the dependencies, so that test runners do not look into it. */
export const peerFolder = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "magpie", "peers");
/** What is installed: the lock file of an install that came to its end. */
const mark = join(peerFolder, "installed");
const installTimeoutMs = 900_000;

/** Installs the server software, once per version of its lock file. */
export async function installPeers(): Promise<void> {
  const lock = await readFile(join(import.meta.dirname, "package-lock.json"), "utf8");
  await mkdir(peerFolder, { recursive: true });
  await openToOthers();
  if (existsSync(mark) && (await readFile(mark, "utf8")) === lock) return;
  await rm(mark, { force: true });
  for (const name of ["package.json", "package-lock.json"])
    await copyFile(join(import.meta.dirname, name), join(peerFolder, name));
  await showProgress("Installing the servers of the networks to test beside (npm ci; once)", () =>
    promisify(execFile)("npm", ["ci"], { cwd: peerFolder, timeout: installTimeoutMs }),
  );
  await writeFile(mark, lock);
}

/** As root, the database runs as another user, who must reach its programs. */
async function openToOthers(): Promise<void> {
  for (const each of [join(peerFolder, "..", ".."), join(peerFolder, ".."), peerFolder])
    await chmod(each, 0o755);
}

/** A module of the server software. */
export async function importPeer(name: string): Promise<unknown> {
  const path = createRequire(join(peerFolder, "package.json")).resolve(name);
  return await import(pathToFileURL(path).href);
}
