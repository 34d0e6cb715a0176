import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../support/folders.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startEnv, withoutBrowser } from "../support/start-args.ts";
import { until } from "../support/until.ts";

const root = join(import.meta.dirname, "../..");
const mongo = await startMongo();

let folder: string;
let child: ChildProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "magpie-dev-"));
});
afterEach(async () => {
  if (child?.exitCode === null) {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  await removeFolder(folder);
});
afterAll(() => mongo.stop());

withMongo(mongo).test(
  "one service starts again after a change of its files; the others keep running and find it",
  async () => {
    let output = "";
    child = spawn(process.execPath, ["--no-warnings", "test/dev/dev.ts", "--service", "keys"], {
      cwd: root,
      env: {
        ...startEnv,
        ...withoutBrowser,
        ...{ HOME: folder, DATA_DIR: folder, PORT: "0", LOG_FORMAT: "json", MONGO_URL: mongo.url },
      },
    });
    const exit = once(child, "exit");
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", text => {
        output += text;
      });
    const starts = (label: string) => output.match(new RegExp(`^${label} \\| .*"node.joined"`, "gm"))?.length;
    const says = (what: RegExp) => until(`${what}\n${output}`, () => what.test(output));
    await says(/Magpie listens on \S+,/);
    expect([starts("keys"), starts("others")]).toEqual([1, 1]);

    const now = new Date();
    utimesSync(join(root, "services/keys/keys.service.ts"), now, now);
    await until(`it starts again\n${output}`, () => starts("keys") === 2);
    await until("the gateway finds it", async () => (await listOwnKeys(output)) === 200);
    expect(starts("others")).toBe(1);

    child.kill("SIGTERM");
    expect(await exit).toEqual([0, null]);
  },
);

async function listOwnKeys(output: string): Promise<number> {
  const url = /Magpie listens on (\S+),/.exec(output)?.[1];
  const { bootstrapApiKey } = JSON.parse(readFileSync(join(folder, "dev/credentials.json"), "utf8"));
  const reply = await fetch(`${url}/users/me/api-keys`, { headers: { "x-api-key": bootstrapApiKey } });
  return reply.status;
}
