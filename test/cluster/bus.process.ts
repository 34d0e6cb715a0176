/** A node of the service `echo` in a process of its own: the arguments are NATS' URL and the node's id. */
import process from "node:process";
import { ServiceBroker } from "moleculer";
import { brokerOptions } from "../../moleculer.config.ts";
import { echoService } from "../fakes/echo-service.ts";
import { busConfig } from "./bus-config.ts";

const [url = "", nodeID = ""] = process.argv.slice(2);
const broker = new ServiceBroker({
  ...brokerOptions(busConfig(url)),
  ...{ nodeID, logger: false, tracking: { shutdownTimeout: 1000 } },
});
broker.createService(echoService());
process.on("disconnect", () => process.exit());
await broker.start();
process.send?.("started");
