/** A node of a cluster with the webhook dispatcher alone, which sends mails; its argument is its environment. */
import process from "node:process";
import { ServiceBroker } from "moleculer";
import { toConfig } from "../../mixins/config/config.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import type { WebhookContext } from "../../services/webhook-dispatcher/context.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { makeDigestDue, storedLane } from "../support/digest-due.ts";
import { until } from "../support/until.ts";

/** Each names a key. `holds` answers whether this node works its lane; `due` waits for a digest, and sets its time to now. */
type MailNodeOrder = { holds: string } | { waits: string } | { due: string };

const config = toConfig(JSON.parse(process.argv[2] ?? "{}"));
const broker = new ServiceBroker({
  ...brokerOptions(config),
  logger: false,
  skipProcessEventRegistration: true,
});
const service = broker.createService(webhookDispatcherService(config)) as unknown as {
  context: WebhookContext;
};
await broker.start();
const waits = (keyId: string) =>
  until("a digest waits", async () => {
    const { digest } = (await storedLane(broker, keyId)) ?? {};
    return digest !== undefined && digest.to === undefined;
  });

process.on("message", async (order: MailNodeOrder) => {
  if ("holds" in order) process.send?.(service.context.dispatcher.works(order.holds));
  else {
    await waits("due" in order ? order.due : order.waits);
    if ("due" in order) await makeDigestDue(broker, order.due);
    process.send?.("done");
  }
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
