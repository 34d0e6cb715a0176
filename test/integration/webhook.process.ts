/** The webhook dispatcher in a process of its own, on the folder that the first argument names; takes events as messages. */
import { join } from "node:path";
import process from "node:process";
import { ServiceBroker } from "moleculer";
import { toConfig } from "../../mixins/config/config.ts";
import { logMixin, type WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import type { NewEvent } from "../../mixins/event-log/event-log.ts";
import { call, type ParamsOf } from "../../services/contracts/action.ts";
import { defaultLimits } from "../../services/contracts/caller.ts";
import { createKey, listKeys } from "../../services/contracts/keys.contract.ts";
import { createEndpoint, registerWebhook } from "../../services/contracts/webhook-dispatcher.contract.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";

/** What the parent sends: where to deliver to, an endpoint to add, or what to append for the key. */
export type Order =
  | { register: string }
  | { create: ParamsOf<typeof createEndpoint> }
  | { append: Omit<NewEvent, "keyIds">[] };

const [dataDir = ""] = process.argv.slice(2);
const env = {
  EGRESS_ALLOW: "127.0.0.1/32",
  WEBHOOK_ALLOW_HTTP: "true",
  DESTINATION_FOLDER: join(dataDir, "destinations"),
};
const config = { ...toConfig(env), dataDir };
const broker = new ServiceBroker({ logger: false, skipProcessEventRegistration: true });
broker.createService(keysService(config));
broker.createService(webhookDispatcherService(config));
const writer = broker.createService({ name: "writer", mixins: [logMixin(config)] }) as unknown as WithLog;
await broker.start();
const known = (await call(broker, listKeys, { owner: "ann", limit: 1 })).data[0];
const key = known ?? (await call(broker, createKey, { owner: "ann", name: "n" })).data;
const meta = { caller: { keyId: key.id, owner: "ann", limits: defaultLimits } };

process.on("message", async (order: Order) => {
  if ("register" in order) await call(broker, registerWebhook, { url: order.register }, { meta });
  else if ("create" in order) await call(broker, createEndpoint, order.create, { meta });
  else await writer.log.append(order.append.map(event => ({ ...event, keyIds: [key.id] })));
  process.send?.("done");
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
