/**
 * Deletes from node_modules what the program, its tests and its types never read, after an install, and shortens the two
 * filter lists that are used. npm has no way to leave files of a package out. A second run finds nothing to do.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { gzipSync } from "node:zlib";

const unused = [
  // For those who compile addons or read manuals.
  /^node\/node_modules\/[^/]+\/(include|share)$/,
  // Node runs the emitted JavaScript of a package; it strips no types below node_modules.
  /\.([cm]?[jt]s|css)\.map$/,
  /(?<!\.d)\.[cm]?ts$/,
  /\.(flow|tsbuildinfo)$/,
  // Not the licences, which some packages have as Markdown.
  /(^|\/)(?!licen[cs]e|notice|copying)[^/]*\.(md|markdown)$/i,
  // services/scraper/render/ad-filters.worker.ts reads two lists, and nothing of the tool that makes them.
  /^@adguard\/dnr-rulesets\/dist\/filters\/(?!declarative$|declarative\/)[^/]+$/,
  /^@adguard\/dnr-rulesets\/dist\/filters\/declarative\/(?!ruleset_[23]($|\/))[^/]+$/,
  /^@adguard\/dnr-rulesets\/dist\/cli\.cjs$/,
  // mixins/browser/bundled/bundled-browser.ts takes SQLite for the bundled browser, which is for Linux x64.
  /^bare-sqlite\/prebuilds\/(?!linux-x64$|linux-x64\/)[^/]+$/,
  // The same once more, for `require`.
  /^(@mtcute|@modelcontextprotocol|@xdevplatform\/xdk|feedsmith|zod)\/.*\.(cjs|d\.cts)$/,
  /^(hono|nodemailer)\/dist\/cjs$/,
  /^@ghostery\/adblocker\/dist\/commonjs$/,
  /^jschardet\/build\/index\.cjs$/,
  // The same once more, for `import`, which finds the other as well.
  /^bullmq\/dist\/esm\/.*\.js$/,
  // The same once more, for web pages and other loaders of modules.
  /\.umd(\.min)?\.js$/,
  /^jschardet\/dist$/,
  /^luxon\/build\/(amd|cjs-browser|es6|global)$/,
  /^mammoth\/mammoth\.browser(\.min)?\.js$/,
  /^underscore\/(amd|cjs|modules)$/,
  // With functions in another style.
  /^lodash\/fp$/,
  // What the types are made of.
  /^devtools-protocol\/(json|pdl)$/,
  // For those who develop the package.
  /(^|\/node_modules\/)(@[^/]+\/)?[^@/][^/]*\/(test|tests|__tests__|examples?|benchmarks?|\.github)$/,
  /^puppeteer\/lib\/es5-iife$/,
  // services/api/openapi/docs.ts serves the bundle and its style.
  /^swagger-ui-dist\/swagger-ui(-es-bundle|-es-bundle-core|-standalone-preset)?\.js$/,
  // Jest loads the other one.
  /^@sinclair\/typebox\/build\/esm$/,
];

prune(process.argv[2] ?? join(import.meta.dirname, "..", "node_modules"));

function prune(packages) {
  if (!existsSync(packages)) return;
  for (const path of readdirSync(packages, { recursive: true })) {
    const name = path.split(sep).join("/");
    if (unused.some(pattern => pattern.test(name)))
      rmSync(join(packages, path), { recursive: true, force: true });
  }
  for (const number of [2, 3])
    shortenList(join(packages, "@adguard/dnr-rulesets/dist/filters/declarative", `ruleset_${number}`));
}

/** A list holds its rules twice: as declarations, which a browser's extension needs, and as text. The text stays, compressed. */
function shortenList(folder) {
  const [name = ""] = existsSync(folder) ? readdirSync(folder).filter(each => each.endsWith(".json")) : [];
  if (!name) return;
  const file = join(folder, name);
  const [ruleset] = JSON.parse(readFileSync(file, "utf8"));
  const draft = join(folder, `draft-${process.pid}`);
  writeFileSync(draft, gzipSync(ruleset.metadata.rawFilterList, { level: 9 }));
  renameSync(draft, file.replace(/json$/, "txt.gz"));
  rmSync(file);
}
