/**
 * `node tools/prune-packages.ts <node_modules>`: deletes what the program never reads from the packages of an image. A
 * second run finds nothing to do. An install in a checkout is not touched.
 */
import { readdirSync, rmSync } from "node:fs";
import { join, sep } from "node:path";

const unused = [
  // Headers and manuals, which only builds of addons and people read.
  /^node\/node_modules\/[^/]+\/(include|share)$/,
  // Node runs the emitted JavaScript of a package; it reads no sources, maps and types below node_modules.
  /\.([cm]?[jt]s|css)\.map$/,
  /\.[cm]?ts$/,
  /\.(flow|tsbuildinfo)$/,
  // Documents in Markdown, except licences.
  /(^|\/)(?!licen[cs]e|notice|copying)[^/]*\.(md|markdown)$/i,
  // CommonJS builds; we import the ES modules.
  /^(@mtcute|@modelcontextprotocol|@xdevplatform\/xdk|feedsmith|zod)\/.*\.cjs$/,
  /^(hono|nodemailer)\/dist\/cjs$/,
  /^@ghostery\/adblocker\/dist\/commonjs$/,
  /^jschardet\/build\/index\.cjs$/,
  // The ES modules of this package, whose `import` leads to its CommonJS build.
  /^bullmq\/dist\/esm\/.*\.js$/,
  // Builds for web pages and other loaders of modules.
  /\.umd(\.min)?\.js$/,
  /^jschardet\/dist$/,
  /^luxon\/build\/(amd|cjs-browser|es6|global)$/,
  /^mammoth\/mammoth\.browser(\.min)?\.js$/,
  /^underscore\/(amd|cjs|modules)$/,
  // A second build of the functions, in another style.
  /^lodash\/fp$/,
  // The sources that the types are generated from.
  /^devtools-protocol\/(json|pdl)$/,
  // Tests and examples, which only developers of the package run.
  /(^|\/node_modules\/)(@[^/]+\/)?[^@/][^/]*\/(test|tests|__tests__|examples?|benchmarks?|\.github)$/,
  /^puppeteer\/lib\/es5-iife$/,
];

if (import.meta.main) prune(process.argv[2] ?? "node_modules");

/** Whether pruning deletes a file or folder, named by its path below node_modules. */
export function isUnused(path: string): boolean {
  return unused.some(pattern => pattern.test(path));
}

function prune(packages: string): void {
  for (const path of readdirSync(packages, { recursive: true, encoding: "utf8" }))
    if (isUnused(path.split(sep).join("/"))) rmSync(join(packages, path), { recursive: true, force: true });
}
