import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { imports, part } from "../../test/architecture/product.ts";
import { blocksOf } from "../../test/docs/pages.ts";
import { removeFolder } from "../../test/support/folders.ts";
import { packReader } from "../../tools/pack-reader.ts";

const root = join(import.meta.dirname, "../..");
const manifestOf = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));
const own = manifestOf("reader/package.json");
const [example = "", output = ""] = blocksOf(readFileSync(join(root, "reader/README.md"), "utf8")).map(
  ({ text }) => text,
);

test("the reader's packages are those that it imports, in the versions of the service", () => {
  const { version, dependencies } = manifestOf("package.json");
  const packageOf = (target: string) =>
    target
      .split("/")
      .slice(0, target.startsWith("@") ? 2 : 1)
      .join("/");
  const imported = imports
    .filter(({ file, target }) => part(file) === "reader" && !/^(reader\/|node:)/.test(target))
    .map(({ target }) => packageOf(target));
  const names = [...new Set(imported)].sort();
  expect(own.dependencies).toEqual(Object.fromEntries(names.map(name => [name, dependencies[name]])));
  expect(own.version).toBe(version);
});

describe("packed by itself, in an empty folder with its packages alone", () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "magpie-reader-"));
    const home = join(folder, "node_modules/magpie-reader");
    mkdirSync(home, { recursive: true });
    execFileSync("tar", ["-xzf", packReader(folder), "--strip-components=1", "-C", home]);
    for (const name of Object.keys(own.dependencies)) {
      const place = join(folder, "node_modules", name);
      mkdirSync(dirname(place), { recursive: true });
      symlinkSync(join(root, "node_modules", name), place);
    }
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  });

  afterAll(() => removeFolder(folder));

  test("the README's example prints what the README says", () => {
    writeFileSync(join(folder, "example.js"), example);
    const printed = execFileSync(process.execPath, ["example.js"], { cwd: folder, encoding: "utf8" });
    expect(printed).toBe(output);
  });

  test("its types are found, and say what it returns", () => {
    const source = `import { readHtml, readJson } from "magpie-reader";
      export const markdown: string | undefined = readHtml("", { url: "" }).markdown;
      // @ts-expect-error: no number
      export const wrong: number = readHtml("", { url: "" }).markdown;
      // @ts-expect-error: json is there when something was found
      export const json = readJson("", { url: "" }).json;\n`;
    writeFileSync(join(folder, "typed.ts"), source);
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", "typed.ts"];
    const compiler = join(root, "node_modules/.bin/tsc");
    const check = () =>
      execFileSync(process.execPath, [compiler, ...options], { cwd: folder, encoding: "utf8" });
    expect(check()).toBe("");
  });
});
