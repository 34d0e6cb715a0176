/**
 * `npm pack`, after `npm run emit`: writes a package.json whose dependencies that need `overrides` are optional, since npm
 * heeds those of a root alone. `postpack` puts the former one back. In the repository they are not optional: npm leaves
 * out optional packages that want a newer Node than its own, although Magpie brings that Node along.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const path = join(import.meta.dirname, "../package.json");
const needOverrides: string[] = [];

const manifest = JSON.parse(readFileSync(path, "utf8"));
const isOptional = (name: string) => needOverrides.includes(name);
const entries: [name: string, version: string][] = Object.entries(manifest.dependencies);
manifest.dependencies = Object.fromEntries(entries.filter(([name]) => !isOptional(name)));
manifest.optionalDependencies = Object.fromEntries(entries.filter(([name]) => isOptional(name)));
writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
