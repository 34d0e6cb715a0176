import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { BrowserBinary } from "./find-browser.ts";
import { sqliteLibrary } from "./sqlite-library.ts";

const unpackDeadlineMs = 120_000;
const librariesFolder = join("al2023", "lib");
/** Counts what is put beside the browser; a folder that an earlier revision unpacked is left alone. */
const revision = 2;

/**
 * Unpacks the headless shell, its libraries and fonts out of @sparticuz/chromium, once per version. Undefined where
 * that package has no build for the machine.
 */
export async function unpackCarriedBrowser(dataDir: string): Promise<BrowserBinary | undefined> {
  const packageFolder = carriedPackage();
  if (packageFolder === undefined || process.platform !== "linux" || process.arch !== "x64") return undefined;
  const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as {
    version: string;
  };
  const cache = writableFolder([
    join(packageFolder, "..", "..", ".cache", "magpie"),
    join(dataDir, "browser"),
  ]);
  const folder = join(cache, `headless-shell-${version}-${revision}`);
  if (!existsSync(folder)) await unpackInto(folder, cache);
  return {
    executablePath: join(folder, "chromium"),
    kind: "shell",
    env: { LD_LIBRARY_PATH: join(folder, librariesFolder), FONTCONFIG_PATH: join(folder, "fonts") },
  };
}

function carriedPackage(): string | undefined {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")));
  } catch {
    return undefined;
  }
}

/**
 * The package unpacks into the temporary folder of its process and reads two variables while it loads; a process of
 * its own keeps both out of ours. The folder appears under its name only when it is complete.
 */
async function unpackInto(folder: string, cache: string): Promise<void> {
  const draft = mkdtempSync(join(cache, "unpacking-"));
  const script = fileURLToPath(new URL("unpack-browser.ts", import.meta.url));
  const env = { TMPDIR: draft, HOME: draft, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x" };
  try {
    await promisify(execFile)(process.execPath, [script], { env, timeout: unpackDeadlineMs });
    writeFileSync(join(draft, "fonts", "fonts.conf"), fontsConfig(join(folder, "fonts")));
    // NSS, its TLS library, is linked against it; without it the first https page ends the network process.
    writeFileSync(join(draft, librariesFolder, "libsqlite3.so.0"), sqliteLibrary());
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/**
 * The package's own configuration looks for its fonts in /tmp. Without any font, a page with a form or an error page
 * ends Chromium's renderer.
 */
function fontsConfig(folder: string): string {
  const dirs = ["/usr/share/fonts", join(folder, "fonts")].map(dir => `<dir>${dir}</dir>`);
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${dirs.join("")}<cachedir>${folder}/cache</cachedir></fontconfig>\n`;
}

function writableFolder(candidates: string[]): string {
  for (const folder of candidates)
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return folder;
    } catch (error) {
      if (folder === candidates.at(-1)) throw error;
    }
  throw new Error("no folder to unpack the browser into");
}
