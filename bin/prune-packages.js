/**
 * Deletes from node_modules what the program never reads, after an install: the headers beside Node, source maps, and all
 * filter lists but the two that are used. npm has no way to leave files of a package out.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join, sep } from "node:path";

const packages = join(import.meta.dirname, "..", "node_modules");
const unused = [
  /^node\/node_modules\/[^/]+\/include$/,
  /\.[cm]?[jt]s\.map$/,
  // services/scraper/render/ad-filters.worker.ts reads these two.
  /^@adguard\/dnr-rulesets\/dist\/filters\/declarative\/ruleset_(?!(?:2|3)$)\d+$/,
];

if (existsSync(packages))
  for (const path of readdirSync(packages, { recursive: true })) {
    const name = path.split(sep).join("/");
    if (unused.some(pattern => pattern.test(name)))
      rmSync(join(packages, path), { recursive: true, force: true });
  }
