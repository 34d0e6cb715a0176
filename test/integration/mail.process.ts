/** The webhook dispatcher with mail in a process of its own, on a folder and a mail server; takes orders as messages. */
import process from "node:process";
import { ServiceBroker } from "moleculer";
import { toConfig } from "../../mixins/config/config.ts";
import { logMixin, type WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import type { NewEvent } from "../../mixins/event-log/event-log.ts";
import { call } from "../../services/contracts/action.ts";
import { defaultLimits } from "../../services/contracts/caller.ts";
import { createKey, listKeys } from "../../services/contracts/keys.contract.ts";
import { followMailLink } from "../../services/contracts/mail-links.contract.ts";
import { createEndpoint } from "../../services/contracts/webhook-dispatcher.contract.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { makeDigestDue, storedLane } from "../support/digest-due.ts";
import { until } from "../support/until.ts";

/** `confirm` is a token; `due` waits until the digest has a time, and sets it to now. */
export type MailOrder =
  | { add: string }
  | { confirm: string }
  | { append: Omit<NewEvent, "keyIds">[] }
  | { waits: true }
  | { due: true };

const [dataDir = "", smtpUrl = ""] = process.argv.slice(2);
const settings = {
  SMTP_URL: smtpUrl,
  SMTP_FROM: "magpie@example.com",
  PUBLIC_URL: "https://magpie.example.com",
  WEBHOOK_BACKOFF: "20ms,20ms,20ms,20ms",
};
const config = { ...toConfig(settings), dataDir };
const broker = new ServiceBroker({ logger: false, skipProcessEventRegistration: true });
broker.createService(keysService(config));
broker.createService(webhookDispatcherService(config));
const writer = broker.createService({ name: "writer", mixins: [logMixin(config)] }) as unknown as WithLog;
await broker.start();
const known = (await call(broker, listKeys, { owner: "ann", limit: 1 })).data[0];
const key = known ?? (await call(broker, createKey, { owner: "ann", name: "n" })).data;
const meta = { caller: { keyId: key.id, owner: "ann", limits: defaultLimits } };
const waits = () =>
  until("a digest waits", async () => {
    const { digest } = (await storedLane(broker, key.id)) ?? {};
    // One that has an end is being sent.
    return digest !== undefined && digest.to === undefined;
  });

process.on("message", async (order: MailOrder) => {
  if ("add" in order) await call(broker, createEndpoint, { url: order.add, digest: "1h" }, { meta });
  else if ("confirm" in order)
    await call(broker, followMailLink, { purpose: "confirm", token: order.confirm });
  else if ("append" in order)
    await writer.log.append(order.append.map(event => ({ ...event, keyIds: [key.id] })));
  else {
    await waits();
    if ("due" in order) await makeDigestDue(broker, key.id);
  }
  process.send?.("done");
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
