/** Stands in for the command when the blocks of the documentation run: with the site of the test in place of the public ones. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const { SERVICE = "", SITE = "" } = process.env;
const words = process.argv.slice(2).map(word => word.replace(/https:\/\/(example|github)\.com/g, SITE));
const command = join(import.meta.dirname, "../../bin/magpie.js");
const { status } = spawnSync(process.execPath, ["--no-warnings", command, ...words], {
  stdio: "inherit",
  env: { ...process.env, NODE_OPTIONS: "", MAGPIE_URL: SERVICE },
});
process.exit(status ?? 1);
