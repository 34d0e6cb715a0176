/**
 * `node tools/pack/pack-manifest.ts`, before `npm pack`: writes the package.json of the package. Of the dependencies only
 * the browser is left, since the others are bundled; nothing runs at its installation. Unlike the tree it is not private. `postpack` puts the former one back.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const path = join(import.meta.dirname, "../../package.json");
const kept = ["name", "version", "description", "license", "type", "engines", "bin", "files"];
const installed = ["@sparticuz/chromium"];

const manifest = JSON.parse(readFileSync(path, "utf8"));
const entries: [string, string][] = Object.entries(manifest.dependencies);
const packed = {
  ...Object.fromEntries(kept.map(key => [key, manifest[key]])),
  // A registry that vouches for where a package was built compares this with the workflow's.
  ...(process.env.GITHUB_REPOSITORY && {
    repository: { type: "git", url: `git+https://github.com/${process.env.GITHUB_REPOSITORY}.git` },
  }),
  // bin/fetched-node.js fetches it where the machine's own is too old.
  config: { node: manifest.dependencies.node },
  dependencies: Object.fromEntries(entries.filter(([name]) => installed.includes(name))),
};
writeFileSync(path, `${JSON.stringify(packed, null, 2)}\n`);
