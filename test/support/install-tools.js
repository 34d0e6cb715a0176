/**
 * Installs test/package.json beside it: what tests, checks and benches need and the program does not. Jest does this
 * before it runs a test, and the npm scripts that need it do. Once for each version of the lock file.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "..");
const lock = readFileSync(join(folder, "package-lock.json"), "utf8");
/** The lock file of an install that came to its end. */
const mark = join(folder, "node_modules", ".installed");

export default function installTools() {
  if (existsSync(mark) && readFileSync(mark, "utf8") === lock) return;
  process.stderr.write("Installing what tests and checks need (npm ci in test/; once) …\n");
  execFileSync("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  writeFileSync(mark, lock);
}

if (import.meta.main) installTools();
