import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

export interface Import {
  file: string;
  /** A path below the project's root, or a package or built-in module. */
  target: string;
  /**
   * `dynamic` is an `import()`, a `require()` or a `require.resolve()`; `program` is a file that is run as a worker or a
   * process.
   */
  kind: "value" | "type" | "dynamic" | "program";
}

const statement = /(?:^|\n)(?:import|export)\s+(type\s+)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"/g;
const dynamic = /(?:\bimport|\brequire\w*|\.resolve)\(\s*"([^"]+)",?\s*\)/g;
const program = /\bnew URL\(\s*"([^"]+)",\s*import\.meta\.url,?\s*\)/g;

const root = join(import.meta.dirname, "..", "..");

/** Every source file of the product. */
export const files = globSync(
  ["moleculer.config.ts", "{cli,services,mixins,reader}/**/*.ts", "sdk/typescript/src/*.ts"],
  { cwd: root, exclude: ["reader/{bench,test}/**"] },
);

const sources = new Map(files.map(file => [file, readFileSync(join(root, file), "utf8")]));

export const imports = files.flatMap(file => importsOf(file, sources.get(file) ?? ""));

export function importsOf(file: string, source: string): Import[] {
  const targetOf = (path: string) => (path.startsWith(".") ? relative("", join(dirname(file), path)) : path);
  const found = (pattern: RegExp, kind: Import["kind"], prefix = "") =>
    [...source.matchAll(pattern)].map(([, path = ""]) => ({ file, target: targetOf(prefix + path), kind }));
  const declared = [...source.matchAll(statement)].map(
    ([, type, path = ""]): Import => ({ file, target: targetOf(path), kind: type ? "type" : "value" }),
  );
  return [...declared, ...found(dynamic, "dynamic"), ...found(program, "program", "./")];
}

/** `reader`, `train`, `domain`, `contracts`, `mixins`, `cli`, `sdk`, or the name of a service; undefined for packages. */
export function part(path: string): string | undefined {
  const [top = "", folder] = path.split("/");
  if (top === "reader" && folder === "train") return folder;
  return top === "services" ? folder : ["mixins", "cli", "reader", "sdk"].includes(top) ? top : undefined;
}

/** The imports that break a rule, as lines to read. */
export function offences(rule: (each: Import) => boolean, among = imports): string[] {
  return among.filter(each => !rule(each)).map(({ file, target }) => `${file} -> ${target}`);
}

/** The files whose text matches, but for those where it may. */
export function filesWith(pattern: RegExp, isAllowed: (file: string) => boolean): string[] {
  return files.filter(file => !isAllowed(file) && pattern.test(sources.get(file) ?? ""));
}
