import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { type CommandRun, runCommand, startCommand } from "../../support/command.ts";
import { removeFolder } from "../../support/folders.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { withoutBrowser } from "../../support/start-args.ts";
import { until } from "../../support/until.ts";

const home = mkdtempSync(join(tmpdir(), "magpie-backup-"));
const archive = join(home, "backup.tar.gz");
const folder = (name: string) => ({ HOME: home, DATA_DIR: join(home, name) });
const running: CommandRun[] = [];
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});

afterAll(async () => {
  for (const { child } of running) child.kill("SIGKILL");
  await receiver?.close();
  await removeFolder(home);
});

async function serve(name: string): Promise<CommandRun> {
  const run = startCommand(["serve"], {
    ...folder(name),
    ...withoutBrowser,
    ...{ PORT: "0", EGRESS_ALLOW: "127.0.0.1", SANDBOX_POST_EVERY: "1s", WEBHOOK_ALLOW_HTTP: "true" },
  });
  running.push(run);
  await until("it listens", () => /listens on http/.test(run.stdout()) || run.child.exitCode !== null);
  if (run.child.exitCode !== null) throw new Error(run.stderr());
  return run;
}

const magpie = (name: string, ...args: string[]) => runCommand(args, folder(name));

interface Told {
  seq: number;
  id: string;
}

async function eventsOf(name: string): Promise<Told[]> {
  const { stdout } = await magpie(name, "events", "--json");
  return stdout
    .split("\n")
    .filter(Boolean)
    .map(line => JSON.parse(line) as Told);
}

const post = async (name: string, text: string) => {
  const url = readFileSync(join(home, name, "address"), "utf8").trim();
  const { adminKey } = JSON.parse(readFileSync(join(home, name, "credentials.json"), "utf8")) as {
    adminKey: string;
  };
  const answer = await fetch(`${url}/internal/sandbox/post`, {
    method: "POST",
    headers: { "x-admin-key": adminKey, "content-type": "application/json" },
    body: JSON.stringify({ platform: "microblog", username: "corvid_lab", text }),
  });
  if (!answer.ok) throw new Error(await answer.text());
};

test("a backup of a service under load has all that was acknowledged, and a restore gives no number twice", async () => {
  const service = await serve("data");
  await magpie("data", "track", "microblog", "corvid_lab");
  await magpie("data", "webhooks", "create", receiver.url);
  for (let n = 0; n < 20; n += 1) await post("data", `before ${n}`);
  await until("there are events", async () => (await eventsOf("data")).length >= 20);
  const before = await eventsOf("data");
  const posting = Promise.all(Array.from({ length: 20 }, (_, n) => post("data", `meanwhile ${n}`)));
  const made = await magpie("data", "backup", archive);
  expect([made.code, made.stderr]).toEqual([0, ""]);
  await posting;
  expect(statSync(archive).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(home, "data"))).not.toContain("backup.tmp");
  await until("what came meanwhile is delivered", async () => (await eventsOf("data")).length >= 40);
  const given = await eventsOf("data");
  service.child.kill("SIGKILL");
  await service.end;

  expect(await magpie("restored", "restore", archive)).toMatchObject({ code: 0 });
  receiver.received.length = 0;
  await serve("restored");
  const restored = await eventsOf("restored");
  const byId = new Map(given.map(({ id, seq }) => [id, seq]));
  expect(restored.slice(0, before.length)).toMatchObject(before.map(({ id, seq }) => ({ id, seq })));
  await post("restored", "after");
  const highest = Math.max(...given.map(({ seq }) => seq));
  await until("the log goes on", async () => (await eventsOf("restored")).some(({ seq }) => seq > highest));
  for (const { id, seq } of await eventsOf("restored")) {
    if (seq <= highest) expect(byId.get(id)).toBe(seq);
  }
  await until("deliveries go on", () => receiver.received.some(({ body }) => body.includes("after")));
}, 240_000);

const leftIn = (name: string) =>
  readdirSync(join(home, name)).filter(file => !file.startsWith("magpie.lock"));

test("a flipped byte is refused, and nothing is left in the folder", async () => {
  const whole = gunzipSync(readFileSync(archive));
  whole[Math.floor(whole.length / 2)] = (whole[Math.floor(whole.length / 2)] ?? 0) ^ 1;
  const flipped = join(home, "flipped.tar.gz");
  writeFileSync(flipped, gzipSync(whole));
  const { code, stderr } = await magpie("flipped", "restore", flipped);
  expect(code).toBe(1);
  expect(stderr).toMatch(/not as it was written|no backup/);
  expect(leftIn("flipped")).toEqual([]);
  const cut = join(home, "cut.tar.gz");
  writeFileSync(cut, readFileSync(archive).subarray(0, -100));
  expect((await magpie("flipped", "restore", cut)).code).toBe(1);
  expect(leftIn("flipped")).toEqual([]);
}, 120_000);

test("neither a folder with data nor a file that is there is written over", async () => {
  expect(await magpie("restored", "restore", archive)).toMatchObject({
    code: expect.any(Number),
    stderr: expect.stringMatching(/in use|not empty/),
  });
  expect(await magpie("data", "restore", archive)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/not empty/),
  });
  expect(await magpie("data", "backup", archive)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/is there already/),
  });
}, 120_000);

test("a backup that cannot be written leaves no half file", async () => {
  const { code, stderr } = await magpie("data", "backup", "/dev/full/backup.tar.gz");
  expect([code, stderr]).toEqual([1, expect.stringMatching(/No backup was made/)]);
  expect(await magpie("data", "backup", join(home, "second.tar.gz"))).toMatchObject({ code: 0 });
  expect(readdirSync(home).filter(name => name.endsWith(".part"))).toEqual([]);
}, 120_000);
