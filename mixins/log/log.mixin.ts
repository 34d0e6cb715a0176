import { join } from "node:path";
import type { ServiceSchema } from "moleculer";
import { type Appended, appended } from "../../services/contracts/events.ts";
import { mixin } from "../../services/contracts/mixin.ts";
import type { Config } from "../config/config.ts";
import { openEmbeddedLog } from "./embedded.log.ts";
import type { EventLog, OpenLog } from "./log.ts";
import { openRedisLog } from "./redis.log.ts";

/** What the mixin adds to a service. */
export interface WithLog {
  log: EventLog;
}

interface Inside {
  log?: OpenLog;
}

/** The event log of every key as `this.log`. */
export function logMixin({ dataDir, cluster }: Pick<Config, "dataDir" | "cluster">): Partial<ServiceSchema> {
  return mixin<Inside>({
    events: {
      [appended.name](this: Inside, ctx: { params: Appended }) {
        this.log?.hear(ctx.params);
      },
    },
    async started() {
      const hint = (params: Appended) => this.broker.broadcast(appended.name, params);
      const onError = (error: unknown) => this.logger.error("log.hindered", { error });
      this.log = cluster
        ? await openRedisLog({ cluster, hint, onError })
        : openEmbeddedLog({ path: join(dataDir, "magpie.db"), hint });
    },
    async stopped() {
      await this.log?.close();
      this.log = undefined;
    },
  });
}
