import { cp, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blocksOf, page } from "../docs/pages.ts";
import { sdkDocument } from "../docs/sdk-document.ts";
import { removeFolder } from "../support/folders.ts";
import { operationsOf, startWorld, type World } from "./sdk-service.ts";
import { bothOf, copySdks, installTypescript, run, typescript, workshop } from "./sdk-workshop.ts";

let world: World;
/** An empty folder of somebody who uses the SDK. */
let folder: string;
beforeAll(async () => {
  await copySdks(["typescript"]);
  await installTypescript();
  folder = await mkdtemp(join(tmpdir(), "magpie-sdk-"));
  world = await startWorld();
}, 900_000);
afterAll(async () => {
  await world?.close();
  await removeFolder(folder);
});

test("the types are those that the service's document generates", async () => {
  await writeFile(join(workshop, "openapi.json"), sdkDocument());
  await run("npm", ["run", "generate"], typescript);
  const [here, there] = bothOf("typescript/src/schema.ts");
  expect(here === there || "`npm run sdk` writes them").toBe(true);
  expect(here).not.toContain(": Record<string, never>");
});

test("its own tests pass", async () => {
  const output = await run("npm", ["test"], typescript);
  expect(output).toMatch(/pass [1-9]\d/);
  expect(output).toMatch(/fail 0/);
});

test("a program uses every operation", async () => {
  const text = await readFile(join(typescript, "usage", "every-operation.ts"), "utf8");
  const called = [...text.matchAll(/\.(GET|POST|PUT|PATCH|DELETE)\("([^"]+)"/g)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  expect([...new Set(called)].sort()).toEqual([...(await operationsOf(world.service)).values()].sort());
});

test("the program type-checks strictly against the packed SDK in an empty folder, and runs", async () => {
  const packed = await run("npm", ["pack", "--pack-destination", folder], typescript);
  const tarball = packed.trim().split("\n").at(-1) ?? "";
  const { devDependencies } = JSON.parse(await readFile(join(typescript, "package.json"), "utf8"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const packages = [
    `./${tarball}`,
    ...["typescript", "@types/node"].map(name => `${name}@${devDependencies[name]}`),
  ];
  await run("npm", ["install", "--ignore-scripts", "--no-audit", ...packages], folder);
  await cp(join(typescript, "usage", "every-operation.ts"), join(folder, "every-operation.ts"));
  await writeFile(join(folder, "readme.ts"), ofReadme());
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];
  const options = [...strict, "--target", "es2022", "--module", "nodenext", "--types", "node"];
  await run(
    "npx",
    [
      "tsc",
      ...options,
      "--lib",
      "es2023,dom,dom.iterable,dom.asynciterable",
      "every-operation.ts",
      "readme.ts",
    ],
    folder,
  );
  const output = await run("node", ["every-operation.js"], folder, world.env);
  expect(output.trim()).toBe("every operation was used");
});

/** What the README shows, as one program; all but the first block in scopes of their own. */
function ofReadme(): string {
  const shown = blocksOf(page("sdk/typescript/README.md")).filter(({ info }) => info === "ts");
  const [first = "", ...others] = shown.map(({ text }) => text);
  return [first, ...others.map(text => `{\n${text}}`)].join("\n");
}
