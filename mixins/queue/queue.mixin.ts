import { join } from "node:path";
import type { ServiceSchema } from "moleculer";
import { mixin } from "../../services/contracts/mixin.ts";
import type { Config } from "../config/config.ts";
import type { Queues } from "./queue.ts";
import { openSqliteQueues } from "./sqlite-queue.ts";

/** What the mixin adds to a service. */
export interface WithQueues {
  queues: Queues;
}

interface Inside {
  queues?: Queues;
}

/** Opens a driver; it tells `onError` of what hinders the work. */
export type OpenQueues = (onError: (error: unknown) => void) => Queues;

/** Queues as `this.queues`; in the database file unless another driver is given. Workers close with the service. */
export function queueMixin(config: Pick<Config, "dataDir">, open?: OpenQueues): Partial<ServiceSchema> {
  const path = join(config.dataDir, "magpie.db");
  return mixin<Inside>({
    async started() {
      const onError = (error: unknown) => this.logger.error("queue.hindered", { error });
      this.queues = open ? open(onError) : openSqliteQueues({ path, onError });
    },
    async stopped() {
      await this.queues?.close();
      this.queues = undefined;
    },
  });
}
