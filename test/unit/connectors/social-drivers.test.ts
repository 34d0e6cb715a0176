import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toConfig } from "../../../mixins/config/config.ts";
import {
  type DriverStores,
  type OpenDriver,
  openDriver,
} from "../../../services/connectors/social/open-driver.ts";
import { type SocialKind, socialKinds } from "../../../services/connectors/social/social-connector.ts";
import { driverTools } from "../../fakes/driver-tools.ts";
import { removeFolder } from "../../support/folders.ts";

const stores = {
  sandboxPosts: { removeMany: async () => 0, find: async () => [] },
  joinRequests: { find: async () => [] },
} as unknown as DriverStores;
const tools = driverTools({ reconnectMs: 1 });

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), "magpie-drivers-"));
});
afterAll(() => removeFolder(dataDir));

describe("the configured driver is opened, without a request to its network", () => {
  test.each<[SocialKind, string, object]>([
    ["microblog", "sandbox", {}],
    ["chatserver", "sandbox", {}],
    ["messenger", "sandbox", {}],
    ["microblog", "x", { X_BEARER_TOKEN: "token" }],
    ["microblog", "bluesky", { BLUESKY_IDENTIFIER: "a.example", BLUESKY_APP_PASSWORD: "password" }],
    ["microblog", "mastodon", { MASTODON_URL: "http://127.0.0.1:1", MASTODON_ACCESS_TOKEN: "token" }],
    ["chatserver", "discord", { DISCORD_BOT_TOKEN: "token" }],
    ["messenger", "telegram", { TELEGRAM_API_ID: "1", TELEGRAM_API_HASH: "hash" }],
    ["messenger", "telegram-preview", { MESSENGER_DRIVER: "telegram-preview" }],
  ])("%s on %s", async (kind, driver, env) => {
    const config = toConfig({ DATA_DIR: dataDir, ...env });
    const open = openDriver[kind] as OpenDriver;
    const connector = await open(config, stores, tools, config.social[kind][0]);
    expect(connector).toMatchObject({ kind, driver });
    await connector.close?.();
  });

  test("every platform has drivers", () => expect(Object.keys(openDriver)).toEqual([...socialKinds]));
});
