import { join } from "node:path";
import type { ServiceSchema } from "moleculer";
import { type Appended, appended } from "../../services/contracts/events.ts";
import { mixin } from "../../services/contracts/mixin.ts";
import type { Config } from "../config/config.ts";
import { openEmbeddedLog } from "./embedded.log.ts";
import type { EventLog, OpenLog } from "./log.ts";

/** What the mixin adds to a service. */
export interface WithLog {
  log: EventLog;
}

interface Inside {
  log?: OpenLog;
}

/** The event log of every key as `this.log`. */
export function logMixin(config: Pick<Config, "dataDir" | "cluster">): Partial<ServiceSchema> {
  return mixin<Inside>({
    events: {
      [appended.name](this: Inside, ctx: { params: Appended }) {
        this.log?.hear(ctx.params);
      },
    },
    async started() {
      const hint = (params: Appended) => this.broker.broadcast(appended.name, params);
      const onError = (error: unknown) => this.logger.error("log.hindered", { error });
      this.log = await open(config, hint, onError);
    },
    async stopped() {
      await this.log?.close();
      this.log = undefined;
    },
  });
}

async function open(
  { dataDir, cluster }: Pick<Config, "dataDir" | "cluster">,
  hint: (appended: Appended) => void,
  onError: (error: unknown) => void,
): Promise<OpenLog> {
  if (!cluster) return openEmbeddedLog({ path: join(dataDir, "magpie.db"), hint });
  // The clients of Redis and MongoDB are 40 MB that the embedded mode need not load.
  const { openRedisLog } = await import("./redis.log.ts");
  return openRedisLog({ cluster, hint, onError });
}
