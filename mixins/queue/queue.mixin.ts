import { join } from "node:path";
import type { ServiceSchema } from "moleculer";
import type { Config } from "../config/config.ts";
import { openedAs } from "../lifecycle/opened-as.ts";
import { gauged } from "./gauged.ts";
import type { Queues } from "./queue.ts";
import { openSqliteQueues } from "./sqlite-queue.ts";

/** What the mixin adds to a service. */
export interface WithQueues {
  queues: Queues;
}

type Of = Pick<Config, "dataDir" | "cluster">;

/** Queues of the installation as `this.queues`. Workers close with the service. */
export function queueMixin(config: Of): Partial<ServiceSchema> {
  return openedAs("queues", "queue", async (onError, broker) => gauged(await open(config, onError), broker));
}

async function open({ dataDir, cluster }: Of, onError: (error: unknown) => void): Promise<Queues> {
  if (!cluster) return openSqliteQueues({ path: join(dataDir, "magpie.db"), onError });
  // BullMQ is memory and time that the embedded mode need not spend.
  const { openBullmqQueues } = await import("./bullmq-queue.ts");
  return openBullmqQueues({ url: cluster.redisUrl, prefix: cluster.namespace, onError });
}
