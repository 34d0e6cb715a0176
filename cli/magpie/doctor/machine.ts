import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync, statfsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { promisify } from "node:util";
import type { Config } from "../../../mixins/config/config.ts";
import { isFolderInUse } from "../../../mixins/store/sqlite/folder-lock.ts";
import { type Checked, checked } from "./checked.ts";

const enoughMb = 1024;
const leastMb = 100;

/** Whether the data folder can be written, and how much room it has. */
export function* folder(dataDir: string): Generator<Checked> {
  const path = resolve(dataDir);
  const there = existingAbove(path);
  try {
    accessSync(there, constants.W_OK | constants.X_OK);
  } catch {
    return yield checked(
      "data folder",
      "fail",
      `${there} cannot be written by this user. Change its owner, or DATA_DIR.`,
    );
  }
  const { bavail, bsize } = statfsSync(there);
  const mb = Math.floor((bavail * bsize) / 1024 ** 2);
  const state = mb < leastMb ? "fail" : mb < enoughMb ? "warn" : "ok";
  const advice = state === "ok" ? "" : ". Make room: a full disk stops all writes";
  const use = isFolderInUse(path)
    ? "a service works on it"
    : there === path
      ? "no service works on it"
      : "not there yet";
  yield checked("data folder", state, `${path}: ${use}, ${mb} MB are free${advice}`);
}

function existingAbove(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existingAbove(dirname(path));
}

const run = promisify(execFile);
const browserMs = 20_000;

/** Whether the browser starts. A program that tells its version has found its libraries. */
export async function browser({ browser: { path }, searchPath, dataDir }: Config): Promise<Checked> {
  const { browserHint, findBrowser } = await import("../../../mixins/browser/find-browser.ts");
  try {
    const found = await findBrowser(path, { searchPath, dataDir });
    if (!found) return checked("browser", "warn", browserHint);
    const { stdout } = await run(found.executablePath, ["--version"], {
      timeout: browserMs,
      env: { ...found.env },
    });
    const said = `${stdout.trim() || "it starts"}, at ${found.executablePath}`;
    const hasFonts = found.env.FONTCONFIG_PATH !== undefined || process.platform !== "linux" || fontsThere();
    if (hasFonts) return checked("browser", "ok", said);
    return checked(
      "browser",
      "warn",
      `${said}; no fonts, so pictures show boxes (Debian: apt-get install fonts-noto-core)`,
    );
  } catch (error) {
    const [line = ""] = (error as Error).message.split("\n");
    return checked(
      "browser",
      "fail",
      `${line.replace(/\.$/, "")}. Pages with scripts cannot be read until it starts.`,
    );
  }
}

function fontsThere(): boolean {
  return ["/usr/share/fonts", "/usr/local/share/fonts"].some(
    path => existsSync(path) && readdirSync(path).length > 0,
  );
}
