import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { removeFolder } from "../support/folders.ts";
import { startArgs, startEnv, withoutBrowser } from "../support/start-args.ts";

const root = join(import.meta.dirname, "../..");

interface Run {
  child: ChildProcess;
  output(): string;
  exit: Promise<number | null>;
}

const folders: string[] = [];
const runs: Run[] = [];

afterEach(async () => {
  for (const { child } of runs) child.kill("SIGKILL");
  await Promise.all(runs.splice(0).map(({ exit }) => exit));
  await Promise.all(folders.splice(0).map(folder => removeFolder(folder)));
});

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "magpie-process-"));
  folders.push(folder);
  return folder;
}

const gatewayAndKeys = ["api", "keys"];

/** The program as `npm start` runs it, with the gateway and the keys only unless told. */
function start(env: Record<string, string>, services = gatewayAndKeys): Run {
  const child = spawn(process.execPath, startArgs, {
    cwd: root,
    env: { ...startEnv, HOME: tmpdir(), LOG_FORMAT: "json", SERVICES: services.join(","), ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", text => {
      output += text;
    });
  const exit = new Promise<number | null>(resolve => child.once("exit", resolve));
  const run = { child, output: () => output, exit };
  runs.push(run);
  return run;
}

async function addressOf(run: Run): Promise<string> {
  let over = false;
  void run.exit.then(() => {
    over = true;
  });
  for (;;) {
    const [, address] = /Magpie listens on (\S+),/.exec(run.output()) ?? [];
    if (address && run.output().includes("curl -s")) return address;
    if (over) throw new Error(`ended before it listened: ${run.output()}`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

/** The line as it stands, where there is a curl. */
function withCurl(line: string): string {
  if (spawnSync("curl", ["--version"]).status === 0) return line;
  const standIn = fileURLToPath(new URL("../support/curl-stand-in.js", import.meta.url));
  return `curl() { node '${standIn}' "$@"; }\n${line}`;
}

test("prints where it is and how to try it, once, without a secret; the credentials work", async () => {
  const DATA_DIR = await freshFolder();
  const run = start({ DATA_DIR, PORT: "0" });
  const address = await addressOf(run);
  const { adminKey, bootstrapApiKey } = JSON.parse(
    await promisify(execFile)("cat", [join(DATA_DIR, "credentials.json")]).then(({ stdout }) => stdout),
  );
  const keys = await fetch(`${address}/internal/keys`, { headers: { "x-admin-key": adminKey } });
  expect(keys.status).toBe(200);
  // The line is pasted as it stands; what it scrapes is not reached here, but the key has to be found and taken.
  const [line = ""] = /^ {2}curl .*$/m.exec(run.output()) ?? [];
  const pasted = await promisify(execFile)("sh", ["-c", withCurl(line)]);
  expect(JSON.parse(pasted.stdout).code).toBe("overloaded");
  run.child.kill("SIGTERM");
  expect(await run.exit).toBe(0);
  expect(run.output().match(/Magpie listens/g)).toHaveLength(1);
  expect(run.output()).not.toContain(adminKey);
  expect(run.output()).not.toContain(bootstrapApiKey);
});

test("a stop finishes the request in flight, refuses new ones and ends with 0", async () => {
  const folder = await freshFolder();
  const slow = join(folder, "slow.service.mjs");
  await writeFile(
    slow,
    `import { createServer } from "node:http";
     export default {
       name: "keys",
       actions: {
         list: { visibility: "published", handler: () => new Promise(resolve => {
           process.stdout.write("in flight\\n");
           process.once("SIGTERM", () => setTimeout(() => resolve({ data: [], message: "late" }), 300));
         }) },
         countUsage: { visibility: "public", handler: () => null },
       },
     };`,
  );
  const env = { DATA_DIR: folder, PORT: "0", ADMIN_KEY: "an-admin-key-for-this-test-only-0001" };
  const run = start(env, ["api", slow]);
  const address = await addressOf(run);
  const answer = fetch(`${address}/internal/keys`, { headers: { "x-admin-key": env.ADMIN_KEY } });
  while (!run.output().includes("in flight")) await new Promise(resolve => setTimeout(resolve, 10));
  run.child.kill("SIGTERM");
  const response = await answer;
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ data: [], message: "late" });
  expect(response.headers.get("connection")).toBe("close");
  expect(await run.exit).toBe(0);
  await expect(fetch(address)).rejects.toThrow();
});

test("connections that never ask do not hold a stop up", async () => {
  const run = start({ DATA_DIR: await freshFolder(), PORT: "0" });
  const { port } = new URL(await addressOf(run));
  const sockets = ["", "GET /health/live HT"].map(text => {
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(text));
    return once(socket, "close");
  });
  // Whoever is answered came after those two.
  await fetch(`http://127.0.0.1:${port}/health/live`);
  run.child.kill("SIGTERM");
  await Promise.all(sockets);
  expect(await run.exit).toBe(0);
  // Were they waited for, the stop would take the 20 s that are given to requests in flight.
});

test("with nothing left to read its log it works on, and ends when it is asked to", async () => {
  const env = { DATA_DIR: await freshFolder(), PORT: "0", ...withoutBrowser };
  const run = start(env, [...gatewayAndKeys, "scraper"]);
  const url = await addressOf(run);
  run.child.stdout?.destroy();
  run.child.stderr?.destroy();
  // The brake on wrong admin keys is a line of the log.
  for (let n = 0; n < 8; n += 1)
    await fetch(`${url}/internal/keys`, { headers: { "x-admin-key": `wrong-${n}` } });
  // An error that nothing handles would be a restart, which closes the port at first.
  for (let n = 0; n < 10; n += 1) {
    expect((await fetch(`${url}/health/live`, { headers: { connection: "close" } })).status).toBe(200);
    await sleep(300);
  }
  run.child.kill("SIGTERM");
  expect(await run.exit).toBe(0);
});

describe("what keeps it from starting is one plain line", () => {
  const lines = (run: Run) =>
    run
      .output()
      .split("\n")
      .filter(line => line && !line.startsWith("{"));

  test("a setting that does not parse", async () => {
    const run = start({ PORT: "none" });
    expect(await run.exit).toBe(1);
    expect(lines(run)).toEqual(["magpie cannot start: PORT: a whole number from 0 to 65535"]);
  });

  test("a port that is taken", async () => {
    const other: Server = createServer().listen(0, "127.0.0.1");
    await new Promise(resolve => other.once("listening", resolve));
    const { port } = other.address() as AddressInfo;
    const run = start({ DATA_DIR: await freshFolder(), PORT: String(port) });
    expect(await run.exit).toBe(1);
    expect(lines(run)).toEqual([
      expect.stringMatching(new RegExp(`^magpie cannot start: PORT: .*${port} is taken`)),
    ]);
    other.close();
  });

  test("a data folder that another process works in", async () => {
    const DATA_DIR = await freshFolder();
    const first = start({ DATA_DIR, PORT: "0" });
    await addressOf(first);
    const second = start({ DATA_DIR, PORT: "0" });
    expect(await second.exit).toBe(1);
    expect(lines(second)).toEqual([expect.stringMatching(/^magpie cannot start: .{20,}/)]);
  });
});
