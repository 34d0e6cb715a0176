/** A node of a cluster with the webhook dispatcher alone; its requests bear its name, which is the first argument, as `x-node`. */
import process from "node:process";
import { ServiceBroker } from "moleculer";
import { toConfig } from "../../mixins/config/config.ts";
import type { WithEgress } from "../../mixins/egress/egress.mixin.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";

const [name = "", env = "{}"] = process.argv.slice(2);
const config = toConfig(JSON.parse(env));
const broker = new ServiceBroker({
  ...brokerOptions(config),
  logger: false,
  skipProcessEventRegistration: true,
});
const service = broker.createService(webhookDispatcherService(config)) as unknown as WithEgress;
const { egress } = service;
const agent = egress.agent().compose(dispatch => (options, handler) => {
  const headers = { ...(options.headers as Record<string, string>), "x-node": name };
  return dispatch({ ...options, headers }, handler);
});
service.egress = { ...egress, agent: () => agent };
await broker.start();
process.on("disconnect", () => process.exit());
process.send?.("ready");
