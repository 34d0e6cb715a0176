/**
 * `node tools/pack/emit.ts [folder]`, before `npm pack`: writes the program into dist/, or into that folder, as JavaScript,
 * since Node strips no types below node_modules. Each file stays a file, so that threads, lists and pages are found by
 * their paths; the packages it imports are bundled beside. What browsers are given stays TypeScript, because the gateway
 * strips it itself.
 */
import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundle } from "./bundle.ts";
import { copyPackages } from "./copied-packages.ts";
import { notices } from "./notices.ts";

const root = join(import.meta.dirname, "../..");
const dist = process.argv[2] ?? join(root, "dist");

const programs = ["moleculer.config.ts", "{cli,mixins,reader,services}/**/*.ts", "sdk/typescript/src/*.ts"];
const notShipped = ["docs/lab/**", "reader/{bench,test,train}/**", "**/*.d.ts"];
const isForBrowsers = (file: string) => file.startsWith("services/api/guide/browser/");
const asTheyAre = [
  "package.json",
  "docs/**/*.{md,svg,png}",
  "dashboard/**/*.*",
  // The dashboard imports them, too.
  "sdk/typescript/src/{pause,resume}.ts",
  "{cli,mixins,reader,services}/**/*.{bin,css,gz,json,svg,txt}",
  "services/scraper/render/filter-lists/*",
];

rmSync(dist, { recursive: true, force: true });
const sources = globSync(programs, { cwd: root, exclude: notShipped });
for (const file of [
  ...sources.filter(isForBrowsers),
  ...globSync(asTheyAre, { cwd: root, exclude: notShipped }),
]) {
  mkdirSync(dirname(join(dist, file)), { recursive: true });
  cpSync(join(root, file), join(dist, file));
}
const bundled = await bundle(
  root,
  dist,
  sources.filter(file => !isForBrowsers(file)),
);
const copied = copyPackages(join(root, "node_modules"), join(dist, "node_modules"));
writeFileSync(join(dist, "THIRD-PARTY-NOTICES.txt"), notices([...bundled, ...copied]));
