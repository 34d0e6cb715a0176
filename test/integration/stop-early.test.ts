import { existsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../support/folders.ts";
import { killNodes, startNode } from "../support/node-process.ts";
import { until } from "../support/until.ts";

const services = ["api", "keys", "tracker", "connectors", "scraper", "webhook-dispatcher"];
let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "magpie-stop-"));
});

afterEach(async () => {
  await killNodes();
  await removeFolder(dataDir);
});

test("a process that is stopped while it starts ends in order and without an error", async () => {
  const node = startNode(services, { DATA_DIR: dataDir, LOG_LEVEL: "warn" });
  // Some services have opened what they need; others have not.
  await until("the store is there", () => existsSync(join(dataDir, "magpie.db")));
  node.child.kill("SIGTERM");
  expect(await node.exit).toBe(0);
  expect(node.output()).not.toMatch(/listens|"level":"error"|not connected/);
});

test("a second signal does not stop what the first one has stopped", async () => {
  const node = startNode(services, { DATA_DIR: dataDir, LOG_LEVEL: "warn" });
  await node.gateway();
  const before = node.output();
  for (const signal of ["SIGTERM", "SIGINT"] as const) node.child.kill(signal);
  expect(await node.exit).toBe(0);
  expect(node.output().slice(before.length)).not.toMatch(/"level"/);
});
