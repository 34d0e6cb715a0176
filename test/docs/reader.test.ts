import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { packReader } from "../../tools/pack-reader.ts";
import { removeFolder } from "../support/folders.ts";
import { blocksOf } from "./pages.ts";

const root = join(import.meta.dirname, "../..");
const { dependencies } = JSON.parse(readFileSync(join(root, "reader/package.json"), "utf8"));
const [example = "", output = ""] = blocksOf(readFileSync(join(root, "reader/README.md"), "utf8")).map(
  ({ text }) => text,
);

describe("the reader, packed by itself, in an empty folder with its packages alone", () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "magpie-reader-"));
    const home = join(folder, "node_modules/magpie-reader");
    mkdirSync(home, { recursive: true });
    execFileSync("tar", ["-xzf", packReader(folder), "--strip-components=1", "-C", home]);
    for (const name of Object.keys(dependencies)) {
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
