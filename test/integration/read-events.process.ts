/** The gateway and the tracker in a process of its own, on the folder that the first argument names; appends events. */
import process from "node:process";
import { ServiceBroker } from "moleculer";
import { toConfig } from "../../mixins/config/config.ts";
import { logMixin, type WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import { apiService } from "../../services/api/api.service.ts";
import { call } from "../../services/contracts/action.ts";
import { listKeys } from "../../services/contracts/keys.contract.ts";
import type { Source } from "../../services/contracts/source.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { Upstream, upstreamService } from "../fakes/upstream.ts";
import { adminKey, apiKey } from "../support/magpie.ts";

/** What the parent sends: events of these sources, in this order. */
export interface Order {
  events: { n: number; source: Source }[];
}

const [dataDir = ""] = process.argv.slice(2);
const config = { ...toConfig({}), port: 0, dataDir, adminKey, bootstrapApiKey: apiKey };
const broker = new ServiceBroker({ logger: false, skipProcessEventRegistration: true });
for (const service of [keysService(config), trackerService(config), upstreamService(new Upstream())])
  broker.createService(service);
broker.createService(apiService(config));
const writer = broker.createService({ name: "writer", mixins: [logMixin(config)] }) as unknown as WithLog;
await broker.start();
const { data: keys } = await call(broker, listKeys, { owner: "default", limit: 1 });

process.on("message", async ({ events }: Order) => {
  const news = events.map(({ n, source }) => ({
    bodyId: String(n),
    type: "rss.item.created" as const,
    timestamp: new Date().toISOString(),
    data: { source, item: { n } },
    keyIds: keys.map(({ id }) => id),
  }));
  for (const one of news) await writer.log.append([one]);
  process.send?.("done");
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
