/** A gateway with a log to which events can be appended; answers each message with what it has used by then. */
import { logMixin, type WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { collectGarbage } from "../support/collect-garbage.ts";
import { startMagpie } from "../support/magpie.ts";
import type { Opening } from "./stream-client.process.ts";
import { stampedNow } from "./stream-clock.ts";

/** What to do first: collect garbage, or append an event. */
export type StreamQuestion = "collect" | "append" | "nothing";

export interface StreamUse {
  rss: number;
  cpuMs: number;
}

const publisher = "publisher";
const magpie = await startMagpie({}, config => [
  keysService(config),
  { name: publisher, mixins: [logMixin(config)] },
]);
const limits = { requestsPerMinute: 1_000_000 };
const made = await magpie.request("POST", "/internal/keys", {
  admin: true,
  body: { owner: "bench", name: "bench", limits },
});
const { id, key } = made.json<{ data: { id: string; key: string } }>().data;
let appended = 0;
process.on("message", async (question: StreamQuestion) => {
  if (question === "collect") collectGarbage();
  if (question === "append") await append();
  const { user, system } = process.cpuUsage();
  process.send?.({ rss: process.memoryUsage().rss, cpuMs: (user + system) / 1000 } satisfies StreamUse);
});
process.on("disconnect", () => void magpie.stop());
process.send?.({
  url: `${magpie.url.replace("http", "ws")}/stream`,
  headers: { "x-api-key": key },
} satisfies Omit<Opening, "count">);

async function append(): Promise<void> {
  const { log } = magpie.broker.getLocalService(publisher) as unknown as WithLog;
  appended += 1;
  const timestamp = new Date().toISOString();
  const data = {
    item: { id: String(appended), title: `An item, ${stampedNow()}`, url: "https://site.example/item" },
  } as never;
  await log.append([{ bodyId: `item-${appended}`, type: "rss.item.created", timestamp, data, keyIds: [id] }]);
}
