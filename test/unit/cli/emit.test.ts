import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { removeFolder } from "../../support/folders.ts";
import { startEnv } from "../../support/start-args.ts";

const root = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "magpie-emit-"));
// Where Node strips no types.
const home = join(folder, "node_modules/magpie");
const dist = join(home, "dist");

beforeAll(() => {
  mkdirSync(join(home, "bin"), { recursive: true });
  execFileSync(process.execPath, ["--no-warnings", join(root, "bin/emit.ts"), dist]);
  symlinkSync(join(root, "node_modules"), join(home, "node_modules"));
});

afterAll(() => removeFolder(folder));

test("every file that the program names by its place is there", () => {
  const files = globSync("{*.js,{cli,mixins,reader,sdk,services}/**/*.js}", { cwd: dist });
  const named = files.flatMap(file => {
    const code = readFileSync(join(dist, file), "utf8");
    const places = code.matchAll(
      /(?:\bfrom|\bimport|\bURL\(|\bimport\.meta\.url\)\(|\bimport\()\s*"(\.[^"\n]+)"/g,
    );
    return [...places].map(([, place = ""]) => join(dirname(file), place));
  });
  expect(named.length).toBeGreaterThan(1000);
  // A dependency's manifest, beside the dependency.
  const missing = named.filter(place => !existsSync(join(dist, place)));
  expect(missing.filter(place => place !== "services/package.json")).toEqual([]);
});

test("a file of TypeScript is for browsers, or there is none", () => {
  const own = globSync("**/*.ts", { cwd: dist }).filter(
    file =>
      !/^(dashboard|services\/api\/guide\/browser)\//.test(file) &&
      !/^sdk\/typescript\/src\/(pause|resume)\.ts$/.test(file),
  );
  expect(own).toEqual([]);
});

test("the command runs, and every service can be loaded", () => {
  const script = `
    import { globSync } from "node:fs";
    const { createProgram } = await import("${dist}/cli/magpie.js");
    console.log(createProgram().version());
    for (const file of globSync("${dist}/services/*/*.service.js")) console.log(typeof (await import(file)).default);
  `;
  const args = ["--no-warnings", "--input-type=module", "--eval", script];
  const [version, ...services] = execFileSync(process.execPath, args, {
    cwd: folder,
    env: startEnv,
    encoding: "utf8",
  })
    .trim()
    .split("\n");
  expect(version).toBe(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version);
  expect(services.length).toBeGreaterThan(7);
  expect(new Set(services)).toEqual(new Set(["function"]));
});
