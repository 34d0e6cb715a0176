import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
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
  mkdirSync(home, { recursive: true });
  execFileSync(process.execPath, ["--no-warnings", join(root, "tools/pack/emit.ts"), dist]);
});

afterAll(() => removeFolder(folder));

test("every file exists that the program names by its path", () => {
  const files = globSync("{*.js,{cli,mixins,reader,sdk,services}/**/*.js}", { cwd: dist });
  const named = files.flatMap(file => {
    const code = readFileSync(join(dist, file), "utf8");
    const places = code.matchAll(
      /(?:\bfrom|\bimport|\bURL\(|\bimport\.meta\.url\)\(|\bimport\()\s*"(\.[^"\n]+)"/g,
    );
    return [...places].map(([, place = ""]) => join(dirname(file), place));
  });
  expect(named.length).toBeGreaterThan(1000);
  const missing = named.filter(place => !existsSync(join(dist, place)));
  // Fonts that a bundled package names and does not have.
  expect(missing.filter(place => !/\/(standard_fonts|cmaps)\/$/.test(place))).toEqual([]);
});

test("only files for browsers stay TypeScript", () => {
  const own = globSync("**/*.ts", { cwd: dist }).filter(
    file =>
      !/^(dashboard|services\/api\/guide\/browser)\//.test(file) &&
      !/^sdk\/typescript\/src\/(pause|resume)\.ts$/.test(file),
  );
  expect(own).toEqual([]);
});

test("no package is left to install but the browser", () => {
  const files = globSync("**/*.js", { cwd: dist, exclude: ["node_modules/**"] });
  const named = files.flatMap(file => {
    const code = readFileSync(join(dist, file), "utf8");
    return [...code.matchAll(/^import (?:[^"'();]* from )?"([^."][^"]*)"/gm)].map(([, name = ""]) => name);
  });
  const copied = (name: string) =>
    existsSync(
      join(
        dist,
        "node_modules",
        name
          .split("/")
          .slice(0, name.startsWith("@") ? 2 : 1)
          .join("/"),
      ),
    );
  const missing = named.filter(name => !isBuiltin(name) && !copied(name));
  expect([...new Set(missing)]).toEqual(["@sparticuz/chromium"]);
});

test("the licences of bundled packages are named", () => {
  const notices = readFileSync(join(dist, "THIRD-PARTY-NOTICES.txt"), "utf8");
  for (const name of ["moleculer", "undici", "marked"])
    expect(notices).toMatch(new RegExp(`^${name} \\d`, "m"));
  expect(notices).not.toMatch(/^Licence: /m);
  expect(notices).toMatch(
    /^PDF\.js, in unpdf .*: Apache-2\.0\n\nCopyright \(c\) Mozilla Foundation\n\n +Apache License/m,
  );
  expect(notices).toMatch(/^require-at .*\n\nCopyright \(c\) Joel Chen\n\n +Apache License/m);
  expect(notices).toMatch(/^ttl .*\n\nCopyright \(c\) Rui Hu .*\n\nPermission is hereby granted/m);
  expect(notices).toMatch(/^saxes .*\n\nCopyright \(c\) Louis-Dominique Dubeau .*\n\nPermission to use/m);
});

test("the command runs, and every service loads with all that it may load later", () => {
  const script = `
    import { globSync, readFileSync } from "node:fs";
    import { dirname, join } from "node:path";
    const { createProgram } = await import("${dist}/cli/magpie.js");
    console.log(createProgram().version());
    const services = globSync("${dist}/services/*/*.service.js");
    for (const file of services) console.log(typeof (await import(file)).default);
    for (const file of globSync("${dist}/{packages,mixins/*,services/*,services/connectors/platforms/*}/*.js"))
      if (!file.endsWith(".worker.js")) await import(file);
    // A CommonJS package, too, has its names where it is imported later.
    for (const file of globSync("${dist}/{mixins,services}/**/*.js"))
      for (const [, chunk] of readFileSync(file, "utf8").matchAll(/\\bimport\\("([^"]*\\/packages\\/[^"]+)"\\)/g)) {
        const found = await import(join(dirname(file), chunk));
        if (Object.keys(found).join() === "default" && typeof found.default === "object") console.log(file, chunk);
      }
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
