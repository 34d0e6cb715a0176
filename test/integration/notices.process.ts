/** The webhook dispatcher in a process of its own, on a folder; announces the notices whose ids it is sent. */
import process from "node:process";
import { ServiceBroker } from "moleculer";
import { toConfig } from "../../mixins/config/config.ts";
import { call } from "../../services/contracts/action.ts";
import { listKeys } from "../../services/contracts/keys.contract.ts";
import { announceJob, prepareJobWebhook } from "../../services/contracts/webhook-dispatcher.contract.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";

const [dataDir = "", url = ""] = process.argv.slice(2);
const env = { EGRESS_ALLOW: "127.0.0.1/32", WEBHOOK_ALLOW_HTTP: "true", WEBHOOK_BACKOFF: "20ms" };
const config = { ...toConfig(env), dataDir };
const broker = new ServiceBroker({ logger: false, skipProcessEventRegistration: true });
broker.createService(keysService(config));
broker.createService(webhookDispatcherService(config));
await broker.start();
const { data: keys } = await call(broker, listKeys, { owner: "default", limit: 1 });
const keyId = keys[0]?.id ?? "";
await call(broker, prepareJobWebhook, { keyId, url });

process.on("message", async (ids: string[]) => {
  const timestamp = "2026-07-01T12:00:00.000Z";
  const notice = { type: "scrape.completed", keyId, url, headers: {}, job: {}, timestamp } as const;
  await Promise.all(ids.map(id => call(broker, announceJob, { ...notice, id })));
  process.send?.("done");
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
