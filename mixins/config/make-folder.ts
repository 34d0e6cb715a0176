import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Makes a folder and those above it, where they are missing. Node's own way to do so never ends below /proc. */
export function makeFolder(path: string, mode = 0o777): void {
  const folder = resolve(path);
  const hindrance = tryOnce(folder, mode);
  if (hindrance === undefined) return;
  if (hindrance.code !== "ENOENT") throw hindrance;
  makeFolder(dirname(folder), mode);
  const last = tryOnce(folder, mode);
  if (last !== undefined) throw last;
}

function tryOnce(folder: string, mode: number): NodeJS.ErrnoException | undefined {
  try {
    mkdirSync(folder, mode);
    return undefined;
  } catch (error) {
    const hindrance = error as NodeJS.ErrnoException;
    return hindrance.code === "EEXIST" && statSync(folder).isDirectory() ? undefined : hindrance;
  }
}
