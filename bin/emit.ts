/**
 * `npm run emit`, before `npm pack`: writes the program into dist/, or a folder that is given, as JavaScript, since Node strips no types below
 * node_modules. What browsers are given stays TypeScript, because the gateway strips it itself.
 */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const dist = process.argv[2] ?? join(root, "dist");

const programs = ["moleculer.config.ts", "{cli,mixins,reader,services}/**/*.ts", "sdk/typescript/src/*.ts"];
const notShipped = ["docs/lab/**", "reader/{bench,test,train}/**"];
const isForBrowsers = (file: string) => file.startsWith("services/api/guide/browser/");
const asTheyAre = [
  "package.json",
  "docs/**/*.{md,svg,png}",
  "dashboard/**/*.*",
  // The dashboard imports them, too.
  "sdk/typescript/src/{pause,resume}.ts",
  "{cli,mixins,reader,services}/**/*.{bin,css,json,svg,txt}",
  "services/scraper/render/filter-lists/*",
];

rmSync(dist, { recursive: true, force: true });
const sources = globSync(programs, { cwd: root, exclude: notShipped }).filter(
  file => !file.endsWith(".d.ts"),
);
for (const file of sources.filter(file => !isForBrowsers(file))) {
  const code = stripTypeScriptTypes(readFileSync(join(root, file), "utf8"));
  write(file.replace(/\.ts$/, ".js"), namedAsEmitted(code));
}
for (const file of [
  ...sources.filter(isForBrowsers),
  ...globSync(asTheyAre, { cwd: root, exclude: notShipped }),
]) {
  mkdirSync(dirname(join(dist, file)), { recursive: true });
  cpSync(join(root, file), join(dist, file));
}

/** Imports and threads name other files of the program relative to themselves; those have another extension now. */
function namedAsEmitted(code: string): string {
  return code.replace(
    /(\bfrom\s*|\bimport\s*|\bimport\(\s*|\bnew URL\(\s*)"(\.{1,2}\/[^"\n]+)\.ts"/g,
    '$1"$2.js"',
  );
}

function write(file: string, text: string): void {
  const path = join(dist, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
