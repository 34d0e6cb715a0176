/** The webhook service in a process of its own. Its argument: keys with their endpoints. Takes batches of events. */
import { openWorld } from "./deliveries.world.ts";
import { type Batch, type HandedOver, publishBatch } from "./publishing.ts";

const world = await openWorld();
await world.register(JSON.parse(process.argv[2] ?? "[]") as [keyId: string, url: string][]);

process.on("message", async (batch: Batch) => {
  const publish = (keyId: string, id: string, n: number) => world.append([keyId], 1, id, n);
  process.send?.((await publishBatch(publish, batch)) satisfies HandedOver);
});
process.once("disconnect", () => world.stop().finally(() => process.exit()));
process.send?.("ready");
