import { globSync, readFileSync } from "node:fs";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { basename, dirname, extname, join } from "node:path";
import { etagOf } from "../response/kept.ts";

const root = join(import.meta.dirname, "../../..");
/** The folder of the browser's code: no service, and no part of this process. */
const folder = join(root, "dashboard");

export interface DashboardFile {
  type: string;
  body: Buffer;
  etag: string;
}

/** What the browser's code imports by name, and the file beside the package's entry that a browser reads. */
const packages: [specifier: string, file: string][] = [
  ["preact", "preact.mjs"],
  ["preact/hooks", "hooks.mjs"],
  ["htm", "htm.mjs"],
  ["@preact/signals", "signals.mjs"],
  ["@preact/signals-core", "signals-core.mjs"],
  ["marked", "marked.esm.js"],
  ["eventsource-parser", "index.js"],
];

/** Files that the browser's code imports by their paths: how a stream is read and resumed, and the parts of code. */
const shared = [
  "sdk/typescript/src/resume.ts",
  "sdk/typescript/src/pause.ts",
  "services/domain/text/code-parts.ts",
];

const servedAs = (specifier: string) => `packages/${specifier.replace(/\W+/g, "-").replace(/^-/, "")}.js`;
const servedAsShared = (path: string) => `shared/${basename(path)}`;

/** The import map of the page. A relative import that leaves `/dashboard/` is found by the path that it leads to. */
export const importMap = JSON.stringify({
  imports: Object.fromEntries([
    ...packages.map(([name]) => [name, `/dashboard/${servedAs(name)}`]),
    ...shared.map(path => [`/${path}`, `/dashboard/${servedAsShared(path)}`]),
  ]),
});

const javascript = "text/javascript; charset=utf-8";

const types: Record<string, string> = {
  ".ts": javascript,
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Every file that is served, by its name below `/dashboard/`, and where it is kept. Nothing else can be asked for. */
const paths = new Map<string, string>([
  ...globSync("**/*.{ts,css,svg}", { cwd: folder })
    .sort()
    .map((name): [string, string] => [name, join(folder, name)]),
  ...packages.map(([name, file]): [string, string] => [servedAs(name), besideEntry(name, file)]),
  ...shared.map((path): [string, string] => [servedAsShared(path), join(root, path)]),
]);

export const fileNames: readonly string[] = [...paths.keys()];

function besideEntry(specifier: string, file: string): string {
  return join(dirname(createRequire(import.meta.url).resolve(specifier)), file);
}

const read = new Map<string, DashboardFile>();

/** A file as the browser gets it; undefined when there is none of that name. Each is read once. */
export function dashboardFile(name: string): DashboardFile | undefined {
  const path = paths.get(name);
  if (path === undefined) return undefined;
  const file = read.get(name) ?? readBrowserFile(path);
  read.set(name, file);
  return file;
}

/** Reads what is written for browsers: TypeScript without its types, styles, a picture in SVG. */
export function readBrowserFile(path: string): DashboardFile {
  const source = readFileSync(path, "utf8");
  const extension = extname(path);
  const body = Buffer.from(extension === ".ts" ? withoutTypes(source) : withoutSourceMap(source));
  return { type: types[extension] ?? javascript, body, etag: etagOf(body) };
}

/** Packages name source maps, which are not served. */
function withoutSourceMap(source: string): string {
  return source.replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n");
}

/** Node warns that this is experimental each time a process begins to use it, although it runs on it as a whole. */
function withoutTypes(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}
