import { toConfig } from "../../mixins/config/config.ts";
import type { WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import { mailSuite } from "../suites/mail.suite.ts";
import { endpointOverrides, endpointServices } from "../suites/webhook-endpoints.suite.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import type { MailWorld } from "../support/mail-client.ts";
import { type MailServer, startMailServer } from "../support/mail-server.ts";

let magpie: Magpie | undefined;
let server: MailServer;
let world: MailWorld;

beforeAll(async () => {
  server = await startMailServer();
  const { mail, publicUrl } = toConfig({
    SMTP_URL: server.url,
    SMTP_FROM: "magpie@example.com",
    PUBLIC_URL: "https://magpie.example.com",
  });
  magpie = await startMagpie({ ...endpointOverrides, mail, publicUrl }, config =>
    endpointServices.map(service => service(config)),
  );
  const { log } = magpie.broker.getLocalService("writer") as unknown as WithLog;
  world = { magpie, log, server, nodes: [magpie.broker] };
});
afterAll(async () => {
  await magpie?.stop();
  await server?.close();
});

mailSuite(() => world);
