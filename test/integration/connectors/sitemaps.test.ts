import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceBroker } from "moleculer";
import { toConfig } from "../../../mixins/config/config.ts";
import { connectorsService } from "../../../services/connectors/connectors.service.ts";
import { sitemapsSuite } from "../../suites/sitemaps.suite.ts";
import { removeFolder } from "../../support/folders.ts";

let broker: ServiceBroker;
let dataDir: string;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "magpie-sitemaps-"));
  broker = new ServiceBroker({ logger: false, requestTimeout: 45_000 });
  const env = { EGRESS_ALLOW: "127.0.0.1/32", POLL_MIN_INTERVAL: "1s", DATA_DIR: dataDir };
  broker.createService(connectorsService(toConfig(env)));
  await broker.start();
});
afterAll(async () => {
  await broker.stop();
  await removeFolder(dataDir);
});

sitemapsSuite(() => broker);
