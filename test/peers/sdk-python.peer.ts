import { cp, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blocksOf, page } from "../docs/pages.ts";
import { sdkDocument } from "../docs/sdk-document.ts";
import { removeFolder } from "../support/folders.ts";
import { operationsOf, startWorld, type World } from "./sdk-service.ts";
import { bothOf, copySdks, generated, installPython, inVenv, python, run, workshop } from "./sdk-workshop.ts";

let world: World;
/** An empty folder of somebody who uses the SDK. */
let folder: string;
beforeAll(async () => {
  await copySdks(["python"]);
  await installPython();
  folder = await mkdtemp(join(tmpdir(), "magpie-sdk-"));
  world = await startWorld();
}, 900_000);
afterAll(async () => {
  await world?.close();
  await removeFolder(folder);
});

test("the generated modules are those that the service's document and the asynchronous client generate", async () => {
  await writeFile(join(workshop, "openapi.json"), sdkDocument());
  await inVenv("python", "generate.py");
  const changed = generated.filter(path => {
    const [here, there] = bothOf(path);
    return here !== there;
  });
  expect({ changed, "written by": "npm run sdk" }).toEqual({ changed: [], "written by": "npm run sdk" });
});

test("its own tests pass, and mypy finds nothing", async () => {
  expect(await inVenv("mypy")).toContain("no issues found");
  expect(await inVenv("pytest", "-q")).toMatch(/[1-9]\d passed/);
});

test("a program uses every operation", async () => {
  const text = await readFile(join(python, "usage", "every_operation.py"), "utf8");
  const called = new Set([...text.matchAll(/\.(\w+)\(/g)].map(([, name]) => name));
  const snake = (id: string) => id.replace(/(?<=[a-z0-9])([A-Z])/g, "_$1").toLowerCase();
  // What is not read as a whole is no method: the events are those of `events()`.
  const others = new Set(["openStream", "streamEvents", "streamAllEvents"]);
  const ids = [...(await operationsOf(world.service)).keys()].filter(id => !others.has(id));
  expect(ids.map(snake).filter(name => !called.has(name))).toEqual([]);
});

test("the program type-checks strictly against the built SDK in an empty environment, and runs", async () => {
  await inVenv("pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder, ".");
  const [wheel] = (await readdir(folder)).filter(name => name.endsWith(".whl"));
  await run("python3", ["-m", "venv", "venv"], folder);
  const own = (program: string, ...args: string[]) =>
    run(join(folder, "venv", "bin", program), args, folder, world.env);
  const { mypy = "" } =
    /(?<mypy>mypy==\S+)/.exec(await readFile(join(python, "requirements-dev.txt"), "utf8"))?.groups ?? {};
  await own("pip", "install", "-q", mypy, `./${wheel}`);
  const program = join(python, "usage", "every_operation.py");
  expect(await own("mypy", "--strict", "--python-version", "3.11", program)).toContain("no issues found");
  const shown = blocksOf(page("sdk/python/README.md")).filter(({ info }) => info === "python");
  await writeFile(join(folder, "readme.py"), shown.map(({ text }) => text).join("\n"));
  expect(await own("mypy", "--strict", "readme.py")).toContain("no issues found");
  await cp(program, join(folder, "every_operation.py"));
  const strict = {
    include: ["every_operation.py", "readme.py"],
    typeCheckingMode: "strict",
    pythonVersion: "3.11",
  };
  await writeFile(join(folder, "pyrightconfig.json"), JSON.stringify(strict));
  const interpreter = join(folder, "venv", "bin", "python");
  expect(await inVenv("pyright", "--pythonpath", interpreter, "-p", folder)).toContain(
    "0 errors, 0 warnings",
  );
  expect((await own("python", program)).trim()).toBe("every operation was used");
});
