import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The folder of the package that brings a browser; undefined where it is not installed. */
export function bundledPackage(): string | undefined {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")));
  } catch {
    return undefined;
  }
}

/** The version of Chromium that the package brings. */
export function bundledVersion(): string | undefined {
  const folder = bundledPackage();
  if (folder === undefined) return undefined;
  const manifest = readFileSync(join(folder, "package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
