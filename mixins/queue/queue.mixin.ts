import { join } from "node:path";
import type { ServiceSchema } from "moleculer";
import { mixin } from "../../services/contracts/mixin.ts";
import type { Config } from "../config/config.ts";
import { gauged } from "./gauged.ts";
import type { Queues } from "./queue.ts";
import { openSqliteQueues } from "./sqlite-queue.ts";

/** What the mixin adds to a service. */
export interface WithQueues {
  queues: Queues;
}

type Of = Pick<Config, "dataDir" | "cluster">;

interface Inside {
  queues?: Queues;
}

/** Queues of the installation as `this.queues`. Workers close with the service. */
export function queueMixin(config: Of): Partial<ServiceSchema> {
  return mixin<Inside>({
    async started() {
      const onError = (error: unknown) => this.logger.error("queue.hindered", { error });
      this.queues = gauged(await open(config, onError), this.broker);
    },
    async stopped() {
      await this.queues?.close();
      this.queues = undefined;
    },
  });
}

async function open({ dataDir, cluster }: Of, onError: (error: unknown) => void): Promise<Queues> {
  if (!cluster) return openSqliteQueues({ path: join(dataDir, "magpie.db"), onError });
  // BullMQ is memory and time that the embedded mode need not spend.
  const { openBullmqQueues } = await import("./bullmq-queue.ts");
  return openBullmqQueues({ url: cluster.redisUrl, prefix: cluster.namespace, onError });
}
