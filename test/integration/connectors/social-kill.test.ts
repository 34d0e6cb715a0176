import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceBroker } from "moleculer";
import { toConfig } from "../../../mixins/config/config.ts";
import { openEmbeddedLog } from "../../../mixins/event-log/embedded.log.ts";
import { connectorsService } from "../../../services/connectors/connectors.service.ts";
import { trackerService } from "../../../services/tracker/tracker.service.ts";
import { seeded } from "../../faults/random.ts";
import { removeFolder } from "../../support/folders.ts";
import { until } from "../../support/until.ts";

const kills = 5;
const seed = 20_261_121;
const keyId = "k1";

/** Connectors and tracker on a folder; posts on the sandbox without a pause, and tells of each post that was taken. */
const program = `
  import { ServiceBroker } from "moleculer";
  import { toConfig } from "./mixins/config/config.ts";
  import { connectorsService } from "./services/connectors/connectors.service.ts";
  import { call } from "./services/contracts/action.ts";
  import { sandboxPost } from "./services/contracts/admin.contract.ts";
  import { defaultLimits } from "./services/contracts/caller.ts";
  import { track } from "./services/contracts/tracker.contract.ts";
  import { trackerService } from "./services/tracker/tracker.service.ts";
  const [, dataDir, first] = process.argv;
  const config = toConfig({ DATA_DIR: dataDir, SANDBOX_POST_EVERY: "off", POLL_MIN_INTERVAL: "1s" });
  const broker = new ServiceBroker({ logger: false });
  broker.createService(trackerService(config));
  broker.createService(connectorsService(config));
  await broker.start();
  const caller = { keyId: "${keyId}", owner: "ann", limits: defaultLimits };
  await call(broker, track, { source: "microblog", sid: "magpie_daily" }, { meta: { caller } });
  process.stdout.write("ready\\n");
  for (let n = Number(first); ; n += 1) {
    const { data } = await call(broker, sandboxPost, { platform: "microblog", username: "magpie_daily", text: "No. " + n });
    process.stdout.write(data.id + "\\n");
  }`;

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), "magpie-social-kill-"));
});
afterAll(() => removeFolder(dataDir));

/** `acknowledged` grows by the ids of the posts that the child was told are taken. */
function start(first: number, acknowledged: string[]): ChildProcess {
  const options = ["--no-warnings", "--input-type=module", "-e", program, dataDir, `${first}`];
  const child = spawn(process.execPath, options, { stdio: ["ignore", "pipe", "inherit"] });
  let rest = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    acknowledged.push(...lines.filter(line => line !== "ready"));
  });
  return child;
}

async function toldIds(): Promise<string[]> {
  const log = openEmbeddedLog({
    path: join(dataDir, "magpie.db"),
    notify: () => undefined,
    onEntries: () => undefined,
  });
  try {
    const events = await log.read(keyId, 0, 1_000_000);
    return events.map(({ data }) => (data.post as { rest_id: string }).rest_id);
  } finally {
    log.close();
  }
}

test(`killed ${kills} times while posts come live: each that was taken is told, and once (seed ${seed})`, async () => {
  const random = seeded(seed);
  const acknowledged: string[] = [];
  for (let n = 0; n < kills; n += 1) {
    const child = start(n * 100_000, acknowledged);
    const enough = acknowledged.length + 2 + random() * 100;
    await until("some posts are taken", () => acknowledged.length >= enough);
    child.kill("SIGKILL");
    await once(child, "close");
  }
  const config = toConfig({ DATA_DIR: dataDir, SANDBOX_POST_EVERY: "off", POLL_MIN_INTERVAL: "1s" });
  const broker = new ServiceBroker({ logger: false });
  broker.createService(trackerService(config));
  broker.createService(connectorsService(config));
  await broker.start();
  await until("all are told", async () => {
    const told = new Set(await toldIds());
    return acknowledged.every(id => told.has(id));
  });
  await broker.stop();
  const told = await toldIds();
  expect(new Set(told).size).toBe(told.length);
  expect(acknowledged.length).toBeGreaterThan(kills);
});
