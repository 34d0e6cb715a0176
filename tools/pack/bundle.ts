import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin, stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";
import { copiedPackages } from "./copied-packages.ts";

/** Packages that stay packages: a browser, and those whose files are read by their path. */
const external = ["@sparticuz/chromium", ...copiedPackages];

/**
 * Writes each source of the program as a file of JavaScript, and the packages they import as chunks that they share, so
 * that each package exists once in a process. Answers the folders of the packages that were bundled.
 */
export async function bundle(root: string, dist: string, sources: string[]): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: sources.map(file => join(root, file)),
    outbase: root,
    outdir: dist,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    chunkNames: "packages/[name]-[hash]",
    format: "esm",
    platform: "node",
    target: "node22",
    // As Node would choose: a package's ES modules by `import`, its main file by `require`.
    mainFields: ["main"],
    // Licences are in a file of their own.
    legalComments: "none",
    banner: { js: commonJsNames },
    define: { __dirname: "folderOfChunk", __filename: "fileOfChunk" },
    metafile: true,
    logLevel: "error",
    plugins: [ownFiles, packagesAsFiles, importedLater(root), replCommands],
  });
  const folders = Object.keys(metafile.inputs).map(input => packageFolder(join(root, input)));
  return [...new Set(folders.filter(folder => folder !== undefined))];
}

/** What CommonJS packages expect; they are ES modules now. */
const commonJsNames = [
  'import { createRequire as requireOfChunk } from "node:module";',
  'import { dirname as dirnameOfChunk } from "node:path";',
  'import { fileURLToPath as pathOfChunk } from "node:url";',
  "const require = requireOfChunk(import.meta.url);",
  "const fileOfChunk = pathOfChunk(import.meta.url), folderOfChunk = dirnameOfChunk(fileOfChunk);",
].join("\n");

/** Our files import each other as before, with the extension that they have now. */
const ownFiles: Plugin = {
  name: "own-files",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.{1,2}\// }, ({ path, importer, kind }) =>
      kind === "entry-point" || importer.includes("/node_modules/")
        ? undefined
        : { path: path.replace(/\.ts$/, ".js"), external: true },
    );
    onLoad({ filter: /\.ts$/ }, ({ path }) =>
      path.includes("/node_modules/")
        ? undefined
        : { contents: threadsAsEmitted(stripTypeScriptTypes(readFileSync(path, "utf8"))), loader: "js" },
    );
  },
};

/** Threads are named by the address of their file. */
function threadsAsEmitted(code: string): string {
  return code.replace(/(\bnew URL\(\s*)"(\.{1,2}\/[^"\n]+)\.ts"/g, '$1"$2.js"');
}

const packagesAsFiles: Plugin = {
  name: "packages-as-files",
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path }) =>
      external.some(name => path === name || path.startsWith(`${name}/`))
        ? { path, external: true }
        : undefined,
    );
  },
};

/** A CommonJS package that is imported later has the names that Node finds in it; esbuild alone gives it a default. */
function importedLater(root: string): Plugin {
  return {
    name: "imported-later",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) =>
        kind !== "dynamic-import" || isBuiltin(path) || importer.includes("/node_modules/")
          ? undefined
          : { path, namespace: "imported-later" },
      );
      onLoad({ filter: /.*/, namespace: "imported-later" }, async ({ path }) => {
        const names = Object.keys(await import(path)).filter(name => /^[\w$]+$/.test(name));
        return { contents: `export { ${names.join(", ")} } from "${path}";`, resolveDir: root };
      });
    },
  };
}

/** The REPL of Moleculer loads all files of a folder. This names them. */
const replCommands: Plugin = {
  name: "repl-commands",
  setup({ onLoad }) {
    onLoad({ filter: /\/moleculer-repl\/src\/commands\/index\.js$/ }, ({ path }) => {
      const files = readdirSync(dirname(path)).filter(name => name !== "index.js");
      const loads = files.toSorted().map(name => `require("./${name}").register(program, broker);`);
      return { contents: `module.exports = (program, broker) => {\n${loads.join("\n")}\n};`, loader: "js" };
    });
  },
};

/** The folder of the package that has a file; a package may have packages of its own. */
function packageFolder(file: string): string | undefined {
  return /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
}
