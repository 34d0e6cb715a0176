import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CommandRun, runCommand, startCommand } from "../../support/command.ts";
import { removeFolder } from "../../support/folders.ts";
import { withoutBrowser } from "../../support/start-args.ts";
import { until } from "../../support/until.ts";

const home = mkdtempSync(join(tmpdir(), "magpie-doctor-"));
const env = { HOME: home, DATA_DIR: join(home, "data"), HOST: "127.0.0.1", PORT: "0" };
let service: CommandRun | undefined;

afterAll(async () => {
  service?.child.kill("SIGKILL");
  await service?.end;
  await removeFolder(home);
});

interface Line {
  check: string;
  state: string;
  said: string;
}

async function examine(more: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runCommand(["doctor", "--json"], { ...env, ...more });
  const lines = stdout
    .split("\n")
    .filter(Boolean)
    .map(line => JSON.parse(line) as Line);
  return { code, stdout, stderr, of: (check: string) => lines.filter(each => each.check === check) };
}

test("a slip in a setting is named with what was meant, and a browser that is none fails", async () => {
  const { code, of } = await examine({ POLL_MIN_INTERVALL: "5m", BROWSER_PATH: "/nonexistent" });
  expect(code).toBe(1);
  expect(of("settings")).toContainEqual({
    check: "settings",
    state: "warn",
    said: "POLL_MIN_INTERVALL is no setting. Did you mean POLL_MIN_INTERVAL?",
  });
  expect(of("browser")).toMatchObject([
    { state: "fail", said: expect.stringContaining("BROWSER_PATH names no") },
  ]);
  expect(of("data folder")).toMatchObject([{ said: expect.stringContaining("not there yet") }]);
  expect(of("port")).toMatchObject([{ state: "ok" }]);
}, 60_000);

test("a setting that cannot be read fails by its name", async () => {
  const { code, of } = await examine({ POLL_MIN_INTERVAL: "soon" });
  expect(code).toBe(1);
  expect(of("settings")).toMatchObject([
    { state: "fail", said: expect.stringMatching(/^POLL_MIN_INTERVAL: /) },
  ]);
}, 60_000);

test("a cluster whose servers do not answer fails by each of them, without their passwords", async () => {
  const secret = "hunter2hunter2";
  const { code, stdout, stderr, of } = await examine({
    NATS_URL: `nats://magpie:${secret}@127.0.0.1:9`,
    REDIS_URL: `redis://magpie:${secret}@127.0.0.1:9`,
    MONGO_URL: `mongodb://magpie:${secret}@127.0.0.1:9/magpie`,
    ...{
      ADMIN_KEY: `${secret}-admin-key`,
      MASTER_SECRET: `${secret}-master`,
      MAGPIE_API_KEY: `${secret}-key`,
    },
  });
  expect(code).toBe(1);
  for (const name of ["NATS", "Redis", "MongoDB"]) expect(of(name)).toMatchObject([{ state: "fail" }]);
  expect(stdout + stderr).not.toContain(secret);
}, 120_000);

test("of a service that runs the gateway and the key are tried", async () => {
  service = startCommand(["serve"], { ...env, ...withoutBrowser });
  const { stdout } = service;
  await until("it listens", () => /listens on http/.test(stdout()));
  const right = await examine();
  expect(right.of("key")).toMatchObject([{ state: "ok" }]);
  expect(right.of("gateway")).toHaveLength(1);
  expect(right.of("data folder")).toMatchObject([{ said: expect.stringContaining("a service works on it") }]);
  const wrong = await examine({ MAGPIE_API_KEY: "no-such-key-at-all-0000" });
  expect(wrong.code).toBe(1);
  expect(wrong.of("key")).toMatchObject([{ state: "fail" }]);
  expect(wrong.stdout).not.toContain("no-such-key");
}, 120_000);
