import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../../support/folders.ts";
import { killNodes, startNode } from "../../support/node-process.ts";

afterEach(killNodes);

test("a service that runs as root says that its browser has no sandbox, any other does not", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "magpie-sandbox-"));
  const node = startNode(["api", "keys", "scraper"], { DATA_DIR: dataDir, LOG_LEVEL: "warn" });
  await node.gateway();
  const said = node
    .output()
    .split("\n")
    .filter(line => line.includes("browser_sandbox.disabled"));
  expect(said).toHaveLength(process.getuid?.() === 0 ? 1 : 0);
  node.child.kill("SIGTERM");
  await node.exit;
  await removeFolder(dataDir);
});
