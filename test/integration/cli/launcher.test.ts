import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../../support/folders.ts";
import { needs } from "../../support/needs.ts";
import { startArgs, startEnv, withoutBrowser } from "../../support/start-args.ts";
import { until } from "../../support/until.ts";

const root = join(import.meta.dirname, "../../..");
/** A Node that cannot become another program has to start the service as its child, as an old one does. */
const oldNode = ["--import", "data:text/javascript,delete process.execve"];
const isLinux = process.platform === "linux";
const onLinux = needs(isLinux, "Linux", { isOptional: true });

let folder: string;
let child: ChildProcess;
let output = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "magpie-launcher-"));
});
afterEach(async () => {
  child.kill("SIGKILL");
  await removeFolder(folder);
});

/** `end` comes when no process has its output open any more: the service has ended too. */
function start(nodeArgs: string[]): { end: Promise<unknown[]> } {
  output = "";
  child = spawn(process.execPath, [...nodeArgs, ...startArgs], {
    cwd: root,
    env: { ...startEnv, ...withoutBrowser, HOME: folder, DATA_DIR: folder, PORT: "0", SERVICES: "api,keys" },
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", text => {
      output += text;
    });
  return { end: once(child, "close") };
}

const listens = () =>
  until(
    "it listens",
    () => /listens on/.test(output) || child.exitCode !== null || child.signalCode !== null,
  );
const proc = (name: string, pid = child.pid) => readFileSync(`/proc/${pid}/${name}`, "utf8").split("\0");
const childOf = (pid = child.pid) => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8"));

test.each([
  ["becomes the service", []],
  ["starts the service as its child where it cannot become it", oldNode],
])("the launcher %s, and a signal to it stops the service in order", async (_, nodeArgs) => {
  const { end } = start(nodeArgs);
  await listens();
  expect(output).toContain("listens on");
  if (isLinux) {
    const pid = nodeArgs.length > 0 ? childOf() : child.pid;
    expect(proc("cmdline", pid)).toEqual(
      expect.arrayContaining([
        "--v8-pool-size=1",
        expect.stringMatching(/^--max-semi-space-size=(8|16)$/),
        "serve",
      ]),
    );
    const variables = ["MALLOC_ARENA_MAX=1", "MALLOC_TRIM_THRESHOLD_=65536"];
    expect(proc("environ", pid)).toEqual(expect.arrayContaining(variables));
  }
  child.kill("SIGTERM");
  expect(await end).toEqual([0, null]);
});

test.each([
  ["a packaged Node that cannot run", "a program of another machine"],
  ["no packaged Node", undefined],
])(
  "with %s the running one is used, and a crawl of its own service prints no warnings",
  async (_, packaged) => {
    cpSync(join(root, "bin"), join(folder, "bin"), { recursive: true });
    mkdirSync(join(folder, "dist/cli"), { recursive: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    const program = "export const main = () => console.log(process.execPath, process.execArgv.join());";
    writeFileSync(join(folder, "dist/cli/magpie.js"), program);
    if (packaged !== undefined) {
      const home = join(folder, "node_modules/node");
      mkdirSync(join(home, "bin"), { recursive: true });
      writeFileSync(join(home, "package.json"), "{}");
      writeFileSync(join(home, "bin/node"), packaged, { mode: 0o755 });
    }
    const printed = async (...args: string[]) => {
      child = spawn(process.execPath, [join(folder, "bin/magpie.js"), ...args], { env: startEnv });
      let said = "";
      child.stdout?.setEncoding("utf8").on("data", text => {
        said += text;
      });
      await once(child, "close");
      return said.trim();
    };
    expect(await printed("crawl", "--own")).toBe(`${process.execPath} --no-warnings`);
    expect(await printed("serve")).toContain("--disable-warning=ExperimentalWarning");
  },
);

test.each([
  ["the launcher itself", []],
  ["a launcher with a child", oldNode],
])("a signal at once ends %s, and leaves no service behind", async (_, nodeArgs) => {
  const { end } = start(nodeArgs);
  await once(child, "spawn");
  child.kill("SIGTERM");
  await end;
  expect(output).not.toContain("listens on");
});

onLinux.test("a signal that comes with the child reaches it", async () => {
  const { end } = start(oldNode);
  await until("the child is there", () => childOf() > 0);
  child.kill("SIGTERM");
  await end;
  expect(output).not.toContain("listens on");
});
